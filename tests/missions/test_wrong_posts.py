"""Apps with invalid posts get warnings, and the vessel is not affected."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import Any

import pytest

ALPHA = Path(__file__).parents[2] / "missions" / "alpha"
COMPLETE = ("--until", "MISSION = complete", "--for", "400", "--placement", "one", "--warp", "max")

MEDDLER = """
from steerageway.bus import App


class Meddler(App):
    publishes = ("DESIRED_RUDDER", "NAV_X")

    def iterate(self):
        self.post({name!r}, {value})
"""


@pytest.fixture
def meddled(tmp_path: Path) -> Callable[[str, str], Path]:
    """Return alpha with an app that keeps posting a value to a variable."""

    def make(name: str, value: str) -> Path:
        for file in ("alpha.moos", "alpha.bhv"):
            text = (ALPHA / file).read_text()
            last = "  Run = pRealm\n"
            (tmp_path / file).write_text(text.replace(last, f"{last}  Run = meddler:Meddler\n"))
        (tmp_path / "meddler.py").write_text(MEDDLER.format(name=name, value=value))
        return tmp_path

    return make


@pytest.mark.slow
@pytest.mark.parametrize("value", ['float("nan")', 'float("inf")', '-float("inf")'])
def test_a_number_that_is_not_finite_never_reaches_the_vessel(
    value: str, meddled: Callable[[str, str], Path], launch: Callable[..., Any]
) -> None:
    ended = launch(meddled("DESIRED_RUDDER", value), *COMPLETE)
    assert ended.code == 0, ended.said
    (warning,) = ended.summary["apps"]["Meddler"]["run_warnings"]
    assert "DESIRED_RUDDER" in warning
    assert "not a finite number" in warning
    assert ended.summary["refused"] > 100
    positions = [entry.value for entry in ended.entries() if entry.name in ("NAV_X", "NAV_Y")]
    assert all(isfinite(float(position)) for position in positions)


@pytest.mark.slow
def test_a_clash_of_types_is_refused_and_reported_to_the_poster(
    meddled: Callable[[str, str], Path], launch: Callable[..., Any]
) -> None:
    ended = launch(meddled("NAV_X", "'somewhere'"), *COMPLETE)
    assert ended.code == 0, ended.said
    (warning,) = ended.summary["apps"]["Meddler"]["run_warnings"]
    assert warning == "NAV_X = 'somewhere': refused, this variable is a number"
    assert {type(e.value) for e in ended.entries() if e.name == "NAV_X"} == {float}


@pytest.mark.slow
def test_a_value_the_bus_does_not_carry_ends_the_run(
    meddled: Callable[[str, str], Path], launch: Callable[..., Any]
) -> None:
    ended = launch(meddled("DESIRED_RUDDER", "True"), *COMPLETE)
    assert ended.code == 1
    assert "DESIRED_RUDDER = True: a bool cannot be posted" in ended.said
