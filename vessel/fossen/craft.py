"""Adapter of a Fossen vessel to ``vessel.craft.Craft``: marine convention outside, NED inside.

from steerageway.vessel.craft import Craft
from steerageway.vessel.fossen.craft import FossenModel
from steerageway.vessel.fossen.folder import load

otter = FossenModel(load("inputs/otter"), time_step=0.02)
craft = Craft(otter, otter.start)
craft.inputs.thrust = 40
craft.advance(10.0)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import hypot, isfinite, radians
from typing import NamedTuple, Unpack

import numpy as np

from steerageway.geometry.marine import bearing, components, heading_of
from steerageway.vessel.contact import BOTTOM, Surfaces
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.commands import ActuatorMap, orders_in
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.state import (
    CURRENT_E,
    CURRENT_N,
    NU,
    TIME,
    U_,
    WATER_DEPTH,
    WIND_E,
    WIND_N,
)
from steerageway.vessel.fossen.time_step_limit import fastest_mode
from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.vessel.model import Inputs, Motion, Tuning, VesselModel
from steerageway.world.arrays import Floats
from steerageway.world.constants import NANO

X, Y, Z, PHI, THETA, PSI = range(6)


class FossenState(NamedTuple):
    """State of a Fossen vessel between steps.

    Attributes:
        x: (12 + n,) eta, nu and actuators, see ``vessel.fossen.dynamics``.
        late: time since the last grid point: less than a step [ns].
        ahead: part of that time already included in x [ns].
        water: (3,) the current in NED [m/s].
        adrift: nu is still relative to the water: the current is added in the first step.
        rudder: present order [%].
        aground: the keel touches the bottom.
        bank: energy that contact may still return [J], see ``vessel.contact``.
        touching: objects in contact, each with depth of penetration [m] and speed [m/s].
        trail: (steps, 2, 12 + n) states of the last advance at grid points, and their rates.
    """

    x: Floats
    late: int = 0
    water: Floats = np.zeros(3)
    adrift: bool = True
    rudder: float = 0.0
    trail: Floats = np.empty((0, 2, 0))
    ahead: int = 0
    aground: bool = False
    waves: Floats | None = None
    bank: float = 0.0
    touching: tuple[tuple[str, float, float], ...] = ()

    @property
    def seen(self) -> Floats:
        """Return x with the wave motion added."""
        if self.waves is None:
            return self.x
        shown = self.x.copy()
        shown[: len(self.waves)] += self.waves
        return shown


class FossenModel(VesselModel[FossenState]):
    """Steps a vessel on a grid of whole time steps, independent of the intervals of advances.

    Attributes:
        vessel: the vessel.
        period: time step [ns].
        mapping: map from orders to commands, used unless ``Inputs.commands`` is given.
        surfaces: objects it may touch; None: only the bottom, on which it stands.

    Raises:
        InvalidValue: a mode of hull or actuators is too fast for the time step: Runge-Kutta would
            be unstable.
    """

    def __init__(
        self, vessel: Dynamics, time_step: float = 0.02, mapping: ActuatorMap | None = None
    ) -> None:
        mode = fastest_mode(vessel)
        if time_step > mode.limit and not vessel.adaptive:
            value = f"{mode.value.real:.3g} ± {abs(mode.value.imag):.3g}i"
            raise InvalidValue(
                f"{vessel.name} has a mode of {value} 1/s {mode.where}, mostly in {mode.name}: too "
                f"fast for steps of {time_step:g} s, in which it would grow; expected a time_step "
                f"of {mode.limit:.3g} s or less, or adaptive steps"
            )
        self.vessel = vessel
        self.period = round(time_step * NANO)
        self.mapping = mapping or orders_of(vessel)
        self.surfaces: Surfaces | None = None
        self._around = vessel.surroundings()

    @property
    def start(self) -> FossenState:
        """Return the initial state of a run."""
        return FossenState(self.vessel.initial.copy())

    def step(self, state: FossenState, inputs: Inputs, dt: float) -> FossenState:
        """Return the state ``dt`` seconds later, at the last grid point within that time.

        Raises:
            NotFinite, OutsideEnvelope: with the last good state.
        """
        steps, late = divmod(state.late + max(0, round(dt * NANO)), self.period)
        if steps == 0:
            return state._replace(late=late, trail=state.trail[:0])
        trail, end = state.trail[:0], round(inputs.time * NANO) - late
        # complete the partial step that ``settled`` took from the last grid point
        if state.ahead:
            first = end - (steps - 1) * self.period
            state = self._stepped(state, inputs, self.period - state.ahead, 1, first)
            trail, steps = state.trail, steps - 1
        if steps:
            state = self._stepped(state, inputs, self.period, steps, end)
            trail = np.concatenate((trail, state.trail)) if len(trail) else state.trail
        return state._replace(late=late, ahead=0, trail=trail)

    def settled(self, state: FossenState, inputs: Inputs) -> FossenState:
        """Return the state at the present instant, by an extra step from the last grid point.

        Orders act from their own instants; the grid points are unchanged.

        Raises: as ``step``.
        """
        if state.ahead == state.late:
            return state
        trail = state.trail
        now = round(inputs.time * NANO)
        state = self._stepped(state, inputs, state.late - state.ahead, 1, now)
        return state._replace(ahead=state.late, trail=trail)

    def _stepped(
        self, state: FossenState, inputs: Inputs, step: int, steps: int, end: int
    ) -> FossenState:
        """Take some steps [ns] that end at the instant ``end``; the result has their trail."""
        around = self._surroundings(inputs)
        around[TIME] = (end - steps * step) / NANO
        water = around[CURRENT_N : CURRENT_E + 2].copy()
        x = state.x.copy()
        if state.adrift:
            x[6:9] += eul_to_rotm(x[3:6]).T @ water
        x[PSI] += radians(inputs.rotate_speed) * steps * step / NANO
        commands = inputs.commands
        command = self.mapping.commands(*orders_in(inputs)) if commands is None else commands
        dt, at, depth = step / NANO, float(around[TIME]), float(around[WATER_DEPTH])
        surfaces = self.surfaces
        if surfaces is not None and surfaces.near(x, at, steps * dt, depth):
            trail, state = self._among(surfaces, state, x, command, around, dt, steps)
        else:
            trail = self.vessel.trace(x, command, around, dt, steps)
            state = state._replace(bank=0.0, touching=()) if state.touching else state
        aground = any(what == BOTTOM for what, _, _ in state.touching)
        if inputs.water_depth is None and isfinite(self.vessel.water_depth):
            inputs = replace(inputs, water_depth=self.vessel.water_depth)
        if not self._afloat(x, trail, inputs):
            trail, stands = self._on_the_ground(x, command, around, inputs, dt, steps)
            if stands and not aground and surfaces is not None and surfaces.bottom_counts:
                speed = float(np.linalg.norm(x[6:9]))
                state = state._replace(touching=(*state.touching, (BOTTOM, 0.0, speed)))
            aground = aground or stands
        x, waves, motion = trail[-1, 0], None, self.vessel.wave_motion
        if motion is not None:
            times = (end - step * np.arange(steps - 1, -1, -1)) / NANO
            trail = motion.added(trail, times)
            waves = trail[-1, 0, :12] - x[:12]
        return state._replace(
            x=x,
            water=water,
            adrift=False,
            rudder=inputs.rudder,
            trail=trail,
            aground=aground,
            waves=waves,
        )

    def _keel(self) -> float:
        """Return the depth below CO [m] at which the vessel stands on the ground.

        Where contact with the bottom exerts forces, that of CO: no force holds it off a cliff.
        """
        surfaces = self.surfaces
        forced = surfaces is not None and surfaces.bottom_counts and not surfaces.ends_aground
        return 0.0 if forced else self.vessel.envelope.draught or 0.0

    def _met(self, x: Floats, end: Floats, inputs: Inputs) -> tuple[float, float] | None:
        """Return where a step from x meets the ground, see ``Inputs.grounding``; None: nowhere."""
        keel = float(end[Z]) + self._keel()
        return inputs.grounding((x[Y], x[X]), (end[Y], end[X]), keel)

    def _afloat(self, x: Floats, trail: Floats, inputs: Inputs) -> bool:
        """Whether a trail from x meets no ground."""
        if inputs.bottom is None:
            return self._met(x, trail[trail[:, 0, Z].argmax(), 0], inputs) is None
        places = np.vstack((x[:3], trail[:, 0, :3]))
        south, west, _ = places.min(0).tolist()
        north, east, down = places.max(0).tolist()
        if inputs.bottom.clears((west, south, east, north), down + self._keel(), inputs.time):
            return True
        return all(self._met(*step, inputs) is None for step in pairwise((x, *trail[:, 0])))

    def _on_the_ground(
        self,
        x: Floats,
        command: Sequence[float] | Floats,
        around: Floats,
        inputs: Inputs,
        dt: float,
        steps: int,
    ) -> tuple[Floats, bool]:
        """Step one by one: a vessel whose keel touches stands still, until forces lift it off.

        It does not sink into the ground, and ground that rises below it does not lift it.

        Returns: the trail, and whether it touches at the end.
        """
        rows, found, around = [], None, around.copy()
        for _ in range(steps):
            row = self.vessel.trace(x, command, around, dt, 1)
            around[TIME] += dt
            end = row[0, 0]
            found = self._met(x, end, inputs)
            if found is not None:
                met, ground = found
                end[:2] = x[:2] + met * (end[:2] - x[:2])
                end[Z] = min(end[Z], max(x[Z], ground - self._keel()))
                end[NU], end[3:6] = 0.0, x[3:6]
                row[0, 1, :12] = 0.0
            rows.append(row)
            x = end.copy()
        return np.concatenate(rows), found is not None

    def _among(
        self,
        surfaces: Surfaces,
        state: FossenState,
        x: Floats,
        command: Sequence[float] | Floats,
        around: Floats,
        dt: float,
        steps: int,
    ) -> tuple[Floats, FossenState]:
        """Step one by one near objects: each step ends with the impulses of contact.

        Returns: the trail, and the state with its bank and contacts at the end.
        """
        rows, depth, around = [], float(around[WATER_DEPTH]), around.copy()
        bank, touching = state.bank, state.touching
        for _ in range(steps):
            row = self.vessel.trace(x, command, around, dt, 1)
            around[TIME] += dt
            x = row[0, 0].copy()
            touches = surfaces.touches(x, float(around[TIME]), depth)
            touching = surfaces.told(x, touches)
            if touches:
                nu, bank = surfaces.pushed(x, touches, bank, dt)
                row[0, 1, NU] += (nu - x[NU]) / dt
                row[0, 0, NU] = x[NU] = nu
                row[0, 0, :3] += surfaces.eased(x, touches, dt)
                x = row[0, 0].copy()
            else:
                bank = 0.0
            rows.append(row)
        return np.concatenate(rows), state._replace(bank=bank, touching=touching)

    def left(self, state: FossenState, inputs: Inputs) -> Iterator[tuple[str, str]]:
        """Return each limit of the vessel's envelope that a state exceeds, with a description."""
        x = state.x
        water = np.zeros(3) if state.adrift else eul_to_rotm(x[3:6]).T @ state.water
        u, v, w = (x[6:9] - water).tolist()
        depth = self.depth(inputs)
        yield from self.vessel.envelope.left(float(x[Z]), float(x[PHI]), (u, v, w), depth)

    def depth(self, inputs: Inputs) -> float:
        """Return the water depth [m]: of the inputs, else of the vessel's files; inf if unknown."""
        depth = inputs.water_depth
        return self.vessel.water_depth if depth is None else depth

    def motion(self, state: FossenState) -> Motion:
        """Return the observable motion of a state; the depth is not negative."""
        x = state.seen
        R = eul_to_rotm(x[3:6])
        water = R.T @ state.water
        drift = state.water if state.adrift else np.zeros(3)
        north, east = (R @ x[6:9] + drift)[:2].tolist()
        return Motion(
            x=float(x[Y]),
            y=float(x[X]),
            heading=heading_of(float(x[PSI])),
            speed=float(x[U_] if state.adrift else x[U_] - water[0]),
            depth=max(0.0, float(x[Z])),
            pitch=float(x[THETA]),
            heading_over_ground=bearing(east, north),
            speed_over_ground=hypot(east, north),
            rudder=state.rudder,
            aground=state.aground,
        )

    def placed(self, state: FossenState, **pose: float) -> FossenState:
        """Return the state with some of x, y, heading, speed and depth replaced.

        Speed is ahead and through the water; attitude is then that of the start, without rates.
        """
        moved = state.x.copy()
        for key, value in pose.items():
            if key == "heading":
                moved[PSI] = radians(value)
            elif key == "speed":
                moved[NU] = [value, 0, 0, 0, 0, 0]
                moved[[PHI, THETA]] = self.vessel.initial[[PHI, THETA]]
            else:
                moved[{"x": Y, "y": X, "depth": Z}[key]] = value
        return state._replace(x=moved, adrift=state.adrift or "speed" in pose, waves=None)

    def tuned(self, **values: Unpack[Tuning]) -> VesselModel[FossenState]:
        """Reject any tuning: the vessel's files define it.

        Raises:
            InvalidValue: always.
        """
        raise InvalidValue(f"{', '.join(values)}: without effect on a Fossen vessel")

    def _surroundings(self, inputs: Inputs) -> Floats:
        around = self._around.copy()
        around[CURRENT_N], around[CURRENT_E] = inputs.drift.y, inputs.drift.x
        if inputs.wind is not None:
            east, north = components(inputs.wind.direction + 180.0, inputs.wind.speed)
            around[WIND_N], around[WIND_E] = north, east
        around[WATER_DEPTH] = self.depth(inputs)
        return around
