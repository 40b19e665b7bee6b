"""Posts of a Fossen vessel's full state, step by step, its energy, actuators and wave loads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from steerageway.vessel.fossen.craft import PHI, FossenState, Z
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.in_sea import sea_loads
from steerageway.vessel.fossen.state import ACTUATORS, ETA, NU, shown
from steerageway.vessel.kinematics import eul_to_quat
from steerageway.vessel.tools.inertia import inertia_of
from steerageway.world.arrays import Floats
from steerageway.world.constants import NANO
from steerageway.world.sea import Sea

STATE, SEED_STATE, ENERGY, SEA = "USM_STATE", "VESSEL_STATE", "USM_ENERGY", "USM_SEA"
POSE = ("x", "y", "z", "phi", "theta", "psi")
VELOCITY = ("u", "v", "w", "p", "q", "r")

PostFunction = Callable[..., None]


class FossenPosts:
    """Posts the state of a Fossen vessel.

    Attributes:
        names: the variables it posts.
    """

    def __init__(self, vessel: Dynamics, period: int, prefix: str, post: PostFunction) -> None:
        self._post, self._prefix = post, prefix
        self._period, self._quaternions = period, vessel.quaternions
        self._mass = inertia_of(vessel)
        self._actuators = [(f"USM_{c.name.upper()}", shown(c)[0]) for c in vessel.actuators]
        self._seed_units = [30 / np.pi if c.unit == "rad/s" else 1.0 for c in vessel.actuators]
        rates = (f"{name}_dot" for name in VELOCITY)
        columns = ("time", *POSE, *VELOCITY, *rates, *(c.name for c in vessel.actuators))
        self._form = ",".join(f"{column}=%.12g" for column in columns)
        self._posted_trail: Floats | None = None
        self._floats = vessel.floating is not None or vessel.wave_motion is not None
        self.sea: Sea | None = None
        self.names = tuple(self._own_names())

    def _own_names(self) -> Iterator[str]:
        yield from (STATE, SEED_STATE, f"{self._prefix}ROLL", f"{self._prefix}HEAVE")
        if self._mass is not None:
            yield ENERGY
        if self._floats:
            yield SEA
        yield from (name for name, _ in self._actuators)

    def post_steps(self, state: FossenState, now: int) -> None:
        """Post each step's state with the step's own time, once.

        Args:
            state: after an advance. now: instant of that advance [ns].
        """
        trail = state.trail
        if trail is self._posted_trail or not len(trail):
            return
        self._posted_trail = trail
        # The last step ended `late` ns before this instant, which need not be a multiple of steps.
        first = now - state.late - (len(trail) - 1) * self._period
        # A step of the trail has the state and its derivative.
        rows = np.hstack((trail[:, 0, :ACTUATORS], trail[:, 1, NU], trail[:, 0, ACTUATORS:]))
        for k, row in enumerate(rows.tolist()):
            time = (first + k * self._period) / NANO
            self._post(STATE, self._form % (time, *row), time=time)

    def post_rest(self, state: FossenState) -> None:
        """Post attitude, actuators, energy, and the state in Panisim's order."""
        post, x = self._post, state.seen
        post(f"{self._prefix}ROLL", float(x[PHI]))
        post(f"{self._prefix}HEAVE", float(x[Z]))
        if self._mass is not None:
            nu = x[NU]
            post(ENERGY, float(nu @ self._mass @ nu) / 2)
        for (name, factor), value in zip(self._actuators, x[ACTUATORS:].tolist(), strict=True):
            post(name, value * factor)
        post(SEED_STATE, ",".join(f"{value:.12g}" for value in self._in_seeds_order(x)))

    def post_sea(self, vessel: Dynamics, state: FossenState, now: float) -> None:
        """Post the elevation at a vessel with wave loads, the wrench, volume and wetted area."""
        if self.sea is None:
            return
        x = state.x
        zeta = float(self.sea.elevation(x[0], x[1], now))
        if vessel.floating is None:
            self._post(SEA, f"zeta={zeta:.9g}")
            return
        wrench, volume, wetted = sea_loads(vessel, x, now)
        names = ("X", "Y", "Z", "K", "M", "N")
        loads = ",".join(f"{n}={v:.9g}" for n, v in zip(names, wrench.tolist(), strict=True))
        self._post(SEA, f"zeta={zeta:.9g},volume={volume:.9g},wetted={wetted:.9g},{loads}")

    def _in_seeds_order(self, x: Floats) -> list[float]:
        """Return nu, position, Euler angles or quaternion, then actuators in rad and rpm."""
        angles: Any = x[3:6]
        attitude = eul_to_quat(angles) if self._quaternions else angles
        actuators = x[ACTUATORS:] * self._seed_units
        ordered: list[float] = np.concatenate((x[NU], x[ETA][:3], attitude, actuators)).tolist()
        return ordered
