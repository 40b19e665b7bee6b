"""Why a vessel turned: functions and a sentence at the cursor, events, reports, notes."""

from __future__ import annotations

import json
from pathlib import Path

from tests.web.viewer.browser.conftest import Launch, Page, Viewer
from tests.web.viewer.browser.logs import straight, write_log

EVENTS = "probe.picture.events.map((one) => `${one.kind}: ${one.text}`)"


def test_the_decision_at_the_cursor_is_explained_without_posted_functions(
    page: Page, viewer: Viewer, alpha: Path
) -> None:
    page.open(viewer(alpha))
    page.seek(100.0)
    page.run("await probe.open('helm');")
    page.until("document.getElementById('explained').innerText.includes('survey')")
    desired = page.run(
        "await probe.wire.do('watch', {patterns: ['DESIRED_HEADING']});"
        "await new Promise((done) => setTimeout(done, 700));"
        "return probe.picture.values.get('alpha:DESIRED_HEADING').value;"
    )
    sentence = page.words("#explained")
    assert sentence.startswith(f"course {desired:03.0f}°")
    assert "survey alone decides" in sentence
    assert page.see("document.querySelector('canvas.polar').checkVisibility()")
    page.seek(139.0)  # the survey has ended, and the return has not begun
    page.until("document.getElementById('explained').innerText.includes('No behavior is active')")


def test_a_report_at_the_cursor_is_replayed(page: Page, viewer: Viewer, alpha: Path) -> None:
    page.open(viewer(alpha))
    for time, word in ((180.0, "Active: return"), (60.0, "Active: survey")):
        page.seek(time)
        page.run("await probe.open('casts');")
        page.until(f"document.querySelector('.cast').innerText.includes('{word}')")


def test_what_happened_is_listed_up_to_the_cursor_and_marked_on_the_time_line(
    page: Page, viewer: Viewer, tmp_path: Path
) -> None:
    entries = [
        *straight(60.0),
        (1.0, "IVPHELM_STATE", "PARK"),
        (10.0, "IVPHELM_STATE", "DRIVE"),
        (10.1, "IVPHELM_BHV_ACTIVE", "survey"),
        (20.0, "BHV_WARNING", "survey: too close"),
        (25.0, "CONTACTS_ALERTED", "(ben,avd)"),
        (30.0, "CONTACTS_ALERTED", "(ben,avd)(cal,avd)"),
        (35.0, "COLLISION_TOTAL", 1.0),
        (40.0, "IVPHELM_LIFE_EVENT", "time=40,bname=survey,btype=B,event=death,seed=,iter=9"),
        (41.0, "IVPHELM_STATE", "DRIVE"),
    ]
    folder = write_log(tmp_path / "log", entries)
    log = folder / "abe.alog"
    poke = f"{45.0:<15.5f} {'DEPLOY':<20} {'uPokeDB':<15} false\n"
    log.write_text(log.read_text() + poke)
    page.open(viewer(folder))
    page.run("await probe.open('events');")
    page.seek(60.0)
    page.until("probe.picture.marks.length >= 9")
    assert page.see(EVENTS) == [
        "mode: PARK",
        "mode: DRIVE",
        "active: survey",
        "warning: survey: too close",
        "alert: ben: avd on",
        "alert: cal: avd on",
        "collision: number 1",
        "behavior: survey has ended",
        "poke: DEPLOY = false (uPokeDB)",
    ]
    page.until("document.querySelectorAll('.events li').length === 9")
    page.seek(22.0)
    page.until("document.querySelectorAll('.events li').length === 4")
    words = page.run("return (await probe.parts.transport).line._words(35);")
    assert "collision: number 1" in words
    page.run("document.querySelector('.events .when').click();")
    page.until("Math.abs(probe.picture.t - 20) < 0.1")


def test_a_run_lists_buttons_pokes_pauses_and_refusals(
    page: Page, viewer: Viewer, live: Launch, waiting: Path
) -> None:
    run = live(waiting, "--warp", "5")
    page.open(viewer(run.folder))
    page.press("DEPLOY")
    page.until("probe.picture.vessels[0]?.speed > 0.5")
    page.run("await probe.do('post', {community: 'alpha', name: 'GAIN', value: '12'});")
    page.run("await probe.do('post', {community: 'alpha', name: 'NAV_X', value: 'north'});")
    page.run("await probe.do('pause'); await probe.open('events');")
    page.until("document.querySelector('.events')?.innerText.includes('paused')")
    told = "\n".join(page.see(EVENTS))
    for line in ("button: DEPLOY: DEPLOY = true", "poke: GAIN = 12", "refused: NAV_X"):
        assert line in told
    assert "active: survey" in told
    page.driver.refresh()
    page.until("probe.picture.hello && probe.picture.marks.length")
    assert "button: DEPLOY: DEPLOY = true" in "\n".join(page.see(EVENTS))


def test_notes_are_kept_beside_the_log(page: Page, viewer: Viewer, tmp_path: Path) -> None:
    folder = write_log(tmp_path / "log", straight(60.0))
    page.open(viewer(folder))
    page.seek(20.0)
    page.run("await probe.open('events');")
    page.find("#panel input").send_keys("too <b>close</b>\n")
    page.until("document.querySelector('.events')?.innerText.includes('too <b>close</b>')")
    kept = [json.loads(line) for line in (folder / "notes.jsonl").read_text().splitlines()]
    assert [(one["t"], one["text"]) for one in kept] == [(20.0, "too <b>close</b>")]
    page.open(viewer(folder))
    page.seek(30.0)
    page.run("await probe.open('events');")
    page.until("document.querySelector('.events')?.innerText.includes('too <b>close</b>')")
    page.press("Remove the note too <b>close</b>")
    page.until("!probe.picture.marks.length")
    assert (folder / "notes.jsonl").read_text() == ""
