"""Running missions on the viewer's page: user actions, and that watching has no effect."""

from __future__ import annotations

import shutil
from itertools import pairwise
from pathlib import Path

import pytest

from steerageway.bus import sleep, wall
from tests.web.viewer.browser.conftest import PATIENCE, ROOT, Launch, Page, Viewer

CURVE = "(await probe.part('plots')).series.of('alpha:NAV_X').t"


def test_deploy_is_one_input_and_watching_none(
    page: Page, viewer: Viewer, live: Launch, waiting: Path
) -> None:
    run = live(waiting, "--warp", "5")
    page.open(viewer(run.folder))
    page.until("probe.picture.vessels.length && probe.picture.t > 3")
    assert run.inputs() == []
    assert page.words("#state") == "running"
    page.press("DEPLOY")
    page.until("probe.picture.vessels[0].speed > 0.5")
    names = [entry["name"] for entry in run.inputs()]
    assert names == ["DEPLOY", "MOOS_MANUAL_OVERRIDE"]
    page.until("document.getElementById('panel').textContent.includes('DEPLOY')")
    page.until("probe.picture.values.get('alpha:DEPLOY')?.value === 'true'")


def test_a_run_is_paused_stepped_and_warped_by_keys(
    page: Page, viewer: Viewer, live: Launch
) -> None:
    page.open(viewer(live(ROOT / "missions/alpha", "--warp", "5").folder))
    page.until("probe.picture.t > 2")
    page.find("#map").send_keys(" ")
    page.until("probe.picture.status.paused")
    page.until("document.getElementById('state').textContent === 'paused'")
    stood = page.see("probe.picture.status.time")
    page.keys(".")
    page.until(f"probe.picture.status.time > {stood}")
    assert page.see("probe.picture.status.time") < stood + 1
    page.keys("=")
    page.until("probe.picture.status.warp === 10")
    page.keys(" ")
    page.until("!probe.picture.status.paused")


def test_a_click_on_the_water_posts_only_the_selection(
    page: Page, viewer: Viewer, live: Launch, waiting: Path
) -> None:
    run = live(waiting, "--warp", "5")
    page.open(viewer(run.folder))
    page.until("probe.picture.vessels.length")
    page.run("probe.plan.look_at(100, 50, 4);")
    page.find("#map").click()
    page.until("document.querySelector('[role=menu]')")
    assert run.inputs() == []
    page.press("Post: go")
    page.until("document.getElementById('tidings').textContent.includes('GO_TO')")
    names = {entry["name"]: entry["value"] for entry in run.inputs()}
    x, y = map(float, names["GO_TO"].split(","))
    assert (x, y) == pytest.approx((100, 50), abs=0.3)


def test_a_vessel_is_ordered_a_waypoint_dragged_and_the_run_rewound(
    page: Page, viewer: Viewer, live: Launch, waiting: Path
) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    run = live(waiting, "--warp", "5")
    page.open(viewer(run.folder))
    page.until("probe.picture.vessels.length")
    page.run("probe.plan.look_at(100, -90, 2); await probe.open('mission');")
    # The order is the mission's own button; an order that no button gives has the usual posts.
    titles = "[...document.querySelectorAll('[data-order]')].map((one) => one.title)"
    assert page.see(titles) == [
        "DEPLOY = true\nMOOS_MANUAL_OVERRIDE = false",
        "RETURN = true",
        "DEPLOY = false",
    ]
    page.press("Deploy")
    page.until("document.getElementById('tidings').textContent.includes('Deploy: alpha')")
    deployed = [(entry["name"], entry["value"]) for entry in run.inputs()]
    assert deployed == [("DEPLOY", "true"), ("MOOS_MANUAL_OVERRIDE", "false")]
    survey = "[...probe.picture.shapes.values()].find((one) => one.label === 'alpha_survey')"
    page.until(f"{survey}?.pts.length === 5")
    page.press("Move points on the map")
    page.drawn()
    column, row = page.see("[probe.plan.camera.column(60), probe.plan.camera.row(-40)]")
    size = page.find("#map").size
    ActionChains(page.driver).move_to_element_with_offset(
        page.find("#map"), round(column - size["width"] / 2), round(row - size["height"] / 2)
    ).click_and_hold().move_by_offset(40, 0).move_by_offset(20, -20).release().perform()
    # The helm has taken the update when it draws the moved point: 60 px at 2 px/m.
    page.until(f"{survey}.pts[0][0] > 80")
    (x, y), *others = page.see(f"{survey}.pts")
    assert (x, y) == pytest.approx((90, -30), abs=1)
    assert others == [[60, -160], [150, -160], [180, -100], [150, -40]]
    assert run.inputs()[-1]["name"] == "SURVEY_UPDATE"
    page.until("probe.picture.t > 5")
    page.press("Rewind")
    page.until("probe.picture.replay && probe.picture.hello.source.kind === 'replay'")
    page.seek(2.0)
    page.press("Back to live")
    page.until("!probe.picture.replay && probe.picture.t > 5")


def test_a_poke_is_typed_and_refusals_are_reported(
    page: Page, viewer: Viewer, live: Launch, waiting: Path
) -> None:
    run = live(waiting, "--warp", "5")
    page.open(viewer(run.folder))
    page.run("await probe.open('mission');")
    page.find("input[placeholder=VARIABLE]").send_keys("GAIN")
    page.find("input[placeholder=value]").send_keys("12\n")
    page.until("document.getElementById('tidings').textContent.includes('Posted GAIN')")
    assert run.inputs()[-1]["value"] == 12
    page.find("input[placeholder=VARIABLE]").clear()
    page.find("input[placeholder=VARIABLE]").send_keys("NAV_X")
    page.find("input[placeholder=value]").clear()
    page.find("input[placeholder=value]").send_keys("north\n")
    page.until("document.getElementById('tidings').textContent.length > 20")


def test_driving_by_hand_ends_when_the_person_looks_away(
    page: Page, viewer: Viewer, live: Launch, waiting: Path
) -> None:
    run = live(waiting, "--warp", "2")
    page.open(viewer(run.folder))
    page.until("probe.picture.vessels.length")
    page.run("await probe.open('mission');")
    page.until(
        "[...document.querySelectorAll('button')].some((b) => b.textContent === 'Drive by hand')"
    )
    page.press("Drive by hand")
    page.run(
        "document.querySelector('.driving')"
        ".dispatchEvent(new KeyboardEvent('keydown', {key: 'w'}));"
    )
    page.until("probe.picture.vessels[0].speed > 0.3")
    page.run("window.dispatchEvent(new Event('blur'));")
    page.until("!document.querySelector('.driving')")
    page.until("probe.picture.vessels[0].speed < 0.3", patience=60)
    thrusts = [one["value"] for one in run.inputs() if one["name"] == "DESIRED_THRUST"]
    assert max(thrusts) > 5
    assert thrusts[-1] == 0


GAMEPAD = """
const axes = given[0];
const pads = axes ? [null, {connected: true, axes, buttons: []}] : [];
Object.defineProperty(navigator, "getGamepads", {value: () => pads, configurable: true});
"""


def test_a_gamepad_drives_until_it_is_gone(
    page: Page, viewer: Viewer, live: Launch, waiting: Path
) -> None:
    run = live(waiting, "--warp", "2")
    page.open(viewer(run.folder))
    page.until("probe.picture.vessels.length")
    page.run("await probe.open('mission');")
    page.until(
        "[...document.querySelectorAll('button')].some((b) => b.textContent === 'Drive by hand')"
    )
    page.run(GAMEPAD, [0, -0.6, 0.4, 0])
    page.press("Drive by hand")
    page.until("document.querySelector('.driving')?.textContent.includes('thrust 60 %  rudder 40')")
    page.until("probe.picture.vessels[0].speed > 0.3")
    page.run(GAMEPAD, [0, 0, 0, 0])
    page.until("document.querySelector('.driving').textContent.includes('thrust 0 %  rudder 0')")
    page.run(GAMEPAD, [0, -0.6, 0, 0])
    page.until("document.querySelector('.driving').textContent.includes('thrust 60 %')")
    page.run(GAMEPAD, None)
    page.until("!document.querySelector('.driving')")
    posted = [(one["name"], one["value"]) for one in run.inputs()]
    assert ("DESIRED_THRUST", pytest.approx(60)) in posted
    assert ("DESIRED_RUDDER", pytest.approx(40)) in posted
    limit = wall() + PATIENCE
    while [one["value"] for one in run.inputs() if one["name"] == "DESIRED_THRUST"][-1] != 0:
        assert wall() < limit
        sleep(0.05)
    page.run("delete navigator.getGamepads;")


def test_a_late_page_shows_the_same_as_an_early_one(
    page: Page, viewer: Viewer, live: Launch
) -> None:
    run = live(ROOT / "missions/alpha", "--warp", "20", "--placement", "one", "--paused")
    page.open(viewer(run.folder))  # however long this takes, the mission is not over
    page.until("probe.picture.status.paused")
    page.run("await probe.wire.do('resume');")
    page.until("probe.picture.t > 60 && !probe.picture.status.paused")
    page.find("#map").send_keys(" ")
    page.until("probe.picture.status.paused")
    seen = (
        "[...probe.picture.shapes.values()]"
        ".map((s) => JSON.stringify([s.kind, s.label, s.pts, s.x, s.y])).sort()"
    )
    early = page.see(seen)
    page.driver.refresh()
    page.until("probe.picture.hello && probe.picture.shapes.size")
    assert page.see(seen) == early
    assert "seglist" in "".join(early)
    page.until("probe.picture.vessels[0].track.levels[0].count > 5")


def test_casts_values_and_helm_are_read(page: Page, viewer: Viewer, live: Launch) -> None:
    page.open(viewer(live(ROOT / "missions/alpha", "--warp", "10").folder))
    page.until("probe.picture.vessels.length")
    page.run("await probe.open('casts');")
    page.until("document.querySelector('.cast').textContent.includes('pHelmIvP')")
    page.run("await probe.open('values');")
    page.find("#panel input").send_keys("NAV_*")
    page.until("document.querySelectorAll('#panel tbody tr').length >= 4")
    page.run("await probe.open('helm');")
    page.until("document.getElementById('panel').textContent.includes('DRIVE')")


def test_the_start_page_starts_a_mission_and_ends_it(
    page: Page, viewer: Viewer, tmp_path: Path
) -> None:
    root = tmp_path / "missions"
    shutil.copytree(ROOT / "missions" / "alpha", root / "alpha")
    page.open(viewer("--root", root), ready="true")
    page.until("document.querySelector('#doors h1')")
    page.press("Start alpha")
    page.until("probe.picture.vessels.length && probe.picture.t > 1", patience=60)
    page.find("#home").click()
    page.until("document.querySelector('#doors .danger')")
    page.press("End it")
    page.until("probe.home.child && probe.home.child.ended !== null", patience=60)


def test_a_run_without_a_log_is_drawn_from_now_on_and_reports_it(
    page: Page, viewer: Viewer, live: Launch
) -> None:
    run = live(ROOT / "missions/alpha", "--warp", "10", "--no-log")
    page.open(viewer(run.address))
    page.until("probe.picture.vessels.length && probe.picture.t > 5")
    page.until("document.body.textContent.includes('this run leaves no log here')")
    page.run("await probe.plots(true); (await probe.part('plots')).add('alpha:NAV_X');")
    page.until(f"{CURVE}.length > 5")
    page.run("await probe.plots(false);")


def test_a_curve_begins_at_the_start_of_the_run_shown_at_the_request(
    page: Page, viewer: Viewer, live: Launch
) -> None:
    run = live(ROOT / "missions/alpha", "--warp", "1", "--paused")
    page.open(viewer(run.folder))
    page.until("probe.picture.status?.paused")
    page.run("await probe.plots(true); (await probe.part('plots')).add('alpha:NAV_X');")
    page.run("await probe.wire.do('history', {var: 'alpha:NAV_X'});")
    page.run("await probe.wire.do('resume');")
    page.until(f"{CURVE}.at(-1) > 3")
    times = page.see(CURVE)
    assert times[0] < 1.0
    # NAV_X comes every 0.25 s; a busy machine may merge some samples of the live curve.
    assert all(0.0 < b - a < 1.0 for a, b in pairwise(times))
    page.run("await probe.plots(false);")


def test_a_reader_is_offered_nothing_to_change(
    page: Page, viewer: Viewer, live: Launch, waiting: Path
) -> None:
    page.open(viewer(live(waiting, "--warp", "5").folder, "--read-only"))
    page.until("probe.picture.status.time > 0")
    assert page.see("document.getElementById('play').disabled")
    page.run("await probe.open('mission');")
    assert not page.button("DEPLOY").is_enabled()
    assert page.see("document.querySelector('input[placeholder=VARIABLE]')") is None


def test_without_the_key_the_page_names_the_address_to_open(
    page: Page, viewer: Viewer, alpha: Path
) -> None:
    address = viewer(alpha)
    page.driver.delete_all_cookies()
    page.open(address.partition("#")[0], ready="true")
    page.until("document.getElementById('tidings').textContent.includes('address that the server')")
    assert page.see("probe.picture.hello") is None
    page.driver.get_log("browser")  # the refused request is one on purpose
