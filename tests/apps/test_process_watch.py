"""``uProcessWatch``, driven by DB_CLIENTS and time."""

from pathlib import Path

import pytest

from steerageway.apps.watches.process_watch import ProcessWatch
from steerageway.bus import Config, ConfigError

LAUNCHED = ("pLogger", "pHelmIvP", "uProcessWatch")
ALL = "pLogger,pHelmIvP,uProcessWatch,"


def watch(drive, block="", launched=LAUNCHED, **more):
    return drive(ProcessWatch, block, "uProcessWatch", launch_list=launched, **more)


def clients(text):
    return {"DB_CLIENTS": text}


def summary(drive, block, there, launched=LAUNCHED):
    """Return the full summary once these clients are there."""
    return watch(drive, block, launched).tick(1.0, clients(there)).get("PROC_WATCH_FULL_SUMMARY")


def test_all_are_present(drive):
    driven = watch(drive)
    events = [post.value for post in driven.started if post.name == "PROC_WATCH_EVENT"]
    assert events == ["Noted to be present: [pLogger]", "Noted to be present: [pHelmIvP]"]
    assert driven.tick(1.0, clients(ALL)) == {
        "PROC_WATCH_SUMMARY": "All Present",
        "PROC_WATCH_ALL_OK": "true",
        "PROC_WATCH_FULL_SUMMARY": "pLogger(1/0),pHelmIvP(1/0)",
    }
    assert driven.tick(3.0, clients(ALL)) == {}


def test_a_missing_process_is_reported_after_ten_seconds(drive):
    driven = watch(drive)
    assert driven.tick(9.0, clients("pLogger,"))["PROC_WATCH_SUMMARY"] == "All Present"
    posts = driven.tick(11.0, clients("pLogger,"))
    assert posts == {
        "PROC_WATCH_EVENT": "Process [pHelmIvP] is missing.",
        "PROC_WATCH_SUMMARY": "AWOL: pHelmIvP",
        "PROC_WATCH_ALL_OK": "false",
        "PROC_WATCH_FULL_SUMMARY": "pLogger(1/0),pHelmIvP(1/1)",
    }
    assert driven.app.run_warnings == {"Process [pHelmIvP] is missing.": 1}
    assert driven.tick(13.0, clients("pLogger,")) == {}


def test_a_process_that_comes_back_is_resurrected(drive):
    driven = watch(drive)
    driven.tick(11.0, clients("pLogger,"))
    posts = driven.tick(13.0, clients(ALL))
    assert posts["PROC_WATCH_EVENT"] == "Resurrected: [pHelmIvP]"
    assert posts["PROC_WATCH_SUMMARY"] == "All Present"
    assert posts["PROC_WATCH_FULL_SUMMARY"] == "pLogger(1/0),pHelmIvP(2/1)"
    assert driven.app.run_warnings == {}


def test_several_missing_ones_are_listed(drive):
    assert watch(drive).tick(11.0, clients(""))["PROC_WATCH_SUMMARY"] == "AWOL: pLogger,pHelmIvP"


def test_a_process_that_disconnected_is_excused(drive):
    driven = watch(drive)
    driven.tick(1.0, clients(ALL))
    posts = driven.tick(11.0, {"EXITED_NORMALLY": "pHelmIvP", "DB_CLIENTS": "pLogger,"})
    assert posts == {"PROC_WATCH_EVENT": "Process [pHelmIvP] is gone but excused."}
    assert driven.app.run_warnings == {}


def test_a_client_outside_the_launch_list_is_watched_once_it_comes(drive):
    assert summary(drive, "", ALL + "pExtra,") == "pLogger(1/0),pHelmIvP(1/0),pExtra(1/0)"


def test_an_empty_watch_list_is_reported(drive):
    assert summary(drive, "watch_all = false", ALL) == "No processes to watch"


@pytest.mark.parametrize(
    ("word", "watched"),
    [
        ("true", "pLogger(1/0),pHelmIvP(1/0),pExtra(1/0)"),
        ("antler", "pLogger(1/0),pHelmIvP(1/0)"),
        ("dbclients", "pExtra(1/0),pLogger(1/0)"),
        ("db_clients", "pExtra(1/0),pLogger(1/0)"),
        ("false", "No processes to watch"),
    ],
)
def test_watch_all_selects_the_watched_processes(drive, word, watched):
    assert summary(drive, f"watch_all = {word}", "pExtra,pLogger,uProcessWatch") == watched


def test_nowatch_leaves_out_names_and_beginnings(drive):
    block = "nowatch = pHelmIvP, pE*"
    assert summary(drive, block, ALL + "pExtra,pMore,") == "pLogger(1/0),pMore(1/0)"


def test_watch_by_name_overrides_nowatch(drive):
    block = "nowatch = p*\nwatch = pExtra, pH*"
    assert summary(drive, block, ALL) == "pExtra(1/0),pHelmIvP(1/0)"


def test_watch_by_prefix_works_without_watch_all(drive):
    block = "watch_all = false\nwatch = pH*"
    assert summary(drive, block, ALL) == "pHelmIvP(1/0)"


@pytest.mark.parametrize("line", ["pHelmIvP:HELM_THERE", "pHelmIvP : HELM_THERE"])
def test_a_watched_process_may_have_a_separate_variable(drive, line):
    driven = watch(drive, f"watch = {line}")
    assert driven.tick(1.0, clients(ALL))["HELM_THERE"] == "true"
    assert driven.tick(11.0, clients("pLogger,"))["HELM_THERE"] == "false"
    assert "HELM_THERE" not in driven.tick(13.0, clients(""))


def test_summary_wait_repeats_the_summary(drive):
    driven = watch(drive, "summary_wait = 3")
    driven.tick(1.0, clients(ALL))
    assert driven.tick(4.0) == {}
    assert driven.tick(4.5) == {"PROC_WATCH_SUMMARY": "All Present"}


@pytest.mark.parametrize(
    ("word", "back_at", "kept"),
    [("true", 30.0, False), ("false", 13.0, True), ("5", 13.0, False), ("5", 30.0, True)],
)
def test_allow_retractions_rules_whether_a_warning_goes(drive, word, back_at, kept):
    driven = watch(drive, f"allow_retractions = {word}")
    driven.tick(11.0, clients("pLogger,"))
    driven.tick(back_at, clients(ALL))
    assert bool(driven.app.run_warnings) == kept


@pytest.mark.parametrize("name", ["SUMMARY", "FULL_SUMMARY", "ALL_OK", "EVENT", "TIME_WARP"])
def test_post_mapping_renames_a_variable(drive, name):
    driven = watch(drive, f"post_mapping = PROC_WATCH_{name}, MINE")
    names = {post.name for post in driven.started} | set(driven.tick(1.0, clients(ALL)))
    assert "MINE" in names
    assert f"PROC_WATCH_{name}" not in names


def test_time_warp_is_the_mission_files(drive):
    warp = Config([("MOOSTimeWarp", "10", "x.moos:1")])
    started = watch(drive, globals=warp).started
    assert [post.value for post in started if post.name == "PROC_WATCH_TIME_WARP"] == [10.0]
    assert watch(drive).started[0][:2] == ("PROC_WATCH_TIME_WARP", 1.0)


def test_a_load_that_is_not_a_number_is_shown_unchanged(drive):
    driven = watch(drive)
    driven.tick(1.0, {"PHELMIVP_STATUS": "cpuload=n/a,MOOSName=pHelmIvP"} | clients(ALL))
    assert "pHelmIvP: OK, 1/0, load n/a" in list(driven.app.report())


def test_appcast_shows_state_and_load(drive):
    driven = watch(drive)
    status = {"PHELMIVP_STATUS": 'cpuload=0.25,MOOSName=pHelmIvP,Publishing="A,B,"'}
    driven.tick(11.0, clients("pHelmIvP,") | status)
    lines = list(driven.app.report())
    assert "pHelmIvP: OK, 1/0, load 0.25" in lines
    assert "pLogger: MISSING, 1/1, load 0" in lines


@pytest.mark.parametrize(
    "line",
    ["watch_all = some", "summary_wait = long",
     "allow_retractions = maybe", "post_mapping = PROC_WATCH_SUMMARY", "post_mapping = A,B"],
)  # fmt: skip
def test_an_invalid_line_is_reported(drive, line):
    with pytest.raises(ConfigError, match=r"test\.moos:0: \w+ = "):
        watch(drive, line)


def test_every_parameter_has_a_test_above():
    text = Path(__file__).read_text()
    for parameter in ProcessWatch.parameters:
        assert f"{parameter.name} = " in text, parameter.name
