"""A single-stage detector: objects as points, with JAX.

A small convolutional network with a feature pyramid gives, for each cell of 4 by 4 pixels, the
score of each class, and the offset and size of the box that is centred there.
Source: X. Zhou, D. Wang, P. Krähenbühl (2019), Objects as points, arXiv:1904.07850.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from labelled import CLASSES

CELL = 4  # [pixels]
WIDTHS = (12, 24, 48, 64, 96)  # channels at strides 2, 4, 8, 16, 32
HEAD = 32
MOST = 40  # detections of an image
RARE = -4.0  # bias of the scores at first: most cells show no object
Array = Any


def initial(seed: int) -> dict[str, Array]:
    """Return random weights (He et al. 2015), by layer."""
    random, weights = np.random.default_rng(seed), {}

    def layer(name: str, size: int, into: int, out: int, gain: float = 1.0) -> None:
        scale = gain * np.sqrt(2.0 / (size * size * into))
        drawn = scale * random.standard_normal((size, size, into, out))
        bias = np.full(out, RARE if name == "scores" else 0.0)
        weights[name] = tuple(jnp.asarray(one, jnp.float32) for one in (drawn, bias))

    for k, (into, out) in enumerate(pairwise((3, *WIDTHS))):
        layer(f"down{k}", 3, into, out)
        layer(f"same{k}", 3, out, out, 0.5)
    for k in (3, 2, 1):
        layer(f"up{k}", 1, WIDTHS[k + 1], WIDTHS[k])
        layer(f"mixed{k}", 3, WIDTHS[k], WIDTHS[k], 0.5)
    layer("head", 3, WIDTHS[1], HEAD)
    layer("scores", 1, HEAD, len(CLASSES), 0.1)
    layer("boxes", 1, HEAD, 4, 0.1)
    return weights


def forward(weights: dict[str, Array], images: Array) -> tuple[Array, Array]:
    """Return scores before the sigmoid (n, rows, columns, classes), and boxes (..., 4).

    Args:
        images: (n, height, width, 3), 0 to 255; multiples of 32.
    """

    def convolved(name: str, x: Array, stride: int = 1) -> Array:
        w, b = weights[name]
        axes = ("NHWC", "HWIO", "NHWC")
        return jax.lax.conv_general_dilated(x, w, (stride, stride), "SAME", None, None, axes) + b

    x, levels = images.astype(jnp.float32) / 127.5 - 1.0, []
    for k in range(len(WIDTHS)):
        x = jax.nn.relu(convolved(f"down{k}", x, 2))
        if k > 0:
            x = jax.nn.relu(x + convolved(f"same{k}", x))
        levels.append(x)
    for k in (3, 2, 1):
        x = convolved(f"up{k}", x).repeat(2, axis=1).repeat(2, axis=2) + levels[k]
        x = jax.nn.relu(x + convolved(f"mixed{k}", x))
    x = jax.nn.relu(convolved("head", x))
    return convolved("scores", x), convolved("boxes", x)


def targets(boxes: Array, kinds: Array, shape: tuple[int, int]) -> tuple[Array, Array]:
    """Return what the network ought to give for an image.

    Args:
        boxes: (n, 4) left, top, width, height [pixels]. kinds: (n,) numbers of classes.
        shape: rows, columns of cells.

    Returns:
        Scores (rows, columns, classes), 1 at the centre of an object and less around it; boxes
        (rows, columns, 4): offset of the centre from the cell's [cells], logarithm of the size.
    """
    scores = np.zeros((*shape, len(CLASSES)), np.float32)
    aims = np.zeros((*shape, 4), np.float32)
    rows, columns = np.mgrid[: shape[0], : shape[1]]
    for (left, top, width, height), kind in zip(boxes / CELL, kinds, strict=True):
        x, y = left + 0.5 * width - 0.5, top + 0.5 * height - 0.5
        row, column = (
            int(np.clip(round(c), 0, most - 1)) for c, most in zip((y, x), shape, strict=True)
        )
        spread = [max(size / 6.0, 0.4) for size in (width, height)]
        near = np.exp(
            -0.5 * (((columns - column) / spread[0]) ** 2 + ((rows - row) / spread[1]) ** 2)
        )
        better = near > scores.max(axis=-1)
        size = np.log(width), np.log(height)
        aims[better] = np.stack(np.broadcast_arrays(x - columns, y - rows, *size), -1)[better]
        scores[..., kind] = np.maximum(scores[..., kind], near)
    return scores, aims


def loss(weights: dict[str, Array], images: Array, scores: Array, aims: Array) -> Array:
    """Return the focal loss of the scores plus the L1 loss of the boxes, for each object."""
    raw, boxes = forward(weights, images)
    p, there = jax.nn.sigmoid(raw), scores == 1.0
    hit = (1.0 - p) ** 2 * jax.nn.log_sigmoid(raw)
    missed = (1.0 - scores) ** 4 * p**2 * jax.nn.log_sigmoid(-raw)
    near = scores.max(axis=-1, keepdims=True)
    near = jnp.where(near > 0.3, near, 0.0)
    off = (jnp.abs(boxes - aims) * near).sum() / jnp.maximum(near.sum(), 1.0)
    return -jnp.where(there, hit, missed).sum() / jnp.maximum(there.sum(), 1.0) + off


@jax.jit
def detected(weights: dict[str, Array], images: Array) -> tuple[Array, Array, Array]:
    """Return the ``MOST`` best detections of each image.

    Returns:
        Boxes (n, k, 4): left, top, width, height [pixels]; classes and scores (n, k).
    """
    raw, boxes = forward(weights, images)
    p = jax.nn.sigmoid(raw)
    highest = jax.lax.reduce_window(p, -jnp.inf, jax.lax.max, (1, 3, 3, 1), (1, 1, 1, 1), "SAME")
    columns, count = p.shape[2:]
    best, places = jax.lax.top_k(jnp.where(p == highest, p, 0.0).reshape(len(p), -1), MOST)
    cell, kind = places // count, places % count
    flat = jnp.take_along_axis(boxes.reshape(len(p), -1, 4), cell[..., None], axis=1)
    size = jnp.exp(jnp.clip(flat[..., 2:], -2.0, 5.0))
    place = jnp.stack((cell % columns, cell // columns), -1) + flat[..., :2] + 0.5
    return jnp.concatenate((place - 0.5 * size, size), -1) * CELL, kind, best
