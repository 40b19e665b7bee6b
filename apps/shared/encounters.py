"""Own vessel and scenarios of encounters, for the app that performs them and for suites of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from steerageway.vessel.colregs.scenario import Scenario as Scenario
from steerageway.vessel.colregs.scenario import read_scenarios as read_scenarios
from steerageway.vessel.colregs.scores import KEPT as KEPT
from steerageway.vessel.errors import InvalidValue as InvalidValue
from steerageway.vessel.tools.place import folder_of
from steerageway.world.document import read, read_if_there

LENGTH, SPEED = 4.0, 2.0  # of the shipped mission's vessel [m], [m/s]
FROUDE = 0.25  # passage speed of a vessel whose envelope has no speed, over sqrt(g length)
MOST_SPEED = 0.85  # passage speed, as a share of the end of the envelope's range of speeds
GRAVITY = 9.81  # m/s^2
WRITTEN = "written"
CONDUCTS = {
    WRITTEN: "as the file says of each",
    "stubborn": "course and speed kept",
    "rules": "as the rules say",
    "erratic": "at random, by the seed",
}
"""How the other vessels sail."""
NOISES = ("none", "ais", "radar")
"""Errors of what the own vessel hears of the others."""


@dataclass(frozen=True)
class Ship:
    """The own vessel.

    Attributes:
        name: of a folder of ``inputs/``; "" for the mission's own.
        length: [m]; speed: of its passage [m/s].
        path: its folder; None for the mission's own.
    """

    name: str = ""
    length: float = LENGTH
    speed: float = SPEED
    path: Path | None = None


def ship_of(name: str, speed: float | None) -> Ship:
    """Return the own vessel.

    Args:
        name: a vessel's name or folder; "" for the mission's own.
        speed: of its passage [m/s]; None: of its envelope, or by its length. Only of a named one.

    Raises:
        InvalidValue: there is no such vessel, or its files are wrong.
    """
    if not name:
        return Ship()
    path = folder_of(name)
    length = read(path / "geometry.yml").positive("length")
    envelope = read_if_there(path / "vessel.yml").section("envelope")
    fast = envelope.vector("speed", 2).tolist()[1] if "speed" in envelope else None
    usual = MOST_SPEED * fast if fast else FROUDE * (GRAVITY * length) ** 0.5
    return Ship(name, length, usual if speed is None else speed, path)
