"""Logs on the viewer's page: time cursor, helm history, plots, comparison of two runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.viewer.browser.conftest import Page, Viewer, sail
from tests.web.viewer.browser.logs import straight, write_log


def test_keys_step_by_seconds_and_by_helm_iterations(
    page: Page, viewer: Viewer, alpha: Path
) -> None:
    page.open(viewer(alpha))
    page.seek(50.0)
    page.find("#map").click()
    page.keys("]")
    page.until("Math.abs(probe.picture.t - 51) < 0.01")
    page.keys("[[")
    page.until("Math.abs(probe.picture.t - 49) < 0.01")
    page.until("probe.picture.helms.size")
    first = page.see("probe.picture.helms.get('alpha').iteration")
    page.keys(">")
    page.until(f"probe.picture.helms.get('alpha').iteration === {first + 1}")
    page.keys("<")
    page.until(f"probe.picture.helms.get('alpha').iteration === {first}")


def test_a_replay_plays_at_its_speed_and_pauses(page: Page, viewer: Viewer, alpha: Path) -> None:
    page.open(viewer(alpha))
    page.seek(10.0)
    page.run("document.getElementById('map').focus();")
    page.keys("=====", " ")
    page.until("probe.picture.status.playing && probe.picture.t > 15")
    assert page.button("Pause")
    page.keys(" ")
    page.until("!probe.picture.status.playing")
    assert page.words("#state") == "replay"


def test_the_map_is_recorded_as_a_video(page: Page, viewer: Viewer, alpha: Path) -> None:
    page.open(viewer(alpha))
    page.seek(10.0)
    page.run(
        "await probe.open('chart'); const usual = URL.createObjectURL;"
        "URL.createObjectURL = (blob) => { window.saved = blob; return usual.call(URL, blob); };"
    )
    page.press("Record a video")
    page.run("await probe.wire.do('play', {speed: 10});")
    page.until("probe.picture.t > 30")
    page.press("Stop and save the video")
    page.until("window.saved?.size > 1000")
    first = page.see("[...new Uint8Array(await saved.arrayBuffer()).slice(0, 4)]")
    assert bytes(first) == b"\x1a\x45\xdf\xa3"  # the mark of Matroska's and WebM's files


def test_the_slider_is_the_time_cursor(page: Page, viewer: Viewer, alpha: Path) -> None:
    page.open(viewer(alpha))
    page.until("document.querySelector('#timeline input')")
    page.run(
        "const slider = document.querySelector('#timeline input'); slider.value = 100;"
        "slider.dispatchEvent(new Event('input'));"
    )
    page.until("Math.abs(probe.picture.t - 100) < 0.1")
    assert page.words("#clock") == "01:40.0"


def test_a_picture_at_a_time_does_not_depend_on_the_path_to_it(
    page: Page, viewer: Viewer, alpha: Path
) -> None:
    page.open(viewer(alpha))
    seen = (
        "JSON.stringify([[...probe.picture.shapes.values()], [...probe.picture.helms.values()],"
        "probe.picture.vessels.map((v) => [v.name, v.x, v.y, v.heading])])"
    )
    page.seek(120.0)
    straight_there = page.see(seen)
    for t in (30.0, 150.0, 119.0, 120.0):
        page.seek(t)
    assert page.see(seen) == straight_there


def test_two_runs_report_their_first_difference_and_distance(
    page: Page, viewer: Viewer, alpha: Path, slow_turn: Path
) -> None:
    page.open(viewer(alpha, slow_turn))
    page.run("await probe.open('compare');")
    page.until("document.querySelector('#panel select').options.length")
    page.run(
        "const choice = document.querySelector('#panel select');"
        "choice.selectedIndex = [...choice.options].findIndex((o) => o.text.includes('slow_turn'));"
    )
    page.press("Lay over")
    page.until("document.getElementById('first-difference')")
    # As `alog diff` says of the two: they part when the first rudder has been answered.
    assert page.see("Number(document.getElementById('first-difference').dataset.t)") == (
        pytest.approx(first_difference(alpha, slow_turn), abs=0.21)
    )
    page.press("Go there")
    page.until("probe.picture.t < 3")
    page.seek(100.0)
    apart = page.see("probe.memory.other.vessels[0].distance")
    assert max(value for value in apart if value is not None) > 1
    page.until("/\\d m/.test(document.querySelector('.distances td.num').textContent)")
    assert page.see("probe.plan.others.length") == 1


def first_difference(one: Path, other: Path) -> float:
    """Return the log time at which two runs first differ, read without any code of ours."""
    texts = [next(folder.rglob("*.alog")).read_text().splitlines() for folder in (one, other)]
    for here, there in zip(
        *([line for line in text if line[0] != "%"] for text in texts), strict=False
    ):
        if here != there:
            return float(here.split()[0])
    raise AssertionError("the two runs are equal")


def test_plots_zoom_save_and_lead_the_cursor(page: Page, viewer: Viewer, alpha: Path) -> None:
    page.open(viewer(alpha))
    page.seek(60.0)
    page.keys("p")
    page.until("!document.getElementById('plots').hidden")
    field = page.find("#plots input")
    field.send_keys("NAV_X\n")
    page.until("probe.layout.plots.length === 1")
    page.run("(await probe.part('plots')).add('alpha:NAV_Y', 0);")
    page.run("(await probe.part('plots')).add('xy:alpha:NAV_X,alpha:NAV_Y');")
    deck = "(await probe.part('plots'))"
    page.until(f"{deck}.series.of('alpha:NAV_Y').t.length > 100")
    page.until(f"{deck}.views[0].plot")
    assert page.see(f"{deck}.views.length") == 2
    page.run(f"{deck}.zoom([50, 80]);")
    page.until(f"Math.abs({deck}.views[0].plot.scales.x.min - 50) < 1")
    assert page.see("probe.plan.range") == [50, 80]
    for view in (0, 1):
        size = page.see(f"(await {deck}.views[{view}].png()).size")
        assert size > 1000
    reported = page.run(
        "const path = `/api/source/${probe.layout.source}/csv?var=alpha:NAV_X&from=50&to=80`;"
        "const answer = await fetch(path);"
        "return answer.text();"
    )
    assert reported.startswith("time,community,variable,value")
    assert len(reported.splitlines()) > 100
    page.run(f"{deck}.zoom(null);")
    page.see("probe.plots(false)")


def test_a_variable_is_dragged_onto_a_plot(page: Page, viewer: Viewer, alpha: Path) -> None:
    page.open(viewer(alpha))
    page.seek(60.0)
    page.run("await probe.open('values'); await probe.plots(true);")
    page.until(
        "[...document.querySelectorAll('#panel tr')].some((r) => r.title === 'alpha:NAV_SPEED')"
    )
    page.run(
        """
        const rows = [...document.querySelectorAll('#panel tr')];
        const row = rows.find((r) => r.title === 'alpha:NAV_SPEED');
        const transfer = new DataTransfer();
        row.dispatchEvent(new DragEvent('dragstart', {dataTransfer: transfer, bubbles: true}));
        const drop = new DragEvent('drop', {dataTransfer: transfer, bubbles: true});
        document.querySelector('.plot-row').dispatchEvent(drop);
        """
    )
    page.until("probe.layout.plots.includes('alpha:NAV_SPEED')")
    page.run("await probe.plots(false);")


def test_the_address_keeps_the_layout(page: Page, viewer: Viewer, alpha: Path) -> None:
    page.open(viewer(alpha))
    page.seek(70.0)
    page.run(
        "probe.plan.look_at(10, -20, 3); probe.plan.toggle('vectors'); await probe.open('helm');"
    )
    page.run("probe.picture.select('alpha'); await probe.plots(true);")
    page.run("(await probe.part('plots')).add('alpha:NAV_SPEED');")
    page.until("location.hash.includes('plot=') && location.hash.includes('t=70')")
    page.driver.refresh()
    page.until("probe.picture.hello && Math.abs(probe.picture.t - 70) < 0.1")
    page.until("probe.layout.tab === 'helm' && probe.picture.selected === 'alpha'")
    page.until("!document.getElementById('plots').hidden")
    assert page.see("probe.plan.options.vectors") is True
    assert page.see("probe.plan.camera.scale") == pytest.approx(3)
    assert page.see("probe.layout.plots") == ["alpha:NAV_SPEED"]


def test_the_helms_behaviors_are_plotted_over_time(page: Page, viewer: Viewer, alpha: Path) -> None:
    page.open(viewer(alpha))
    page.seek(60.0)
    page.until("probe.parts.transport.then((bar) => bar.line?.modes.length > 1)")
    words = page.run("return (await probe.parts.transport).line._words(60);")
    assert "survey" in words
    page.run("await probe.open('helm');")
    page.until("document.getElementById('panel').textContent.includes('survey')")


def test_a_cut_log_opens(page: Page, viewer: Viewer, tmp_path: Path) -> None:
    folder = write_log(tmp_path / "log", straight(20.0))
    log = folder / "abe.alog"
    log.write_bytes(log.read_bytes()[:-1000])
    page.open(viewer(log))
    page.seek(10.0)
    assert page.see("probe.picture.vessels[0].x") == pytest.approx(10, abs=0.2)


def test_objective_functions_are_drawn_over_course_and_speed(
    page: Page, viewer: Viewer, tmp_path: Path
) -> None:
    log = sail(tmp_path / "log", "--config", "pHelmIvP.post_ipf=true")
    page.open(viewer(log))
    page.seek(40.0)
    page.run("await probe.open('helm');")
    page.until("document.querySelector('canvas.polar').width > 100")
    page.until("document.querySelector('#panel').textContent.includes('chosen 180°')")
    south, north = page.run(
        """
        const canvas = document.querySelector("canvas.polar");
        const [ctx, side] = [canvas.getContext("2d"), canvas.width];
        const rgb = (x, y) => ctx.getImageData(x, y, 1, 1).data.slice(0, 3);
        const light = (x, y) => rgb(x, y).reduce((a, b) => a + b, 0);
        return [light(0.45 * side, 0.75 * side), light(0.45 * side, 0.25 * side)];
        """
    )
    assert south > north if page.see("probe.plan.theme") == "dark" else south < north
