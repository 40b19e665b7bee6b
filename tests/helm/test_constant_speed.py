"""``BHV_ConstantSpeed``: the effect of each of its parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

from steerageway.helm.behaviors.constant import ConstantSpeedSettings
from steerageway.helm.settings import CommonSettings
from steerageway.ivp import Peak, Variable, peak
from tests.apps.parameters import Shown

SPEED = Variable("speed", 0, 4, 41)
shows = Shown()


@pytest.fixture
def keep(behave: Callable[..., Any]) -> Callable[..., Any]:
    """Return a helm with one ConstantSpeed behavior, which decides about speed only."""

    def start(parameters: str, **nav: float) -> Any:
        return behave("BHV_ConstantSpeed", parameters, domain=("speed:0:4:41",), **nav)

    return start


def objective(sailing: Any) -> list[float]:
    """Return the values of the behavior's function."""
    (table,) = sailing.behavior("b").run().parts.values()
    return [float(value) for value in table]


@shows("speed")
def test_helm_keeps_the_speed(keep: Callable[..., Any]) -> None:
    sailing = keep("speed = 1.3\nduration = no-time-limit")
    assert sailing.step()["DESIRED_SPEED"] == 1.3


@shows("peakwidth", "basewidth", "summitdelta")
@pytest.mark.parametrize(
    ("parameters", "hill"),
    [
        ("", Peak(2, 0, 0.2)),
        ("peakwidth = 0.5", Peak(2, 0.5, 0.2)),
        ("basewidth = 1.5", Peak(2, 0, 1.5)),
        ("peakwidth = 0.5\nsummitdelta = 30", Peak(2, 0.5, 0.2, 30)),
    ],
)
def test_other_speeds_have_the_utility_of_the_hill(
    parameters: str, hill: Peak, keep: Callable[..., Any]
) -> None:
    sailing = keep(f"speed = 2\nduration = no-time-limit\n{parameters}")
    sailing.step()
    (expected,) = peak(SPEED, hill).parts.values()
    assert objective(sailing) == pytest.approx(list(expected))


@shows("speed_mismatch_var")
def test_distance_from_the_speed_is_posted_on_request(keep: Callable[..., Any]) -> None:
    text = "speed = 2\nduration = no-time-limit"
    assert "MISMATCH" not in keep(text, NAV_SPEED=1.25).step()
    sailing = keep(f"{text}\nspeed_mismatch_var = MISMATCH", NAV_SPEED=1.25)
    assert sailing.step()["MISMATCH"] == 0.75


@shows("duration")
def test_without_a_duration_it_completes_as_soon_as_it_runs(keep: Callable[..., Any]) -> None:
    sailing = keep("speed = 2\nendflag = DONE = true")
    assert sailing.step()["DONE"] == "true"
    assert sailing.posted["IVPHELM_BHV_CNT"] == 1
    sailing.step()
    assert "DESIRED_SPEED" not in sailing.posted or sailing.posted["DESIRED_SPEED"] == 0


def test_speed_can_be_changed_while_it_runs(keep: Callable[..., Any]) -> None:
    sailing = keep("speed = 2\nduration = no-time-limit\nupdates = UP")
    assert sailing.step()["DESIRED_SPEED"] == 2
    assert sailing.step({"UP": "speed = 0.5"})["DESIRED_SPEED"] == 0.5


def test_every_parameter_has_a_test() -> None:
    common = {one.name for one in fields(CommonSettings)}
    own = {one.name for one in fields(ConstantSpeedSettings)} - common
    assert own | {"duration"} == shows.names
