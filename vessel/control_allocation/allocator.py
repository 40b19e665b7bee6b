"""Thrust allocator: desired force to thrusts and angles, within limits, rates and allowed arcs.

``pseudoinverse`` and ``weighted`` minimise the (weighted) thrusts that produce the force, scaled
down together if one would exceed its limits. ``qp`` solves a quadratic programme. An azimuth is two
variables, ahead and across; its feasible set in one step is not convex, so qp is solved twice:

1. without rates, for the direction to which each azimuth should turn;
2. with rates, and each azimuth within the wedge through which it can turn in this step.

An azimuth whose desired force lies outside of its wedge gets no thrust, and turns. If the layout is
nearly singular, as with all azimuths parallel, idle azimuths turn to where it is less so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, hypot, inf, pi, sin, sqrt
from typing import NamedTuple

import numpy as np

from steerageway.vessel.control_allocation import qp
from steerageway.vessel.control_allocation.layout import Arc, Layout, Slot
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import Array

METHODS = ("pseudoinverse", "weighted", "qp")
FAINT = 1e-6  # fraction of the maximum thrust below which a force has no direction
NARROW = 1e-6  # width of a wedge [rad] below which rounding may make it empty
LOW = 0.02  # fraction of the maximum thrust below which an azimuth is idle
SINGULAR = 0.3  # smallest over largest singular value below which idle azimuths turn


@dataclass(frozen=True)
class Options:
    """Settings of the allocator.

    Attributes:
        method: one of ``METHODS``.
        slack: (6,) weight of the unmet force of each axis; forces [N] and moments [N m] alike.
        regularisation: weight of the squared thrusts relative to slack.
        smoothing: weight of the squared changes of thrust.
        sides: of the polygon that approximates each azimuth's thrust limit.
        avoid_singular: turn idle azimuths to where the layout is less singular.
    """

    method: str = "qp"
    slack: tuple[float, ...] = (1.0,) * 6
    regularisation: float = 1e-4
    smoothing: float = 0.0
    sides: int = qp.SIDES
    avoid_singular: bool = True

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise InvalidValue(f"method {self.method}: expected one of {', '.join(METHODS)}")
        if len(self.slack) != 6 or min(self.slack) <= 0.0:
            raise InvalidValue(f"slack {self.slack}: expected six numbers above zero")
        if self.regularisation <= 0.0 or self.smoothing < 0.0:
            raise InvalidValue(
                f"regularisation {self.regularisation:g}, smoothing {self.smoothing:g}: expected "
                "the first above zero, the second 0 or more"
            )
        if self.sides < 4:
            raise InvalidValue(f"sides {self.sides}: expected 4 or more")


class Allocation(NamedTuple):
    """Result of an allocation step.

    Attributes:
        thrusts: (k,) of each slot [N]. angles: (k,) of each slot [rad]; 0 of fixed ones.
        made: (m,) the resulting force along the layout's axes.
        unmet: (m,) the desired force minus ``made``.
    """

    thrusts: Array
    angles: Array
    made: Array
    unmet: Array


class _Turn(NamedTuple):
    """Plan of an azimuth in a step: push within a wedge (arc), or turn idle towards an angle."""

    target: float
    sign: float
    arc: Arc | None
    leaves: bool = False  # thrust must go to 0 before the azimuth crosses a forbidden arc


class Allocator:
    """Allocates step by step; its only state are the last thrusts and angles.

    Attributes:
        layout, options: as given.
        method: the one in use; ``weighted`` instead of ``qp`` if daqp is not installed.
    """

    def __init__(self, layout: Layout, options: Options | None = None) -> None:
        self.layout, self.options = layout, options or Options()
        self.method = self.options.method
        if self.method == "qp" and not qp.HAS_QP:
            self.method = "weighted"
        slots = layout.slots
        plain = self.method == "pseudoinverse"
        costs = [1.0 if plain else s.cost for s in slots for _ in range(_size(s))]
        self._costs = np.array(costs)
        self._Q = np.array([self.options.slack[axis] for axis in layout.axes])
        root = 1.0 / np.sqrt(self._costs)
        self._inverse = root[:, np.newaxis] * np.linalg.pinv(layout.B * root, rcond=1e-9)
        self._thrusts = np.zeros(len(slots))
        start = [0.0 if a <= 0.0 <= b else min((a, b), key=abs) for a, b in map(_limits, slots)]
        self._angles = np.array(start)

    def step(self, tau: Sequence[float] | Array, dt: float) -> Allocation:
        """Return the thrusts and angles for a force ``tau`` (m,), ``dt`` [s] after the last.

        Raises:
            InvalidValue: tau has another length than the layout's axes, or is not finite.
        """
        wanted = np.asarray(tau, np.float64)
        if wanted.shape != (len(self.layout.axes),) or not np.isfinite(wanted).all():
            raise InvalidValue(f"tau {tau}: expected {len(self.layout.axes)} finite numbers")
        if self.method == "qp":
            self._by_qp(wanted, dt)
        else:
            self._by_inverse(wanted, dt)
        made = self.layout.B @ self._forces()
        return Allocation(self._thrusts.copy(), self._angles.copy(), made, wanted - made)

    def _forces(self) -> Array:
        """Return the present thrusts and angles as Cartesian variables (n,)."""
        u = np.zeros(self.layout.B.shape[1])
        for i, slot, at in self._each():
            u[at : at + _size(slot)] = _cartesian(slot, self._thrusts[i], self._angles[i])
        return u

    def _each(self) -> list[tuple[int, Slot, int]]:
        pairs = zip(self.layout.slots, self.layout.places, strict=True)
        return [(i, slot, at) for i, (slot, at) in enumerate(pairs)]

    def _by_inverse(self, tau: Array, dt: float) -> None:
        """Move towards the pseudoinverse's solution, all thrusts scaled alike into their limits."""
        u = self._inverse @ tau
        share = 1.0
        for _, slot, at in self._each():
            if slot.across is None:
                most = slot.high if u[at] > 0.0 else -slot.low
                size = abs(u[at])
            else:
                most, size = slot.high, hypot(u[at], u[at + 1])
            if size > most:
                share = min(share, most / size)
        u *= share
        for i, slot, at in self._each():
            if slot.across is None:
                self._thrusts[i] = self._within(i, slot, float(u[at]), dt)
                continue
            turn = self._turn(i, slot, u[at : at + 2], dt)
            angle = self._stepped(i, slot, turn.target, dt)
            pushes = cos(angle) * u[at] + sin(angle) * u[at + 1]
            pushes = max(pushes, 0.0) if turn.sign > 0.0 else min(pushes, 0.0)
            if not any(a <= angle <= b for a, b in slot.arcs):
                pushes = 0.0
            thrust = self._within(i, slot, float(pushes), dt)
            if thrust == 0.0 or any(a <= angle <= b for a, b in slot.arcs):
                self._angles[i] = angle  # else it waits until its thrust is 0
            self._thrusts[i] = thrust

    def _within(self, i: int, slot: Slot, thrust: float, dt: float) -> float:
        """Return a thrust within limits and the rate from the last one."""
        reach = slot.rate * dt
        before = float(self._thrusts[i])
        near = min(max(thrust, before - reach), before + reach)
        return min(max(near, slot.low), slot.high)

    def _by_qp(self, tau: Array, dt: float) -> None:
        turns: dict[int, _Turn] = {}
        if any(slot.across is not None for slot in self.layout.slots):
            target = self._targets(tau)
            for i, slot, at in self._each():
                if slot.across is not None:
                    turns[i] = self._turn(i, slot, target[at : at + 2], dt)
            if self.options.avoid_singular:
                self._avoid(turns, target)
        try:
            u = qp.solve(self._problem(tau, dt, turns))
        except qp.NoSolution:
            return  # a wedge emptied by rounding: keep thrusts and angles for this step
        for i, slot, at in self._each():
            if slot.across is None:
                self._thrusts[i] = u[at]
            else:
                self._take(i, slot, turns[i], u[at : at + 2], dt)

    def _take(self, i: int, slot: Slot, turn: _Turn, force: Array, dt: float) -> None:
        """Set thrust and angle of an azimuth from its force; an idle one turns to its target."""
        size = hypot(*force)
        if turn.arc is None or size <= FAINT * slot.high:
            self._thrusts[i] = 0.0
            self._angles[i] = self._stepped(i, slot, turn.target, dt)
            return
        low, high = turn.arc
        middle = 0.5 * (low + high)
        angle = atan2(turn.sign * force[1], turn.sign * force[0])
        angle = middle + _wrapped(angle - middle)
        self._angles[i] = min(max(angle, low), high)
        # the angle was clipped to the arc, so the thrust may exceed its rate: limit it again
        self._thrusts[i] = self._within(i, slot, turn.sign * size, dt)

    def _targets(self, tau: Array) -> Array:
        """Return the variables (n,) of a step without rates, each azimuth within its arcs."""
        free = self._free(tau, {})
        pieces: dict[int, tuple[Arc, float]] = {}
        for i, slot, at in self._each():
            if slot.across is None:
                continue
            wedges = _wedges(slot)
            force = free[at : at + 2]
            direction = atan2(force[1], force[0])
            if wedges and hypot(*force) > FAINT * slot.high:
                pieces[i] = min(wedges, key=lambda w: _distance(direction, w))
        inside = all(
            _distance(atan2(free[at + 1], free[at]), pieces[i]) == 0.0
            for i, _, at in self._each()
            if i in pieces
        )
        return free if inside else self._free(tau, pieces)

    def _free(self, tau: Array, pieces: dict[int, tuple[Arc, float]]) -> Array:
        rows: list[tuple[Array, Array]] = []
        n = self.layout.B.shape[1]
        low, high = np.zeros(n), np.zeros(n)
        for i, slot, at in self._each():
            if slot.across is None:
                low[at], high[at] = slot.low, slot.high
                continue
            radius = slot.high
            if i in pieces:
                arc, sign = pieces[i]
                radius = slot.high if sign > 0.0 else -slot.low
                rows.append(_wedge(n, at, arc, sign))
            rows.append(_row(n, at, *qp.polygon(radius, self.options.sides)))
            low[at : at + 2], high[at : at + 2] = -radius, radius
        return qp.solve(self._posed(tau, low, high, rows))

    def _posed(
        self, tau: Array, low: Array, high: Array, rows: list[tuple[Array, Array]]
    ) -> qp.Problem:
        R = self.options.regularisation * self._costs
        A = np.concatenate([np.zeros((0, len(low))), *(row for row, _ in rows)])
        b = np.concatenate([np.zeros(0), *(bound for _, bound in rows)])
        return qp.Problem(self.layout.B, tau, self._Q, R, low, high, A, b)

    def _problem(self, tau: Array, dt: float, turns: dict[int, _Turn]) -> qp.Problem:
        """Return the problem of this step: limits, rates, and each azimuth within its wedge."""
        rows: list[tuple[Array, Array]] = []
        before = self._forces()
        n = len(before)
        low, high = np.zeros(n), np.zeros(n)
        for i, slot, at in self._each():
            reach = slot.rate * dt
            if slot.across is None:
                low[at] = max(slot.low, before[at] - reach)
                high[at] = min(slot.high, before[at] + reach)
                continue
            turn = turns[i]
            if turn.arc is None:
                continue
            radius = slot.high if turn.sign > 0.0 else -slot.low
            if turn.leaves:
                inner = cos(pi / self.options.sides)
                radius = min(radius, (abs(self._thrusts[i]) - reach / sqrt(2.0)) / inner**2)
            rows.append(_wedge(n, at, turn.arc, turn.sign))
            rows.append(_row(n, at, *qp.polygon(radius, self.options.sides)))
            # Limits of reach / sqrt(2) on both components: the force changes by at most reach.
            pair = slice(at, at + 2)
            low[pair] = np.maximum(-radius, before[pair] - reach / sqrt(2.0))
            high[pair] = np.minimum(radius, before[pair] + reach / sqrt(2.0))
        problem = self._posed(tau, low, high, rows)
        # Smoothing is n further rows of B: u should equal the last forces, with weight s.
        s = self.options.smoothing
        if s == 0.0:
            return problem
        B = np.concatenate((problem.B, np.eye(n)))
        wanted, Q = np.concatenate((tau, before)), np.concatenate((self._Q, np.full(n, s)))
        return qp.Problem(B, wanted, Q, problem.R, low, high, problem.A, problem.b)

    def _turn(self, i: int, slot: Slot, force: Array, dt: float) -> _Turn:
        """Return an azimuth's target angle, sign of thrust, and wedge in this step."""
        now, thrust = float(self._angles[i]), float(self._thrusts[i])
        if hypot(*force) <= FAINT * slot.high:
            target, sign = now, 1.0 if thrust >= 0.0 or not slot.reversible else -1.0
        else:
            target, sign = _nearest_angle(slot, atan2(force[1], force[0]), now)
        if sign * thrust < 0.0 and abs(thrust) > slot.rate * dt / sqrt(2.0):
            sign = -sign  # the present thrust must go to 0 first
        reach = slot.angle_rate * dt
        near = (now - reach, now + reach)
        step = min(max(target, near[0]), near[1])
        goal = min(slot.arcs, key=lambda arc: max(arc[0] - target, target - arc[1]))
        leaves = not goal[0] <= now <= goal[1]
        if leaves and abs(thrust) > slot.rate * dt / sqrt(2.0):
            # it cannot cross a forbidden arc before its thrust is 0
            low, high = next(arc for arc in slot.arcs if arc[0] <= now <= arc[1])
        elif leaves and not (near[0] <= goal[1] and goal[0] <= near[1]):
            return _Turn(target, sign, None)
        else:
            low, high = goal
            leaves = False
        arc = max(low, near[0]), min(high, near[1])
        if arc[1] - arc[0] < NARROW and abs(thrust) <= slot.rate * dt / sqrt(2.0):
            return _Turn(target, sign, None)
        return _Turn(target, sign, _narrowed(arc, step), leaves)

    def _stepped(self, i: int, slot: Slot, target: float, dt: float) -> float:
        """Return the angle after a step towards a target, within limits and rate."""
        now, reach = float(self._angles[i]), slot.angle_rate * dt
        low, high = slot.angles
        return min(max(min(max(target, now - reach), now + reach), low), high)

    def _avoid(self, turns: dict[int, _Turn], target: Array) -> None:
        """If the layout is nearly singular, turn idle azimuths to where it is less so."""
        if self._measure(self._angles) >= SINGULAR:
            return
        angles = self._angles.copy()
        for i, slot, at in self._each():
            if slot.across is None or hypot(*target[at : at + 2]) > LOW * slot.high:
                continue
            best, most = turns[i], self._measure(angles)
            for to in _tried(slot):
                angles[i] = to
                if self._measure(angles) > most + FAINT:
                    most, best = self._measure(angles), best._replace(target=to, arc=None)
            angles[i] = best.target
            if abs(self._thrusts[i]) <= FAINT * slot.high:
                turns[i] = best

    def _measure(self, angles: Array) -> float:
        """Return the smallest over the largest singular value of the layout at some angles."""
        columns = [
            slot.high * (self.layout.B[:, at : at + _size(slot)] @ _cartesian(slot, 1.0, angles[i]))
            for i, slot, at in self._each()
        ]
        # Rows are scaled to a maximum of 1, so that forces and moments have equal weight.
        matrix = np.array(columns).T
        size = np.abs(matrix).max(axis=1, keepdims=True)
        if matrix.shape[0] > matrix.shape[1]:
            return 1.0
        values = np.linalg.svd(matrix / np.where(size > 0.0, size, 1.0), compute_uv=False)
        return float(values[-1] / values[0])


def _size(slot: Slot) -> int:
    return 1 if slot.across is None else 2


def _limits(slot: Slot) -> Arc:
    return slot.arcs[0] if slot.across is not None else (0.0, 0.0)


def _cartesian(slot: Slot, thrust: float, angle: float) -> Array:
    if slot.across is None:
        return np.array((thrust,))
    return np.array((thrust * cos(angle), thrust * sin(angle)))


def _wrapped(angle: float) -> float:
    return (angle + pi) % (2.0 * pi) - pi


def _wedges(slot: Slot) -> list[tuple[Arc, float]]:
    """Return the convex pieces (at most pi wide) of a slot's arcs; []: all directions allowed."""
    if sum(b - a for a, b in slot.arcs) >= 2.0 * pi - FAINT:
        return []
    pieces = []
    for a, b in slot.arcs:
        parts = int((b - a) / pi) + 1
        edges = np.linspace(a, b, parts + 1).tolist()
        pieces += list(pairwise(edges))
    signs = (1.0, -1.0) if slot.reversible else (1.0,)
    return [(piece, sign) for sign in signs for piece in pieces]


def _distance(direction: float, wedge: tuple[Arc, float]) -> float:
    """Return the angle [rad] between a direction of force and a wedge; 0 inside."""
    (a, b), sign = wedge
    turned = direction if sign > 0.0 else direction + pi
    middle = 0.5 * (a + b)
    return max(abs(_wrapped(turned - middle)) - 0.5 * (b - a), 0.0)


def _nearest_angle(slot: Slot, direction: float, now: float) -> tuple[float, float]:
    """Return allowed angle and sign of thrust for a direction; of several, the nearest to now."""
    best, score = (now, 1.0), inf
    for sign in (1.0, -1.0) if slot.reversible else (1.0,):
        for turn in (-4.0 * pi, -2.0 * pi, 0.0, 2.0 * pi, 4.0 * pi):
            wanted = direction + turn + (0.0 if sign > 0.0 else pi)
            for a, b in slot.arcs:
                angle = min(max(wanted, a), b)
                missed = abs(angle - wanted)
                # The direction comes first, then the shortest turn; ahead wins ties.
                this = 100.0 * missed + abs(angle - now) + (0.0 if sign > 0.0 else FAINT)
                if missed < pi and this < score:
                    best, score = (angle, sign), this
    return best


def _narrowed(arc: Arc, step: float) -> Arc:
    """Return the part of an arc, about ``step``, that is at most pi wide, so convex as a wedge."""
    low, high = arc
    if high - low <= pi:
        return arc
    middle = min(max(step, low + pi / 2), high - pi / 2)
    return middle - pi / 2, middle + pi / 2


def _tried(slot: Slot) -> list[float]:
    """Return candidate angles of an idle azimuth."""
    return [float(a) for low, high in slot.arcs for a in np.linspace(low, high, 9)]


def _row(n: int, at: int, pair: Array, bound: Array) -> tuple[Array, Array]:
    """Return constraints on the two variables at ``at`` and ``at + 1``, as rows of all n."""
    wide = np.zeros((len(pair), n))
    wide[:, at : at + 2] = pair
    return wide, bound


def _wedge(n: int, at: int, arc: Arc, sign: float) -> tuple[Array, Array]:
    """Return the constraints of a force ahead, or astern, along the angles of an arc."""
    turned = 0.0 if sign > 0.0 else pi
    return _row(n, at, qp.wedge(arc[0] + turned, arc[1] + turned), np.zeros(2))
