"""``--appcasts``: apps post APPCAST on APPCAST_REQ, and never otherwise."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from steerageway.bus import run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import Entry, read_entries

ROOT = Path(__file__).parents[2]
ALPHA, BERTA = (ROOT / "missions" / name for name in ("alpha", "berta"))

pytestmark = pytest.mark.slow


def logged(folder: Path, mission: Path, *words: str) -> dict[str, list[Entry]]:
    """Run a mission in one process; return what each community logged."""
    options = [str(mission), "--placement", "one", "--warp", "max", "--log", str(folder), *words]
    launch = plan_launch(parse_options(options))
    outcome = run(launch.plan, lambda progress: None)
    assert outcome.failures == []
    return {
        name: list(read_entries(next(where.rglob("*.alog"))))
        for name, where in launch.log_folders.items()
        if where is not None
    }


def casts(entries: list[Entry]) -> list[tuple[float, str, str]]:
    """Return (time, source, text) of each appcast."""
    return [(e.time, e.source, str(e.value)) for e in entries if e.name == "APPCAST"]


def test_a_requested_app_sends_appcasts_for_the_requested_time_and_no_other_app_does(
    tmp_path: Path,
) -> None:
    ask = "@10:APPCAST_REQ=node=alpha,app=pHelmIvP,duration=3,key=uMAC_1,thresh=any"
    words = ("--for", "20", "--set", ask)
    found = casts(logged(tmp_path / "asked", ALPHA, "--appcasts", *words)["alpha"])
    assert {source for _, source, _ in found} == {"pHelmIvP"}
    times = [time for time, _, _ in found]
    assert 9.5 <= times[0] <= 10.5  # log time begins with the logger
    assert 12.0 <= times[-1] <= 13.1
    assert all(b - a > 0.59 for a, b in pairwise(times))
    assert found[0][2].startswith("proc=pHelmIvP!@#iter=")
    assert "!@#node=alpha!@#messages=" in found[0][2]
    assert casts(logged(tmp_path / "off", ALPHA, *words)["alpha"]) == []
    unasked = logged(tmp_path / "unasked", ALPHA, "--appcasts", "--for", "20")["alpha"]
    assert casts(unasked) == []


def test_all_apps_send_appcasts_or_only_with_new_run_warnings_as_requested(tmp_path: Path) -> None:
    ask = "@5:APPCAST_REQ=node=all,app=all,duration=2,key=a"
    found = logged(tmp_path / "all", ALPHA, "--appcasts", "--for", "10", "--set", ask)["alpha"]
    apps = {source for _, source, _ in casts(found)}
    assert {"pHelmIvP", "uSimMarineV22", "pMarinePIDV22", "pNodeReporter", "pLogger"} <= apps
    ask = "@5:APPCAST_REQ=node=all,app=uSimMarineV22,duration=20,key=a,thresh=run_warning"
    words = ("--for", "15", "--set", ask, "--set", "@8:DESIRED_RUDDER=500")
    found = logged(tmp_path / "warned", ALPHA, "--appcasts", *words)["alpha"]
    ((time, source, text),) = casts(found)
    assert (source, time > 7.5) == ("uSimMarineV22", True)
    assert "run_warnings=1:DESIRED_RUDDER = 500" in text


def test_brokers_bring_requests_to_vessels_and_answers_to_the_shore(tmp_path: Path) -> None:
    """What ``auto_bridge_appcast`` is for."""
    ask = "@30:shoreside:APPCAST_REQ_ALL=node=all,app=pHelmIvP,duration=5,key=uMAC_1,thresh=any"
    words = ("--appcasts", "--vessels", "2", "--for", "40", "--set", ask)
    found = casts(logged(tmp_path / "berta", BERTA, *words)["shoreside"])
    nodes = {text.partition("!@#node=")[2].partition("!@#")[0] for _, _, text in found}
    assert nodes == {"abe", "ben"}
    assert {source for _, source, _ in found} == {"pHelmIvP"}


@pytest.mark.process
def test_in_processes_the_answers_are_the_same(tmp_path: Path) -> None:
    ask = "@5:APPCAST_REQ=node=all,app=all,duration=3,key=a"
    words = ("--appcasts", "--for", "12", "--set", ask)
    one = casts(logged(tmp_path / "one", ALPHA, *words)["alpha"])
    apart = ("--placement", "process", "--port", "auto")
    assert casts(logged(tmp_path / "apart", ALPHA, *words, *apart)["alpha"]) == one
    assert one
