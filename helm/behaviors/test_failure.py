"""``BHV_TestFailure``: fail on purpose, to test the reaction of the helm and other apps.

Source: BHV_TestFailure of MOOS-IvP.
"""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.declarations import Number
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.settings import CommonSettings, SettingError, parameter
from steerageway.moos.values import split_first

CRASH = "crash"


def failure(text: str) -> str | float:
    """Read crash, or burn,SECONDS."""
    kind, seconds = split_first(text.lower(), ",")
    if kind == CRASH and not seconds:
        return CRASH
    if kind != "burn":
        raise ValueError("expected crash, or burn,SECONDS")
    return Number(low=0)(seconds)


@dataclass
class TestFailureSettings(CommonSettings):
    """The behavior's parameters."""

    __test__ = False  # keeps pytest from collecting it as a test

    failure_type: str | float | None = parameter(
        "",
        failure,
        "crash: raise an error; burn,SECONDS: block the helm for this time; required",
    )


class TestFailure(Behavior[TestFailureSettings]):
    """Raises an error in each iteration it runs, or blocks the helm for simulated seconds.

    The error leads to an all-stop. A blocked helm posts nothing until the time is over, then its
    decision; a standby helm may have taken over by then.
    """

    __test__ = False
    settings_class = TestFailureSettings

    def check(self, settings: TestFailureSettings, fields: frozenset[str]) -> None:
        if settings.failure_type is None:
            raise SettingError("failure_type", "", "expected crash, or burn,SECONDS")

    def run(self) -> None:
        if isinstance(self.settings.failure_type, float):
            self.world.burn(self.settings.failure_type)
        else:
            raise RuntimeError("failure_type = crash")
