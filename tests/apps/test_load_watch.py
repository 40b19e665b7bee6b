"""``uLoadWatch``, driven by mail and time: the effect of each of its parameters."""

from __future__ import annotations

import pytest

from steerageway.apps.watches.load_watch import LoadWatch
from steerageway.bus import ConfigError

HELM = "thresh = app=pHelmIvP,gapthresh=1.5\nbreach_trigger = 0\n"
ANY = "thresh = app=any, gapthresh=2\nbreach_trigger = 0"


@pytest.fixture
def watch(drive):
    def start(block):
        launched = ("pHelmIvP", "pLogger")
        return drive(LoadWatch, block, name="uLoadWatch", launch_list=launched)

    return start


def posts_after(driven, time, gap, app="PHELMIVP"):
    posted = driven.tick(time, {f"{app}_ITER_GAP": gap})
    return {name: value for name, value in posted.items() if name != "LOADCAST_REQ"}


@pytest.mark.parametrize(
    ("block", "gap", "warned"),
    [
        (HELM, 1.6, True),
        (HELM, 1.5, False),
        (ANY, 2.1, True),
        ("thresh = app=pLogger, gapthresh=2", 2.1, False),
        (HELM + "thresh = app=ANY,gapthresh=9", 1.6, True),
        (HELM.replace("1.5", "1.05"), 1.06, True),
        (HELM.replace("1.5", "1.05"), 1.04, False),
        ("", 99.0, False),
    ],
)
def test_a_gap_beyond_the_threshold_gives_a_warning(watch, block, gap, warned):
    posted = posts_after(watch(block), 1.0, gap)
    assert ("LOAD_WARNING" in posted) == warned
    assert posted.get("ULW_BREACH") == ("true" if warned else None)
    assert posted.get("ULW_BREACH_LIST") == ("pHelmIvP" if warned else None)


def test_a_warning_names_the_app_as_it_was_launched(watch):
    driven = watch(HELM)
    assert {(post.name, post.value) for post in driven.started} == {
        ("ULW_BREACH", "false"),
        ("ULW_BREACH_COUNT", 0.0),  # as LoadWatch::OnStartUp of MOOS-IvP
        ("ULW_NEAR_BREACH", "false"),
        ("ULW_NEAR_BREACH_COUNT", 0.0),
    }
    posts_after(driven, 1.0, 3.0)
    posted = posts_after(driven, 2.0, 2.0)
    assert posted["LOAD_WARNING"] == "app=pHelmIvP,maxgap=3,node=alpha"
    assert (posted["ULW_BREACH_COUNT"], posted["ULW_BREACH_LIST"]) == (2.0, "pHelmIvP")


@pytest.mark.parametrize(
    ("block", "gap", "near"),
    [("", 1.46, True), ("", 1.44, False), ("near_breach_thresh = 0.8", 1.41, True)],
)
def test_a_gap_that_is_nearly_too_long_is_reported(watch, block, gap, near):
    posted = posts_after(watch(HELM + block), 1.0, gap)
    expected = {"ULW_NEAR_BREACH": "true", "ULW_NEAR_BREACH_COUNT": 1.0}
    assert posted == ({**expected, "ULW_NEAR_BREACH_LIST": "pHelmIvP"} if near else {})


@pytest.mark.parametrize(("line", "expected"), [("breach_trigger = 3", [4, 5]), ("", [2, 3, 4, 5])])
def test_some_breaches_are_forgiven(watch, line, expected):
    driven = watch(f"thresh = app=pHelmIvP,gapthresh=1.5\n{line}")
    posted = {n: posts_after(driven, n, 2.0) for n in range(1, 6)}
    assert [n for n, found in posted.items() if "LOAD_WARNING" in found] == expected
    assert [n for n, found in posted.items() if "ULW_BREACH" in found] == expected
    assert posted[5]["ULW_BREACH_COUNT"] == len(expected)
    assert posted[5]["ULW_NEAR_BREACH_COUNT"] == 5


def test_apps_are_requested_to_send_appcasts(watch):
    driven = watch(HELM)
    posted = [n for n in range(1, 40) if "LOADCAST_REQ" in driven.tick(n)]
    assert posted == [1, 16, 31]
    driven.tick(40, {"PLOGGER_ITER_LEN": 0.25})
    (line,) = driven.app.report()
    assert line.startswith("pLogger: greatest gap 0.00, longest 0.250 s")


def test_an_invalid_limit_is_left_out_and_a_fraction_above_1_is_1(watch):
    driven = watch("thresh = app=ANY,gapthresh=1\nnear_breach_thresh = 2")
    assert driven.app.config_warnings == [
        "thresh = app=ANY,gapthresh=1: is left out, 1 is no gap at all",
        "near_breach_thresh = 2: is more than 1, 1 counts",
    ]
    assert "ULW_NEAR_BREACH" not in driven.tick(1.0, {"PHELMIVP_ITER_GAP": 9.0})
    wide = watch("thresh = app=ANY,gapthresh=3\nnear_breach_thresh = 2")
    assert "ULW_NEAR_BREACH" not in wide.tick(1.0, {"PHELMIVP_ITER_GAP": 2.9})


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("thresh = app=pA", "gapthresh is missing: expected a number"),
        ("near_breach_thresh = -1", "at least 0"),
        ("breach_trigger = -1", "at least 0"),
    ],
)
def test_an_invalid_line_is_refused_with_the_expected_form(watch, line, expected):
    with pytest.raises(ConfigError, match=expected):
        watch(line)
