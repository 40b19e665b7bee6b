"""Bjerke and Haukeland's figure 4: stereo depth of a pair of cameras, by block matching.

The harbour of ``asv_cameras``, whose depth images are the truth. The document (section 7.1) says of
its own depth images that real ones rely on distinct features, and that it has no such error.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.sources.asv_cameras import FAR, camera, sensed, show, view
from benchmarks.sources.finding import Finding, Value, by_formula
from steerageway.world.arrays import Floats

BASELINE = 0.4  # the right camera is to starboard of the left one [m]
FOCAL = 240.0 / np.tan(np.radians(37.5))  # 75 deg across 480 pixels [px]
DISPARITIES = 48  # pixels at which a block is looked for: depths from 2.6 m on
REACH = 3  # a block is 7 x 7 pixels
SAME = 1.0  # disparities of the two images that agree [px]
RIGHT = 1.0  # error up to which a disparity is right [px]


class Pair(NamedTuple):
    """Images of both cameras, as grey levels (rows, columns), and their depths [m]."""

    left: Floats
    right: Floats
    depth: Floats
    other_depth: Floats


def seen() -> Pair:
    """Return what both cameras see at one instant."""
    device, here = camera("outputs=rgb:depth"), view()
    beside = replace(here, position=here.position + here.R @ np.array([0.0, BASELINE, 0.0]))
    left, right = sensed(device, here), sensed(device, beside)
    grey, other = (one["rgb"].data.astype(np.float64).mean(axis=2) for one in (left, right))
    return Pair(grey, other, left["depth"].data, right["depth"].data)


def matched(left: Floats, right: Floats) -> Floats:
    """Return the disparity of each pixel of the left image (rows, columns) [px]; NaN: unknown.

    The block with the least sum of absolute differences, with a parabola through its neighbours. A
    pixel whose counterpart is matched with another one is unknown.
    """
    there = best(left, right)
    back = best(right[:, ::-1], left[:, ::-1])[:, ::-1]
    rows, columns = np.indices(left.shape)
    source = np.clip(np.rint(columns - there).astype(int), 0, left.shape[1] - 1)
    return np.where(np.abs(back[rows, source] - there) <= SAME, there, np.nan)


def best(left: Floats, right: Floats) -> Floats:
    """Return the disparity of the best block for each pixel of the left image [px]."""
    costs = np.full((DISPARITIES, *left.shape), 255.0)
    for shift in range(DISPARITIES):
        width = left.shape[1] - shift
        costs[shift, :, shift:] = np.abs(left[:, shift:] - right[:, :width])
    costs = blocks(costs)
    least = costs.argmin(axis=0)
    inner = least.clip(1, DISPARITIES - 2)[None]
    before, at, after = (np.take_along_axis(costs, inner + k, 0)[0] for k in (-1, 0, 1))
    bend = before - 2.0 * at + after
    finer = np.where(bend > 1e-9, 0.5 * (before - after) / np.maximum(bend, 1e-9), 0.0)
    return least + np.where(inner[0] == least, finer, 0.0)


def blocks(costs: Floats) -> Floats:
    """Return the sums over blocks of the last two axes, by running sums."""
    for axis in (1, 2):
        pad = [(0, 0)] * 3
        pad[axis] = (REACH + 1, REACH)
        total = np.pad(costs, pad, mode="edge").cumsum(axis=axis)
        size = costs.shape[axis]
        ends = np.arange(size) + 2 * REACH + 1
        costs = total.take(ends, axis) - total.take(np.arange(size), axis)
    return costs


def on_the_line(pair: Pair) -> float:
    """Return the share of points that the right image has at its row, f B / z to the left [%]."""
    rows, columns = np.nonzero(np.isfinite(pair.depth))
    depth = pair.depth[rows, columns]
    there = columns - FOCAL * BASELINE / depth
    inside = there >= 0.0
    found = pair.other_depth[rows[inside], np.rint(there[inside]).astype(int)]
    return float((np.abs(found / depth[inside] - 1.0) < 0.02).mean() * 100.0)


def stereo() -> Finding:
    """Reproduce figure 4."""
    pair = seen()
    disparity = matched(pair.left, pair.right)
    true = FOCAL * BASELINE / pair.depth
    there: NDArray[np.bool_] = np.isfinite(pair.depth) & (pair.depth < FAR)
    there[:, :DISPARITIES] = False  # may lie outside the right image
    known = there & (disparity > 0.0)
    good = known & (np.abs(disparity - true) <= RIGHT)
    contrast = blocks(np.abs(np.gradient(pair.left, axis=1))[None])[0]
    low, high = np.quantile(contrast[there], (0.25, 0.75))
    plain, rich = there & (contrast <= low), there & (contrast >= high)
    depth = FOCAL * BASELINE / np.where(disparity > 0.0, disparity, np.nan)

    def share(some: NDArray[np.bool_], among: NDArray[np.bool_]) -> float:
        return 100.0 * float(some.sum(where=among) / among.sum())

    values = (
        by_formula("points at their row, f B / z further left", 100.0, on_the_line(pair), "%", 3),
        Value("matched, of what is nearer than 60 m", None, share(known, there), "%", 3),
        Value("matched within 1 px", None, share(good, there), "%", 3),
        Value("of the quarter with the most contrast", None, share(good, rich), "%", 3),
        Value("of the quarter with the least", None, share(good, plain), "%", 3),
        Value("median error of the depths", None,
              100.0 * float(np.median(np.abs(depth / pair.depth - 1.0)[known])), "%", 2),
    )  # fmt: skip

    def draw(figure: Any) -> None:
        panels = figure.subplots(1, 3)
        show(panels[0], pair.left, cmap="gray")
        for panel, image in zip(panels[1:], (depth, pair.depth), strict=True):
            show(panel, image, cmap="gray", vmin=0.0, vmax=FAR)

    why = (
        "The left image of two cameras 0.4 m apart, its depth by block matching (7 x 7 pixels, "
        "sums of absolute differences, both ways), and the true depth. A point's counterpart lies "
        "in its row, f B / z further left; the points that do not are hidden from the right "
        "camera. Section 7.1 of the document calls its depth images unrealistic, as those of "
        "stereo rely on distinct features: flat hulls, walls and dark water have few, and waves "
        "and edges have many."
    )
    return Finding(values, why, draw, (10.0, 2.6))
