"""Whole missions, each with one vessel, stepped in lockstep: the batch's state, by every app."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from gymnasium import error

from steerageway.geometry.marine import heading_of
from steerageway.launcher import Case, LaunchError, Mission, MissionFailed
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import chosen
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.state import PSI, STATE_NAMES, U_, X_, Y_, Z_
from steerageway.vessel.fossen.time_step_limit import steps_within
from steerageway.world.arrays import Flags, Floats, Whole

STATE = "USM_STATE"
WAITED = 60.0  # time in which a mission's simulator posts a first state [s]
ALONE = """Community = learner
LatOrigin = 0
LongOrigin = 0
ProcessConfig = ANTLER
{{
  Run = MOOSDB
  Run = uSimMarineV22
}}
ProcessConfig = uSimMarineV22
{{
  AppTick   = {rate:.12g}
  model     = fossen
  vessel    = {vessel}
  time_step = {step:.12g}
}}
"""


class Missions:
    """N missions with a vessel each, stepped as ``Batch`` steps its vessels.

    Orders are posted to the mission, and act from its next instant: with a simulator alone, one
    step later than in ``Batch``.

    Attributes:
        x, orders, dt, steps, vessel: as those of ``Batch``.
    """

    def __init__(
        self,
        vessel: Dynamics,
        count: int,
        dt: float,
        name: str | Path,
        mission: str | Path | None,
        options: Mapping[str, object],
    ) -> None:
        """Build the missions; nothing runs yet.

        Args:
            vessel: the vessel. count: N. dt: simulated time of a step [s].
            name: folder of the vessel, or its name.
            mission: file, folder or name of a mission whose first community simulates the vessel
                with ``model = fossen``, and the lines of its block; None: one with a simulator
                alone.
            options: of each ``Mission``.

        Raises:
            InvalidValue: the mission is not valid.
        """
        self.dt = dt
        self._begun, self._done = np.zeros(count), np.zeros(count, np.int64)
        with TemporaryDirectory() as folder:
            file = Path(folder) / "learner.moos"
            step = dt / steps_within(vessel, dt)
            text = ALONE.format(rate=1.0 / dt, vessel=chosen(name).folder, step=step)
            file.write_text(text)
            try:
                self.missions = [Mission(mission or file, **options) for _ in range(count)]
            except LaunchError as wrong:
                raise InvalidValue(str(wrong)) from None
        if mission is not None:
            name, vessel = vessel.name, self.missions[0].vessel(self.missions[0].communities[0])
            if vessel is None or vessel.name != name:
                expected = f"uSimMarineV22 with model = fossen and vessel = {name}"
                raise InvalidValue(f"mission = {mission}: expected {expected}")
        self.vessel, self.steps = vessel, steps_within(vessel, dt)
        self._full = orders_of(vessel).full_orders
        self.orders = list(self._full)
        self.x = np.tile(vessel.initial, (count, 1))
        self._names = (*STATE_NAMES, *vessel.state_names[len(STATE_NAMES) :])

    def step(self, actions: Floats) -> Flags:
        """Run every mission on by ``dt`` and return which failed or are over; they keep states.

        Args:
            actions: (N, orders) from -1 to 1.
        """
        failed = np.zeros(len(self.x), np.bool_)
        self._done += 1
        for i, (mission, action) in enumerate(zip(self.missions, actions, strict=True)):
            try:
                for (order, most), share in zip(self._full.items(), action.tolist(), strict=True):
                    self._post(i, f"DESIRED_{order.upper()}", share * most)
                failed[i] = not mission.run_until(self._begun[i] + self._done[i] * self.dt)
                self.x[i] = self._state(i)
            except MissionFailed:
                failed[i] = True
        return failed

    def restart(
        self, which: Whole, x: Floats, current: Floats, wind: Floats, random: np.random.Generator
    ) -> None:
        """Begin a case of some missions with the vessel in a pose and speed.

        The episode begins when the simulator posts its first state.

        Args:
            which: (k,) indices.
            x: (k, 12 + n) of which position, heading and speed ahead through the water are used;
                z of underwater vehicles.
            current: (k, 2) to north and east [m/s]; zeros: that of the mission.
            wind: not used: that of the mission.
            random: draws the cases' seeds.

        Raises:
            gymnasium.error.Error: it fails, or posts no states of this vessel.
        """
        for i, state, flow in zip(which.tolist(), x, current, strict=True):
            first: dict[str, float | str] = {"USM_RESET": _pose(state, self.vessel.initial[Z_])}
            if flow.any():
                first |= {"DRIFT_Y": float(flow[0]), "DRIFT_X": float(flow[1])}
            place = self.missions[i].communities[0]
            keys = {f"{place}:{key}": value for key, value in first.items()}
            try:
                self.missions[i].reset(Case(seed=int(random.integers(2**31)), first=keys))
                while not self._posted(i) and self.missions[i].time < WAITED:
                    if not self.missions[i].step():
                        break
            except MissionFailed as failed:
                raise error.Error(str(failed)) from None
            if not self._posted(i):
                raise error.Error(
                    f"the mission posts no {STATE} in {WAITED:g} s: expected uSimMarineV22 with "
                    f"model = fossen and vessel = {self.vessel.name}"
                )
            self._begun[i], self._done[i] = self.missions[i].time, 0
            self.x[i] = self._state(i)

    def close(self) -> None:
        """Run the apps' last activations, and end the missions."""
        for mission in self.missions:
            mission.close()

    def _post(self, i: int, name: str, value: float) -> None:
        self.missions[i].post(name, value, community=self.missions[i].communities[0])

    def _posted(self, i: int) -> str:
        mission = self.missions[i]
        return str(mission.get(STATE, "", community=mission.communities[0]))

    def _state(self, i: int) -> list[float]:
        pairs = dict(pair.split("=") for pair in self._posted(i).split(","))
        if missing := [name for name in self._names if name not in pairs]:
            raise error.Error(
                f"the mission's vessel has no {missing[0]}: expected {self.vessel.name}"
            )
        return [float(pairs[name]) for name in self._names]


def _pose(x: Floats, z: float) -> str:
    """Return the text of ``USM_RESET`` for a state; without its depth if that is the usual one."""
    depth = "" if x[Z_] == z else f",depth={float(x[Z_])!r}"
    north, east, speed = (float(x[i]) for i in (X_, Y_, U_))
    return f"x={east!r},y={north!r},heading={heading_of(float(x[PSI]))!r},speed={speed!r}{depth}"
