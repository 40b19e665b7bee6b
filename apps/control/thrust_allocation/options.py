"""Parameters of ``pThrustAllocation``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import radians

from steerageway.bus import Config, Entry, Options, declare
from steerageway.moos.values import is_number
from steerageway.vessel.control_allocation import AXES, qp, read_axes
from steerageway.vessel.control_allocation import Options as Settings
from steerageway.vessel.control_allocation.allocator import METHODS
from steerageway.vessel.errors import InvalidValue


def _fixed(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


@dataclass(frozen=True)
class AllocationOptions(Options):
    """Parameters of the configuration block; ``read_vessel`` reads the vessel's files."""

    vessel: str = declare.text("", "folder of the vessel's files, as in the simulator's block")
    vessel_file: tuple[Entry, ...] = declare.entries(
        "another file instead of one of them, as thrusters = two.yml"
    )
    vessel_override: tuple[Entry, ...] = declare.entries(
        "a value instead of one in these files, as inertia.mass = 60"
    )
    peer_compat: str = declare.text("", "the reference whose own runs the files are to reproduce")
    axes: tuple[int, ...] | None = declare.value(
        "", read_axes, "allocated: surge, sway, heave, roll, pitch, yaw; default: all controllable"
    )
    method: str = declare.choice("qp", dict.fromkeys(METHODS, ""))
    weights: tuple[Entry, ...] = declare.entries(
        "weights of squared thrusts, as th_1=2, th_3=1; default 1 each"
    )
    slack: tuple[Entry, ...] = declare.entries(
        "weights of unmet forces, as yaw=10, surge=1; default 1 each"
    )
    regularisation: float = declare.number(
        1e-4, "common weight of the squared thrusts, relative to slack", above=0
    )
    smoothing: float = declare.number(0, "weight of squared changes of thrust", low=0)
    polygon: float = declare.number(
        qp.SIDES, "sides of the polygon that approximates an azimuth's thrust limit", low=4
    )
    forbidden: tuple[Entry, ...] = declare.entries(
        "az_1 = 80:100: forbidden angles of its thrust [deg]"
    )
    fixed: tuple[str, ...] | None = declare.value(
        "", _fixed, "azimuths kept at angle 0, as az_3, az_4"
    )
    avoid_singular: bool = declare.flag(True, "turn idle azimuths out of singular configurations")
    tau_timeout: float = declare.number(2, "age at which a TAU_* is taken as 0", unit="s", above=0)


def settings(options: AllocationOptions) -> Settings:
    """Return the settings of the allocator.

    Raises:
        ConfigError: a line is wrong.
    """
    slack = _pairs(options.slack, "yaw=10, surge=1")
    for entry, name, _ in slack:
        if name not in AXES:
            raise Config.error(entry, f"{name}: expected degrees of freedom: {', '.join(AXES)}")
    given = {name: value for _, name, value in slack}
    try:
        return Settings(
            method=options.method,
            slack=tuple(given.get(name, 1.0) for name in AXES),
            regularisation=options.regularisation,
            smoothing=options.smoothing,
            sides=int(options.polygon),
            avoid_singular=options.avoid_singular,
        )
    except InvalidValue as error:
        raise Config.error(options.slack[0], str(error)) from None


def read_weights(lines: Iterable[Entry]) -> dict[str, float]:
    """Return the weight of each named thruster."""
    return {name: value for _, name, value in _pairs(lines, "th_1=2, th_3=1")}


def read_forbidden(lines: Iterable[Entry]) -> dict[str, list[tuple[float, float]]]:
    """Return the forbidden arcs of each named azimuth [rad]."""
    arcs: dict[str, list[tuple[float, float]]] = {}
    for entry in lines:
        name, _, arc = (part.strip() for part in entry.value.partition("="))
        ends = [end.strip() for end in arc.split(":")]
        if len(ends) != 2 or not all(map(is_number, ends)):
            raise Config.error(entry, "expected AZIMUTH = FROM:TO [deg], as az_1 = 80:100")
        low, high = (radians(float(end)) for end in ends)
        arcs.setdefault(name, []).append((low, high))
    return arcs


def _pairs(lines: Iterable[Entry], example: str) -> list[tuple[Entry, str, float]]:
    return [pair for entry in lines for pair in _read_pairs(entry, example)]


def _read_pairs(entry: Entry, example: str) -> Iterator[tuple[Entry, str, float]]:
    for part in entry.value.split(","):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if not is_number(value) or not float(value) > 0.0:
            raise Config.error(entry, f"expected names and numbers above zero, as {example}")
        yield entry, name, float(value)
