"""Search of a path that a vessel can turn: hybrid A* over place, heading and time.

Source: D. Dolgov et al. (2010), Path Planning for Autonomous Vehicles in Unknown Semi-structured
Environments; states continue exactly, one is kept for each cell of place, heading and time.
"""

from __future__ import annotations

import heapq
from math import cos, floor, hypot, inf, pi, sin
from typing import Any

import numpy as np

from steerageway.world.arrays import Floats, Whole
from steerageway.world.compiled import compiled, part

HEADINGS = 48  # cells of the heading
MOST_CELLS = 256  # of the place, along a side
PERIODS = 8  # cells of the time, up to the horizon
CURVATURES = (-1.0, -0.5, 0.0, 0.5, 1.0)  # of a step, by the greatest
SLOW = 0.5  # of the speed, in a step that lets something pass
PARTS = 4  # of a step, between which it is checked
TURN = 0.1  # cost of the greatest curvature, by the length
CHANGE = 0.3  # cost of going from straight on to it, or back [m]
GREEDY = 1.2  # factor of the way to go: less of the search for a way that may be as much longer
GROWTH = 0.05  # of the distance to be kept from what moves [m/s]
RESPECT = 2.0  # within this multiple of that distance a metre costs more, up to twice
ROW = 6  # of a state: north, east [m], heading [rad], time [s], speed [m/s], curvature


@part
def _cost_of_part(
    north: float, east: float, time: float, fields: Floats, cell: float, movers: Floats,
    least: float, horizon: float,
) -> float:  # fmt: skip
    """Return the cost of a metre at a place and time; inf: it may not be there.

    Args:
        fields: (3, n, m) clearance [m], cost of a metre, way to go.
        movers: (k, 5) north, east [m], their rates [m/s], distance to be kept [m].
        least: clearance [m]. horizon: time up to which motion is predicted [s].
    """
    i, j = floor(north / cell), floor(east / cell)
    if not (0 <= i < fields.shape[1] and 0 <= j < fields.shape[2]):
        return 1.0
    if fields[0, i, j] < least:
        return inf
    cost: float = fields[1, i, j]
    if time > horizon:
        return cost
    for k in range(movers.shape[0]):
        away = hypot(
            north - movers[k, 0] - time * movers[k, 2], east - movers[k, 1] - time * movers[k, 3]
        )
        kept = movers[k, 4] + GROWTH * time
        if away < kept:
            return inf
        if away < RESPECT * kept:
            cost += (RESPECT * kept - away) / ((RESPECT - 1.0) * kept)
    return cost


@part
def _way_to_go(north: float, east: float, fields: Floats, cell: float, goal: Floats) -> float:
    i, j = floor(north / cell), floor(east / cell)
    if 0 <= i < fields.shape[1] and 0 <= j < fields.shape[2]:
        way: float = fields[2, i, j]
        return way
    sides = (north, fields.shape[1] * cell, goal[0]), (east, fields.shape[2] * cell, goal[1])
    for place, end, wanted in sides:
        if (place < 0.0 <= wanted) or (place >= end > wanted):
            return inf  # from there it would have to come back
    return hypot(north - goal[0], east - goal[1])


@part
def _lattice(fields: Floats, cell: float, radius: float) -> float:
    """Return the size of the cells of which one state is kept each [m]."""
    longest = cell * max(fields.shape[1], fields.shape[2])
    size: float = max(cell, radius / 5.0, longest / MOST_CELLS)
    return size


@part
def _is_outside(north: float, east: float, fields: Floats, cell: float) -> bool:
    return not (0.0 <= north < fields.shape[1] * cell and 0.0 <= east < fields.shape[2] * cell)


@part
def _sail(
    state: Floats, cost: float, turn: float, pace: float, numbers: Floats, piece: float,
    fields: Floats, movers: Floats,
) -> tuple[float, float, float, float, float]:  # fmt: skip
    """Return north, east, heading and time at the end of a step, and the cost; inf: refused.

    Args:
        state: (6,) at its begin. cost: up to there. turn: curvature, by the greatest. pace: [m/s].
        numbers: of ``search``. piece: length of each of its parts [m].
    """
    cell, speed, radius, least, _, horizon = numbers
    north, east, psi, time = state[0], state[1], state[2], state[3]
    for _ in range(PARTS):
        psi += 0.5 * piece * turn / radius
        north, east = north + piece * cos(psi), east + piece * sin(psi)
        psi += 0.5 * piece * turn / radius
        time += piece / pace
        weight = _cost_of_part(north, east, time, fields, cell, movers, least, horizon)
        cost += piece * (weight * speed / pace + TURN * abs(turn))
        if cost == inf:
            break
    return north, east, psi, time, cost + CHANGE * abs(turn - state[5])


@part
def _is_new(state: Floats, done: Any, lattice: float, horizon: float) -> bool:
    """Whether nothing was in a state's cell of place, heading and time (4 axes) before; mark it."""
    i, j = floor(state[0] / lattice), floor(state[1] / lattice)
    h = floor(state[2] * HEADINGS / (2.0 * pi)) % HEADINGS
    p = min(done.shape[3] - 1, int(state[3] * done.shape[3] / horizon)) if horizon > 0.0 else 0
    if done[i, j, h, p]:
        return False
    done[i, j, h, p] = True
    return True


@compiled
def search(
    start: Floats, goal: Floats, fields: Floats, movers: Floats, numbers: Floats, most: int
) -> tuple[Floats, Whole, int, bool]:
    """Search a path.

    Args:
        start: (3,) north, east of the map's corner [m], heading [rad]. goal: (2,).
        fields: (3, n, m) of each cell: clearance [m], cost of a metre, least cost to the goal [m].
        movers: (k, 5) north, east [m], their rates [m/s], distance to be kept from it [m].
        numbers: (6,) size of a cell [m], speed [m/s], least turning radius [m], least clearance
            [m], radius of the goal [m], horizon of predicted motion [s].
        most: number of states at which it ends.
    Returns:
        The states that it has reached (k, 6): north, east of the corner [m], heading [rad], time
        [s], speed up to it [m/s], curvature by the greatest. The index of the state before each
        (k,); -1: the start. The index of the one at the goal, or else nearest to it; whether it is
        at the goal, or beyond the map's edge towards it.
    """
    cell, speed, radius, _, close, horizon = numbers
    lattice = _lattice(fields, cell, radius)
    piece = 2.0 * lattice / PARTS
    rows = int(fields.shape[1] * cell / lattice) + 1
    columns = int(fields.shape[2] * cell / lattice) + 1
    periods = PERIODS if len(movers) else 1
    done = np.zeros((rows, columns, HEADINGS, periods), np.bool_)
    states, parents, costs = np.zeros((most, ROW)), np.full(most, -1), np.zeros(most)
    states[0, :3], states[0, 4] = start, speed
    nearest, end, count = _way_to_go(start[0], start[1], fields, cell, goal), 0, 1
    queue = [(GREEDY * nearest, 0)]
    while len(queue):
        _, index = heapq.heappop(queue)
        state = states[index]
        outside = _is_outside(state[0], state[1], fields, cell)
        if outside or hypot(state[0] - goal[0], state[1] - goal[1]) <= close:
            return states[:count], parents[:count], index, True
        if not _is_new(state, done, lattice, horizon):
            continue
        paces = 2 if len(movers) and state[3] < horizon else 1
        for number in range(len(CURVATURES) * paces):
            turn = CURVATURES[number % len(CURVATURES)]
            pace = speed * (SLOW if number >= len(CURVATURES) else 1.0)
            a, b, psi, t, cost = _sail(
                state, costs[index], turn, pace, numbers, piece, fields, movers
            )
            ahead = _way_to_go(a, b, fields, cell, goal)
            if cost == inf or ahead == inf:
                continue
            if count == most:
                return states, parents, end, False
            states[count], parents[count], costs[count] = (a, b, psi, t, pace, turn), index, cost
            if ahead < nearest:
                nearest, end = ahead, count
            heapq.heappush(queue, (cost + GREEDY * ahead, count))
            count += 1
    return states[:count], parents[:count], end, False
