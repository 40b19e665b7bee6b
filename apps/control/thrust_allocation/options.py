"""The block of ``pThrustAllocation``."""

from __future__ import annotations

from collections.abc import Iterator
from math import radians

from steerageway.bus import Config, Entry, Parameter
from steerageway.moos.values import is_number
from steerageway.vessel.control_allocation import AXES, Options, qp, read_axes
from steerageway.vessel.control_allocation.allocator import METHODS
from steerageway.vessel.errors import InvalidValue

PARAMETERS = (
    Parameter("vessel", "", "folder of the vessel's files, as the simulator's block names it"),
    Parameter("vessel_file", "", "one of them elsewhere, as thrusters = two.yml; one a line"),
    Parameter("vessel_override", "", "a value of these files, as inertia.mass = 60; one a line"),
    Parameter("peer_compat", "", "the reference whose own runs the files are to reproduce"),
    Parameter("axes", "", "surge, sway, heave, roll, pitch, yaw: those of the orders; all it has"),
    Parameter("method", "qp", "qp, weighted or pseudoinverse"),
    Parameter("weights", "", "cost of squared thrusts, as th_1=2, th_3=1; 1 each"),
    Parameter("slack", "", "weight of what is not met, as yaw=10, surge=1; 1 each"),
    Parameter("regularisation", "0.0001", "weight of all squared thrusts beside that, > 0"),
    Parameter("smoothing", "0", "weight of squared changes of thrust, >= 0"),
    Parameter("polygon", "16", "sides of the polygon within an azimuth's greatest thrust, >= 4"),
    Parameter("forbidden", "", "az_1 = 80:100: angles at which it must not push [deg]; one a line"),
    Parameter("fixed", "", "azimuths that stay at angle 0, as az_3, az_4"),
    Parameter("avoid_singular", "true", "idle azimuths turn to where all axes can be reached"),
    Parameter("tau_timeout", "2", "age at which an order counts as 0 [s], > 0"),
)


def read_options(config: Config) -> Options:
    """Read how forces are shared.

    Raises:
        ConfigError: a line is wrong.
    """
    slack = _pairs(config, "slack", "yaw=10, surge=1")
    for entry, name, _ in slack:
        if name not in AXES:
            raise Config.error(entry, f"{name}: expected degrees of freedom: {', '.join(AXES)}")
    given = {name: value for _, name, value in slack}
    sides = config.number("polygon", default=qp.SIDES, low=4.0)
    try:
        return Options(
            method=config.choice("method", default="qp", among=METHODS),
            slack=tuple(given.get(name, 1.0) for name in AXES),
            regularisation=config.number("regularisation", default=1e-4, above=0.0),
            smoothing=config.number("smoothing", default=0.0, low=0.0),
            sides=int(sides),
            avoid_singular=config.flag("avoid_singular", default=True),
        )
    except InvalidValue as error:
        raise Config.error(config.all("slack")[0], str(error)) from None


def read_wanted_axes(config: Config) -> tuple[int, ...]:
    """Read the orders' degrees of freedom; none: all that the thrusters reach."""
    entry = config.entry("axes")
    if entry is None:
        return ()
    try:
        return read_axes(entry.value)
    except InvalidValue as error:
        raise Config.error(entry, str(error)) from None


def read_weights(config: Config) -> dict[str, float]:
    """Read each thruster's cost."""
    return {name: value for _, name, value in _pairs(config, "weights", "th_1=2, th_3=1")}


def read_forbidden(config: Config) -> dict[str, list[tuple[float, float]]]:
    """Read the arcs in which azimuths must not push [rad]."""
    arcs: dict[str, list[tuple[float, float]]] = {}
    for entry in config.all("forbidden"):
        name, _, arc = (part.strip() for part in entry.value.partition("="))
        ends = [end.strip() for end in arc.split(":")]
        if len(ends) != 2 or not all(map(is_number, ends)):
            raise Config.error(entry, "expected AZIMUTH = FROM:TO [deg], as az_1 = 80:100")
        low, high = (radians(float(end)) for end in ends)
        arcs.setdefault(name, []).append((low, high))
    return arcs


def read_fixed(config: Config) -> list[str]:
    """Read the azimuths that stay where they are."""
    entry = config.entry("fixed")
    return [] if entry is None else [name.strip() for name in entry.value.split(",")]


def _pairs(config: Config, key: str, example: str) -> list[tuple[Entry, str, float]]:
    return [pair for entry in config.all(key) for pair in _read_pairs(entry, example)]


def _read_pairs(entry: Entry, example: str) -> Iterator[tuple[Entry, str, float]]:
    for part in entry.value.split(","):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if not is_number(value) or not float(value) > 0.0:
            raise Config.error(entry, f"expected names and numbers above zero, as {example}")
        yield entry, name, float(value)
