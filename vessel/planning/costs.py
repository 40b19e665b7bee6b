"""Costs of the cells of a map: distance from what is occupied, and way to a goal."""

from __future__ import annotations

import heapq
from math import hypot, inf, sqrt

import numpy as np

from steerageway.world.arrays import Flags, Floats
from steerageway.world.compiled import compiled

NEAR = 3.0  # added to the cost of a metre at the least clearance, falling to 0 at the comfortable
TIGHT = 30.0  # added below the least clearance
UNSEEN = 0.3  # added where nothing was seen


@compiled
def clearances(occupied: Flags, cell: float) -> Floats:
    """Return the distance from each cell's centre to the nearest occupied cell's edge [m].

    Args:
        occupied: (n, m). cell: its size [m].
    Returns:
        (n, m); 0 in occupied cells; inf where none is occupied.
    Source: P. Felzenszwalb, D. Huttenlocher (2012), Distance Transforms of Sampled Functions.
    """
    rows, columns = occupied.shape
    squares = np.where(occupied, 0.0, inf)
    for j in range(columns):
        squares[:, j] = _lower_envelope(squares[:, j].copy())
    for i in range(rows):
        squares[i] = _lower_envelope(squares[i].copy())
    return np.maximum(0.0, np.sqrt(squares) - 0.5) * cell


@compiled
def _lower_envelope(heights: Floats) -> Floats:
    """Return the least of the parabolas (x - k)² + heights[k], at each whole x."""
    count = len(heights)
    apexes, starts = np.zeros(count, np.int64), np.full(count + 1, inf)
    last = -1
    for k in range(count):
        if heights[k] == inf:
            continue
        start = -inf
        while last >= 0:
            a = apexes[last]
            start = ((heights[k] + k * k) - (heights[a] + a * a)) / (2.0 * (k - a))
            if start > starts[last]:
                break
            last -= 1
        last += 1
        apexes[last] = k
        starts[last] = start if last else -inf
        starts[last + 1] = inf
    least = np.full(count, inf)
    if last < 0:
        return least
    place = 0
    for x in range(count):
        while starts[place + 1] < x:
            place += 1
        least[x] = (x - apexes[place]) ** 2 + heights[apexes[place]]
    return least


@compiled
def weights(clear: Floats, unknown: Flags, least: float, comfortable: float) -> Floats:
    """Return the cost of a metre in each cell (n, m): 1 in open water; inf if it is occupied.

    Args:
        clear: (n, m) distance from what is occupied [m]. unknown: (n, m) not seen.
        least, comfortable: clearances [m].
    """
    found = np.empty_like(clear)
    for i in range(clear.shape[0]):
        for j in range(clear.shape[1]):
            away, cost = clear[i, j], 1.0
            if away <= 0.0:
                cost = inf
            elif away < least:
                cost += TIGHT
            elif away < comfortable:
                cost += NEAR * ((comfortable - away) / (comfortable - least)) ** 2
            found[i, j] = cost + UNSEEN if unknown[i, j] else cost
    return found


@compiled
def ways_to_go(weight: Floats, cell: float, goal: Floats, radius: float) -> Floats:
    """Return the least cost from each cell to the goal, by steps to its eight neighbours [m].

    A goal outside of the map is reached over the edges towards it, and straight on from there.

    Args:
        weight: (n, m) cost of a metre. cell: size [m].
        goal: (2,) north, east of the map's corner [m]. radius: within which it is reached [m].
    Returns:
        (n, m); inf: no way.
    Source: E. Dijkstra (1959).
    """
    rows, columns = weight.shape
    least = np.full((rows, columns), inf)
    south, north = goal[0] < 0.0, goal[0] >= rows * cell
    west, east = goal[1] < 0.0, goal[1] >= columns * cell
    inside = not (south or north or west or east)
    queue = [(0.0, 0)]
    queue.clear()
    for i in range(rows):
        for j in range(columns):
            away = hypot((i + 0.5) * cell - goal[0], (j + 0.5) * cell - goal[1])
            edge = (south and i == 0) or (north and i == rows - 1)
            edge |= (west and j == 0) or (east and j == columns - 1)
            if weight[i, j] < inf and (away <= max(radius, 0.75 * cell) if inside else edge):
                least[i, j] = 0.0 if inside else away
                heapq.heappush(queue, (least[i, j], i * columns + j))
    while len(queue):
        cost, number = heapq.heappop(queue)
        i, j = number // columns, number % columns
        if cost > least[i, j]:
            continue
        for a in range(max(0, i - 1), min(rows, i + 2)):
            for b in range(max(0, j - 1), min(columns, j + 2)):
                step = cell * (sqrt(2.0) if a != i and b != j else 1.0)
                further = cost + 0.5 * step * (weight[i, j] + weight[a, b])
                if further < least[a, b]:
                    least[a, b] = further
                    heapq.heappush(queue, (further, a * columns + b))
    return least
