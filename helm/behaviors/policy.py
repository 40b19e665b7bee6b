"""``BHV_Policy``: prefer the courses and speeds that a trained policy values.

The policy, an ONNX file, gives a value for each cell of a grid of courses and speeds; the helm then
weighs its objective function against those of other behaviors, which keep their say.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from steerageway.declarations import Number, Whole
from steerageway.declarations.values import finite
from steerageway.helm.behaviors.base import Behavior, BehaviorError
from steerageway.helm.behaviors.contact.utility import stretched
from steerageway.helm.policies import Policy, evaluate, load_onnx
from steerageway.helm.settings import CommonSettings, SettingError, parameter
from steerageway.ivp import Function
from steerageway.ivp.domain import FloatArray
from steerageway.moos.values import split_first

Observed = tuple[str, float]


def observation(text: str) -> tuple[Observed, ...]:
    """Read VARIABLE/DIVISOR, ...: the entries of an observation.

    Raises:
        ValueError: there is none, or a divisor is not a number other than 0.
    """
    found = []
    for part in text.split(",") if text.strip() else ():
        name, given = split_first(part, "/")
        divisor = finite(given) if given else 1.0
        if not name or not divisor:
            raise ValueError("expected VARIABLE or VARIABLE/DIVISOR, ...: a divisor other than 0")
        found.append((name, divisor))
    return tuple(found)


@dataclass
class PolicySettings(CommonSettings):
    """The behavior's parameters."""

    policy: str = parameter("", str.strip, "an .onnx file in the mission's folder; required")
    observe: tuple[Observed, ...] = parameter(
        "",
        observation,
        "entries of an observation: numeric variables, each divided: NAV_SPEED/3,WIND_DIR/180; "
        "required",
    )
    courses: int = parameter(
        "72", Whole(low=4, high=3600), "number of courses in the policy's grid, from 0 clockwise"
    )
    speeds: int = parameter(
        "1", Whole(low=1, high=1000), "number of its speeds, from 0 to the highest; 1: any speed"
    )
    patience: float = parameter(
        "5", Number(above=0), "age at which a value observed is too old [s]"
    )


class PolicyValues(Behavior[PolicySettings]):
    """Its utility of a course and speed is the policy's value, from 0 to 100.

    The values (courses x speeds, the speed varying fastest) are interpolated on the helm's domain.
    While a variable is missing, not a number, or too old, it has no objective function and warns.
    """

    settings_class = PolicySettings
    needs = ("course", "speed")

    def check(self, settings: PolicySettings, fields: frozenset[str]) -> None:
        for name in ("policy", "observe"):
            if not getattr(settings, name):
                raise SettingError(name, "", "required")
        if not fields & {"policy", "observe"}:
            return
        try:
            self._policy: Policy = load_onnx(self._file(settings), len(settings.observe))
        except ValueError as error:
            raise SettingError("policy", settings.policy, str(error)) from error

    def _file(self, settings: PolicySettings) -> Path:
        return self.world.folder / settings.policy

    def listens(self, settings: PolicySettings) -> Iterable[str]:
        return (*super().listens(settings), *(name for name, _ in settings.observe))

    def run(self) -> Function | None:
        s = self.settings
        seen = self._observed()
        if seen is None:
            return None
        try:
            values = evaluate(self._policy, seen, s.courses * s.speeds)
        except ValueError as error:
            raise BehaviorError(str(error)) from error
        grid = values.reshape(s.courses, s.speeds)
        return Function({("course", "speed"): stretched(self._on_domain(grid))})

    def _observed(self) -> FloatArray | None:
        found = []
        for name, divisor in self.settings.observe:
            value, age = self.world.number(name), self.world.age(name)
            if value is None or age is None or age > self.settings.patience:
                self.warn(f"no {name} within the last {self.settings.patience:g} s: no function")
                return None
            found.append(value / divisor)
        return np.array(found)

    def _on_domain(self, grid: FloatArray) -> FloatArray:
        """Return the grid (courses, speeds), interpolated on the decision variables' points."""
        domain, (courses, speeds) = self.world.domain, grid.shape
        course, speed = domain["course"], domain["speed"]
        places = np.asarray(course.values) / 360.0 * courses
        low = np.floor(places).astype(np.int64)
        share = (places - low)[:, None]
        rows = (1.0 - share) * grid[low % courses] + share * grid[(low + 1) % courses]
        if speeds == 1:
            return np.repeat(rows, speed.points, axis=1)
        along = np.asarray(speed.values) / speed.high * (speeds - 1)
        left = np.minimum(np.floor(along).astype(np.int64), speeds - 2)
        found: FloatArray = rows[:, left] + (along - left) * (rows[:, left + 1] - rows[:, left])
        return found
