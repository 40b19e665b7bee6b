"""Manoeuvring trials for the page: figures with units, and charts of the relevant quantities."""

from __future__ import annotations

from math import cos, radians, sin
from pathlib import Path
from typing import Any, NamedTuple

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import load, read_folder
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.state import U_
from steerageway.vessel.tools.manoeuvres import Trials, imo_limits, unit_of


class Curve(NamedTuple):
    """A curve over time: a column of the trial's series, the chart's title and axis label."""

    column: str
    title: str
    axis: str


U = Curve("u", "Speed", "u [m/s]")
HEADING = Curve("psi", "Heading", "heading [°]")
TURN = Curve("r", "Rate of turn", "r [°/s]")
ROLL = Curve("phi", "Roll", "roll [°]")
PITCH = Curve("theta", "Pitch", "pitch [°]")
HEAVE = Curve("z", "Heave", "z [m]")
TRACK = "track"
CURVES: dict[str, tuple[Curve | str, ...]] = {
    "acceleration": (U,),
    "stop": (U,),
    "crash_stop": (U, TRACK),
    "turning_circle": (TRACK, U),
    "zigzag_10": (HEADING, TURN),
    "zigzag_20": (HEADING, TURN),
    "thrust_step": (U,),
    "rudder_step": (TURN,),
    "roll_decay": (ROLL,),
    "waves": (HEAVE, ROLL, PITCH),
}
"""The charts of each trial."""


def trial(folder: Path, kind: str) -> dict[str, Any]:
    """Run a trial; return its ``figures``, each [name, value, unit, limit], and its ``charts``.

    The limits are IMO's, of a surface vessel whose length is known; else None.

    Raises:
        InvalidValue: there is no such trial, the files are not valid, or the vessel cannot
            complete it.
    """
    trials = Trials(load(folder))
    events = trials.events([kind])
    result = next(event for event in events if event["event"] == "result")
    if "without" in result:
        raise InvalidValue(f"{kind.replace('_', ' ')}: none: {result['without']}")
    series, limits = result["series"], _limits(folder, trials)
    return {
        "figures": [
            [name.replace("_", " "), float(value), unit_of(kind, name), limits.get((kind, name))]
            for name, value in result["figures"].items()
        ],
        "charts": [_chart(curve, series) for curve in CURVES[kind]],
    }


def _limits(folder: Path, trials: Trials) -> dict[tuple[str, str], float]:
    """Return IMO's limits by trial and figure; {} for what is no ship, or of unknown length."""
    vessel, geometry = trials.vessel, read_folder(folder)["geometry"]
    afloat = vessel.floating is not None or vessel.envelope.draught is not None
    if not (afloat and geo.LENGTH in geometry and trials.orders.rudder.any()):
        return {}
    speed = float(trials.cruise[U_])
    return imo_limits(geometry.positive(geo.LENGTH), speed) if speed > 0.0 else {}


def _chart(curve: Curve | str, series: dict[str, list[float]]) -> dict[str, Any]:
    if isinstance(curve, Curve):
        points = [list(pair) for pair in zip(series["t"], series[curve.column], strict=True)]
        curves = [{"name": curve.axis, "points": points}]
        return {"title": curve.title, "x": "t [s]", "y": curve.axis, "curves": curves}
    x0, y0, course = series["x"][0], series["y"][0], radians(series["psi"][0])
    points = []
    for x, y in zip(series["x"], series["y"], strict=True):
        ahead = (x - x0) * cos(course) + (y - y0) * sin(course)
        aside = (y - y0) * cos(course) - (x - x0) * sin(course)
        points.append([aside, ahead])
    curves = [{"name": "track", "points": points}]
    axes = {"title": "Track", "x": "starboard [m]", "y": "ahead [m]", "equal": True}
    return {**axes, "curves": curves}
