"""Manoeuvring trials as functions: figures, columns as arrays, and IMO's criteria beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from steerageway.control.libraries import LibraryMissing
from steerageway.control.plant import check_vessel
from steerageway.diagnostics.progress import Bar
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.tools.manoeuvres import NAMES, Trials, imo_limits
from steerageway.world import pictures
from steerageway.world.arrays import Floats

UNITS = {
    **dict.fromkeys(("advance", "tactical_diameter", "initial_turning", "track_reach"), "m"),
    **dict.fromkeys(("first_overshoot", "second_overshoot"), "deg"),
}


class Trial(NamedTuple):
    """A trial: figures by name [SI, deg], columns (n,) by name as ``t`` and ``psi`` [SI, deg].

    ``without``: why the vessel has no such trial; else "".
    """

    name: str
    figures: dict[str, float]
    columns: dict[str, Floats]
    without: str = ""

    def frame(self) -> Any:
        """Return the columns as a ``pandas.DataFrame``.

        Raises:
            LibraryMissing: pandas is not installed.
        """
        try:
            import pandas
        except ImportError:
            raise LibraryMissing("pandas is missing: pip install pandas") from None
        return pandas.DataFrame(self.columns)

    def show(self) -> pictures.Picture:
        """Return a picture of its track, speed and yaw rate, which a notebook draws.

        Raises:
            InvalidValue: the vessel has no such trial.
            MatplotlibMissing: it is not installed.
        """
        if not self.columns:
            raise InvalidValue(f"{self.name}: nothing to draw: {self.without}")
        figure, ((plan, speed, rate),) = pictures.panels(1, 3, (10.0, 3.4))
        plan.plot(self.columns["y"], self.columns["x"], color=pictures.BLUE)
        plan.set_aspect("equal", "datalim")
        plan.set_title(self.name, loc="left")
        for panel, name in ((speed, "u"), (rate, "r")):
            panel.plot(self.columns["t"], self.columns[name], color=pictures.BLUE)
        for panel, x, y in (
            (plan, "y, east [m]", "x, north [m]"),
            (speed, "time [s]", "speed ahead u [m/s]"),
            (rate, "time [s]", "yaw rate r [deg/s]"),
        ):
            panel.set_xlabel(x)
            panel.set_ylabel(y)
            panel.grid(visible=True, alpha=0.25)
        return pictures.Picture(figure)


class Criterion(NamedTuple):
    """One criterion of IMO: what was found, and the limit, in the same unit."""

    name: str
    found: float
    limit: float
    unit: str

    @property
    def met(self) -> bool:
        """Whether it is met."""
        return self.found <= self.limit


def run_trials(
    vessel: Dynamics,
    names: Sequence[str] = NAMES,
    *,
    sea_state: int = 3,
    progress: Callable[[str, float], None] | bool = False,
) -> dict[str, Trial]:
    """Return trials by name: those of ``steerageway vessel trials``, ``spiral`` and ``pull_out``.

    Args:
        vessel: of any model. names: of the trials. sea_state: of the trial ``waves``.
        progress: show a bar, on a terminal or in a notebook; or a function, which is called before
            each trial with its name and the share that is done.

    Raises:
        InvalidValue: there is no trial of a name.
    """
    check_vessel(vessel, "run_trials")
    found = {}
    with Bar() as bar:
        told = progress if callable(progress) else bar if progress else None
        for event in Trials(vessel, sea_state).events(names):
            if event["event"] == "progress" and told is not None:
                told(event["trial"], event["share"])
            if event["event"] == "result":
                columns = {key: np.array(column) for key, column in event["series"].items()}
                without = event.get("without", "")
                found[event["trial"]] = Trial(event["trial"], event["figures"], columns, without)
        if told is bar:
            bar("done", 1.0)
    return found


def imo(trials: dict[str, Trial], length: float, speed: float) -> list[Criterion]:
    """Return the criteria that some trials decide, of ships of 100 m and more.

    Args:
        trials: any of ``turning_circle``, ``zigzag_10``, ``zigzag_20`` and ``crash_stop``.
        length: between perpendiculars [m]. speed: of the approach [m/s].

    Raises:
        InvalidValue: length or speed are not positive.

    Source: IMO resolution MSC.137(76), Standards for ship manoeuvrability, section 5.3.
    """
    limits = imo_limits(length, speed)
    return [
        Criterion(f"{trial} {figure}", trials[trial].figures[figure], limit, UNITS[figure])
        for (trial, figure), limit in limits.items()
        if trial in trials and figure in trials[trial].figures
    ]
