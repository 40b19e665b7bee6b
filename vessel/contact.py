"""Contact forces: collision of a hull with walls, other boats and the bottom, with friction.

Each point of the hull that penetrates a wall, another boat or the bottom is pushed out by a spring
(a penalty method), step by step as an impulse on the velocities. The energy absorbed by the spring,
times the square of the restitution, is stored in a bank, and the spring releases at most the energy
in the bank: kinetic energy plus bank never grow, whatever the stiffness and the time step. Friction
acts tangentially, at most until the sliding stops. The impulses of several points are applied one
after another. A hull at rest inside something is pushed out by position steps, without a velocity.

The change of the kinetic energy by an impulse p along J is p J nu + p² J M^-1 J' / 2, exactly. Of
another boat only position and velocity are known: velocities are relative to it, and its mass is
estimated as ours times the cube of the ratio of lengths.

Source: Moreau (1988) for velocities and impulses; Stronge (1990) for restitution by energies.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, pi, sin, sqrt
from typing import NamedTuple

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.state import NU
from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.vessel.outline import needed
from steerageway.vessel.tools.inertia import inertia_of
from steerageway.world.arrays import Floats
from steerageway.world.contact import END, FORCE, OFF, Contact, Wall, inside, way_out

NEAR = 1.0  # margin around the bounding circles within which contact is checked [m]
BOTTOM = "bottom"
STALE = 10.0  # time without a report after which a boat is ignored [s]
CREEP = 0.05  # speed below which a penetrating hull is pushed out by position steps [m/s]
EASING = 1.0  # time constant of these steps [s]
SLIDING = 1e-9  # tangential speed below which there is no friction [m/s]


class Boat(NamedTuple):
    """Another vessel as of its last report.

    Attributes:
        time: [s]. north, east: [m]. psi: heading [rad]. v_n, v_e: over ground [m/s].
        plan: (n, 2) of its hull, ahead and starboard of its middle [m].
        length: [m].
    """

    time: float
    north: float
    east: float
    psi: float
    v_n: float
    v_e: float
    plan: Floats
    length: float

    def corners(self, t: float) -> Floats:
        """Return the hull's corners (n, 2), north and east [m], dead-reckoned to a time."""
        c, s = cos(self.psi), sin(self.psi)
        place = [self.north + self.v_n * (t - self.time), self.east + self.v_e * (t - self.time)]
        found: Floats = self.plan @ np.array([[c, s], [-s, c]]) + place
        return found


class Touch(NamedTuple):
    """A contact point.

    Attributes:
        what: label of the touched object.
        r: (3,) the point from CO, in BODY [m].
        way: (3,) unit vector in NED, out of the object.
        depth: penetration [m].
        velocity: (3,) of the object, NED [m/s].
        share: inverse mass of the object over the vessel's inverse mass; 0 for a wall.
    """

    what: str
    r: Floats
    way: Floats
    depth: float
    velocity: Floats
    share: float


@dataclass
class Surfaces:
    """The objects a vessel may touch, and its own outline and inertia.

    Attributes:
        contact: contact settings of the environment.
        plan: (n, 2) of the hull, in BODY [m].
        draught: depth of its lowest points below CO [m].
        M_inv: (6, 6) inverse inertia; 0 in degrees of freedom that are not free.
        boats: other vessels with reports, by name.

    Raises:
        InvalidValue: the vessel's plan or inertia is not known.
    """

    contact: Contact
    plan: Floats
    draught: float
    M_inv: Floats
    boats: dict[str, Boat] = field(default_factory=dict)

    @classmethod
    def around(cls, vessel: Dynamics, contact: Contact) -> Surfaces:
        """Return the surfaces for a vessel."""
        plan = needed(vessel.outline, vessel.name)
        M = inertia_of(vessel)
        if M is None:
            raise InvalidValue(
                f"{vessel.name}: a model without inertia: nothing can stop it; expected another"
            )
        return cls(contact, plan, vessel.envelope.draught or 0.0, inverse(vessel, M))

    @property
    def radius(self) -> float:
        """Return the radius of the hull about CO [m]."""
        return float(np.linalg.norm(self.plan, axis=1).max())

    @property
    def length(self) -> float:
        """Return the hull's length [m]."""
        return float(np.ptp(self.plan[:, 0]))

    @property
    def heaves(self) -> bool:
        """Return whether the vessel is free in heave, so that the bottom can push it up."""
        return bool(self.M_inv[2, 2] > 0.0)

    def walls(self, t: float) -> list[tuple[str, Floats, Floats, float]]:
        """Return label, corners, velocity and mass share of each wall and boat."""
        still = np.zeros(3)
        found = []
        if self.contact.at_walls != OFF:
            found = [(wall.label, wall.corners, still, 0.0) for wall in self.contact.walls]
        if self.contact.at_boats != OFF:
            for name in sorted(self.boats):
                one = self.boats[name]
                if t - one.time > STALE:
                    continue
                moves = np.array([one.v_n, one.v_e, 0.0])
                share = (self.length / one.length) ** 3
                found.append((name, one.corners(t), moves, share))
        return found

    def near(self, x: Floats, t: float, span: float, depth: float) -> bool:
        """Return whether the hull may touch something within ``span`` [s]."""
        reach = self.radius + NEAR + float(np.linalg.norm(x[NU][:3])) * span
        for _, corners, velocity, _ in self.walls(t):
            middle, radius = Wall("", corners).circle
            away = float(np.hypot(*(x[:2] - middle)))
            if away < reach + radius + float(np.hypot(*velocity[:2])) * span:
                return True
        return self.bottom_counts and bool(x[2] + self.draught + reach > depth)

    @property
    def ends_aground(self) -> bool:
        """Return whether contact with the bottom ends the run."""
        return self.contact.at_bottom == END

    @property
    def bottom_counts(self) -> bool:
        """Return whether contact with the bottom has an effect."""
        return self.ends_aground or (self.contact.at_bottom == FORCE and self.heaves)

    def touches(self, x: Floats, t: float, depth: float) -> list[Touch]:
        """Return all contact points, in a fixed order.

        Args:
            x: the state. t: [s]. depth: of the water [m]; 0 or less: dry ground.
        """
        R = eul_to_rotm(x[3:6])
        sides = np.column_stack((self.plan, np.zeros(len(self.plan))))
        hull: Floats = (sides @ R.T)[:, :2] + x[:2]
        found = []
        for what, corners, velocity, share in self.walls(t):
            found += _of_side(what, x, R, sides, hull, corners, velocity, share)
        if self.bottom_counts:
            keel = np.column_stack((self.plan, np.full(len(self.plan), self.draught)))
            depths = (keel @ R.T)[:, 2] + x[2] - depth
            up, still = np.array([0.0, 0.0, -1.0]), np.zeros(3)
            found += [
                Touch(BOTTOM, keel[i], up, float(depths[i]), still, 0.0)
                for i in np.flatnonzero((depths > 0.0) | (depth <= 0.0))
            ]
        return found

    def told(self, x: Floats, touches: list[Touch]) -> tuple[tuple[str, float, float], ...]:
        """Return each object touched, its deepest penetration [m] and the speed there, inwards."""
        R = eul_to_rotm(x[3:6])
        found: dict[str, tuple[float, float]] = {}
        for touch in touches:
            speed = -float(_along(R, touch.r, touch.way) @ x[NU] - touch.way @ touch.velocity)
            if touch.what not in found or touch.depth > found[touch.what][0]:
                found[touch.what] = touch.depth, speed
        return tuple((what, depth, speed) for what, (depth, speed) in found.items())

    def pushed(
        self, x: Floats, touches: list[Touch], bank: float, dt: float
    ) -> tuple[Floats, float]:
        """Return the velocities (6,) after a step's impulses, and the energy in the bank [J]."""
        R, nu = eul_to_rotm(x[3:6]), x[NU].copy()
        for touch in touches:
            nu, bank = self._impulse(R, nu, touch, bank, dt)
        return nu, bank

    def eased(self, x: Floats, touches: list[Touch], dt: float) -> Floats:
        """Return the position step (3,) that pushes out a hull at rest inside something.

        Such a hull has no velocity for an impulse to act on: the tide fell, or a push ended.
        """
        R, deepest = eul_to_rotm(x[3:6]), max(touches, key=lambda touch: touch.depth)
        v = _along(R, deepest.r, deepest.way) @ x[NU] - deepest.way @ deepest.velocity
        lifts = deepest.way[2] == 0.0 or self.heaves
        if abs(v) > CREEP or not lifts:
            return np.zeros(3)
        step: Floats = deepest.way * deepest.depth * min(1.0, dt / EASING)
        return step

    def _impulse(
        self, R: Floats, nu: Floats, touch: Touch, bank: float, dt: float
    ) -> tuple[Floats, float]:
        """Return velocities and bank after the normal and friction impulses of one point."""
        J = _along(R, touch.r, touch.way)
        own = float(J @ self.M_inv @ J)
        if own <= 0.0:
            return nu, bank
        contact, w = self.contact, own * (1.0 + touch.share)
        v = float(J @ nu - touch.way @ touch.velocity)
        # Stiffness (pi / duration)² / w: a collision lasts half a period of the spring. The part
        # ``pressed`` slows the approach, at most to rest, and its work goes into the bank.
        wanted = (pi / contact.duration) ** 2 / w * touch.depth * dt
        pressed = min(wanted, max(-v, 0.0) / w)
        bank += contact.restitution**2 * -(pressed * v + 0.5 * pressed**2 * w)
        v += pressed * w
        # The spring releases less than it absorbed (restitution), and no more energy than the bank
        # holds: freed solves freed v + freed² w / 2 = bank.
        freed = max(0.0, contact.restitution**2 * wanted - pressed)
        if freed > 0.0:
            freed = min(freed, (sqrt(v * v + 2.0 * w * bank) - v) / w)
            bank = max(0.0, bank - (freed * v + 0.5 * freed**2 * w))
        push = pressed + freed
        nu = nu + push * (self.M_inv @ J)
        return self._with_friction(R, nu, touch, contact.friction * push), bank

    def _with_friction(self, R: Floats, nu: Floats, touch: Touch, limit: float) -> Floats:
        """Return nu after friction against sliding, by an impulse of at most ``limit``."""
        moves = R @ (nu[:3] + np.cross(nu[3:], touch.r)) - touch.velocity
        moves = moves - (moves @ touch.way) * touch.way
        speed = float(np.linalg.norm(moves))
        if limit <= 0.0 or speed < SLIDING:
            return nu
        J = _along(R, touch.r, moves / speed)
        w = float(J @ self.M_inv @ J) * (1.0 + touch.share)
        if w <= 0.0:
            return nu
        slowed: Floats = nu - min(limit, speed / w) * (self.M_inv @ J)
        return slowed


def _of_side(
    what: str,
    x: Floats,
    R: Floats,
    sides: Floats,
    hull: Floats,
    corners: Floats,
    velocity: Floats,
    share: float,
) -> list[Touch]:
    """Return the contact points: the hull's corners in a polygon, and its corners in the hull."""
    found = []
    for i in np.flatnonzero(inside(hull, corners)):
        depth, way = way_out(hull[i], corners)
        found.append(Touch(what, sides[i], np.append(way, 0.0), depth, velocity, share))
    for i in np.flatnonzero(inside(corners, hull)):
        depth, way = way_out(corners[i], hull)
        r = R.T @ np.append(corners[i] - x[:2], 0.0)
        found.append(Touch(what, r, -np.append(way, 0.0), depth, velocity, share))
    return found


def _along(R: Floats, r: Floats, way: Floats) -> Floats:
    """Return J (6,): J nu is the velocity of the point r along a direction in NED."""
    d = R.T @ way
    return np.concatenate((d, np.cross(r, d)))


def inverse(vessel: Dynamics, M: Floats) -> Floats:
    """Return the inverse (6, 6) of the inertia in the free degrees of freedom; 0 elsewhere.

    A model in the horizontal plane has no free heave, whatever its mass in heave.
    """
    moves = np.flatnonzero((np.diag(M) > 0.0) & (_free(vessel) > 0.0))
    found = np.zeros((6, 6))
    found[np.ix_(moves, moves)] = np.linalg.inv(M[np.ix_(moves, moves)])
    return found


def _free(vessel: Dynamics) -> Floats:
    """Return 1 for each degree of freedom (6,) that is free by the vessel's files, else 0."""
    from steerageway.vessel.fossen import layout as at
    from steerageway.vessel.tools.inertia import coefficients, is_coefficient_form

    if not is_coefficient_form(vessel):
        return np.ones(6)
    return np.asarray(np.diag(coefficients(vessel).matrices[at.M_INV]) != 0.0, np.float64)
