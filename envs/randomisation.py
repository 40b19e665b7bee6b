"""Domain randomisation: what differs between episodes, declared in one table."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, inf, pi, sqrt
from typing import NamedTuple

import numpy as np
from gymnasium import error

from steerageway.diagnostics.nearest import did_you_mean
from steerageway.envs.kinematic import Kinematic
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.in_sea import in_sea
from steerageway.vessel.fossen.state import PSI, U_, Y_
from steerageway.vessel.fossen.variation import damping_terms, varied
from steerageway.vessel.tasks import Scale, wrapped
from steerageway.world.arrays import Floats, Whole
from steerageway.world.sea import Sea
from steerageway.world.sea_state import SeaState

Range = tuple[float, float]
FULLY_DEVELOPED = 5.0  # peak period over the root of the significant height [s/sqrt(m)]
LEAST_WAVES = 0.01  # [m]: below it the water is calm
FORCED = {"wind", "waves", "mass", "damping"}  # act by forces
VARIANTS = 16  # different models, and seas, of a batch at most


class Quantity(NamedTuple):
    """Something that is drawn uniformly from a range for each episode.

    Attributes:
        unit: of the range.
        usual: the value without randomisation.
        most: of the range.
        model: whether it changes the vessel's model: then it is drawn for at most ``VARIANTS``
            groups of a batch, whenever all its episodes begin.
        batch: whether only the batch engine has it.
    """

    unit: str
    usual: float = 0.0
    most: float = inf
    model: bool = False
    batch: bool = False


RANDOMISED: Mapping[str, Quantity] = {
    "offset": Quantity("L"),
    "turn": Quantity("deg", most=180.0),
    "speed": Quantity("U"),
    "current": Quantity("U"),
    "wind": Quantity("m/s", batch=True),
    "waves": Quantity("m", model=True, batch=True),
    "noise": Quantity("1"),
    "delay": Quantity("s", most=5.0),
    "lag": Quantity("s"),
    "mass": Quantity("1", usual=1.0, model=True, batch=True),
    "damping": Quantity("1", usual=1.0, model=True, batch=True),
}
"""Of ``docs/learning.md``: displacement, turn to either side and additional speed ahead of the
start that the task draws; speed of a current, of the full speed; of the wind; significant height
of waves; standard deviation of an observation's entries; dead time and time constant of orders;
factors of the mass and of each damping coefficient. Directions are uniform."""


def ranges_of(given: Mapping[str, Range]) -> dict[str, Range]:
    """Return the range of every quantity.

    Raises:
        gymnasium.error.Error: an unknown name, or no range.
    """
    found = {name: (one.usual, one.usual) for name, one in RANDOMISED.items()}
    for name, ends in given.items():
        if name not in RANDOMISED:
            raise error.Error(f"randomise = {name!r}: {did_you_mean(str(name), RANDOMISED)}")
        try:
            low, high = map(float, ends)
        except (TypeError, ValueError):
            problem = f"randomise[{name!r}] = {ends!r}: expected two numbers, low and high"
            raise error.Error(problem) from None
        most, unit = RANDOMISED[name].most, RANDOMISED[name].unit
        if not 0.0 <= low <= high <= most or high == inf:
            limit = "" if most == inf else f" <= {most:g}"
            raise error.Error(
                f"randomise[{name!r}] = {low}, {high}: expected 0 <= low <= high{limit} [{unit}]"
            )
        found[name] = (low, high)
    return found


def check_vessel(vessel: Dynamics | Kinematic, ranges: Mapping[str, Range], engine: str) -> None:
    """Check that a vessel and an engine have what is to be randomised.

    Raises:
        InvalidValue: they have not; the text says what would be right.
    """
    wanted = {name for name, one in RANDOMISED.items() if ranges[name] != (one.usual, one.usual)}
    for name in sorted(wanted):
        if RANDOMISED[name].batch and engine != "batch":
            raise InvalidValue(f"randomise {name}: expected engine = 'batch'")
    if isinstance(vessel, Kinematic):
        if forced := sorted(wanted & FORCED):
            raise InvalidValue(f"randomise {forced[0]}: {vessel.name} has no forces")
        return
    if "wind" in wanted and not vessel.feels_wind():
        raise InvalidValue(f"randomise wind: {vessel.name} has nothing that the wind moves")
    if "waves" in wanted and (vessel.floating is None or vessel.floating.waves == "none"):
        raise InvalidValue(f"randomise waves: {vessel.name} has no wave loads")
    if {"mass", "damping"} & wanted:
        damping_terms(vessel)


def variants(
    vessel: Dynamics, count: int, ranges: Mapping[str, Range], random: np.random.Generator
) -> list[Dynamics]:
    """Return the models of a batch of ``count`` vessels, each for an equal share of it in turn."""
    names = [name for name, one in RANDOMISED.items() if one.model]
    if all(ranges[name] == (RANDOMISED[name].usual,) * 2 for name in names):
        return [vessel]
    return [_variant(vessel, ranges, random) for _ in range(min(count, VARIANTS))]


def _variant(
    vessel: Dynamics, ranges: Mapping[str, Range], random: np.random.Generator
) -> Dynamics:
    if ranges["mass"] != (1.0, 1.0) or ranges["damping"] != (1.0, 1.0):
        factors = random.uniform(*ranges["damping"], damping_terms(vessel))
        vessel = varied(vessel, random.uniform(*ranges["mass"]), factors)
    if ranges["waves"][1] > 0.0:
        height, direction = random.uniform(*ranges["waves"]), random.uniform(0.0, 360.0)
        seed = int(random.integers(2**31))
        if height > LEAST_WAVES:
            period = FULLY_DEVELOPED * sqrt(height)
            state = SeaState("pm", Hs=height, Tp=period, direction=direction)
            sea = Sea.of([state], seed, depth=vessel.water_depth, density=vessel.density)
            vessel = in_sea(vessel, sea)
    return vessel


class Transmission:
    """Orders on their way to N vessels: a dead time in whole steps, then a lag of first order."""

    def __init__(self, count: int, orders: int, dt: float, longest: float) -> None:
        self._dt = dt
        self._sent = np.zeros((round(longest / dt) + 1, count, orders))  # the latest first
        self._late = np.zeros(count, np.int64)
        self._share = np.ones((count, 1))  # of the way to a new order that a step makes
        self._given = np.zeros((count, orders))
        self._rows = np.arange(count)

    def restart(self, which: Whole, delays: Floats, lags: Floats) -> None:
        """Forget the orders of some vessels, and set their dead times and lags (k,) [s]."""
        self._sent[:, which] = 0.0
        self._given[which] = 0.0
        self._late[which] = np.rint(delays / self._dt)
        shares = [1.0 if lag == 0.0 else 1.0 - exp(-self._dt / lag) for lag in lags.tolist()]
        self._share[which, 0] = shares

    def through(self, actions: Floats) -> Floats:
        """Return what arrives (N, orders) in the step in which ``actions`` are sent."""
        self._sent = np.roll(self._sent, 1, axis=0)
        self._sent[0] = actions
        arrived = self._sent[self._late, self._rows]
        self._given = self._given + self._share * (arrived - self._given)
        return self._given


def displace(
    x: Floats, ranges: Mapping[str, Range], scale: Scale, random: np.random.Generator
) -> None:
    """Change the starts (k, 12 + n) that a task has drawn by offset, turn and speed."""
    count = len(x)
    if ranges["offset"][1] > 0.0:
        x[:, : Y_ + 1] += scale.length * flow(random, count, ranges["offset"])
    if ranges["turn"][1] > 0.0:
        turn = np.radians(random.uniform(*ranges["turn"], count))
        x[:, PSI] = wrapped(x[:, PSI] + turn * random.choice((-1.0, 1.0), count))
    if ranges["speed"][1] > 0.0:
        x[:, U_] += scale.speed * random.uniform(*ranges["speed"], count)


def flow(random: np.random.Generator, count: int, speeds: Range) -> Floats:
    """Return velocities (count, 2), north and east, of speeds of a range in any direction."""
    if speeds[1] == 0.0:
        return np.zeros((count, 2))
    speed, towards = random.uniform(*speeds, count), random.uniform(-pi, pi, count)
    return np.stack((speed * np.cos(towards), speed * np.sin(towards)), axis=-1)
