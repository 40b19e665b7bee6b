"""Random piecewise functions for tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from steerageway.ivp import Domain, Piecewise, Variable

COURSE = Variable("course", 0, 315, 8)
SPEED = Variable("speed", 0, 2, 5)
DEPTH = Variable("depth", 0, 30, 4)
DOMAIN = Domain((COURSE, SPEED, DEPTH))

SUBSETS = [(COURSE,), (SPEED,), (COURSE, SPEED), (SPEED, DEPTH), (COURSE, SPEED, DEPTH)]

Box = list[tuple[int, int]]


@st.composite
def piecewise(draw: st.DrawFn) -> Piecewise:
    """A function over some of the variables, cut at random; few different slopes make ties."""
    variables = draw(st.sampled_from(SUBSETS))
    boxes: list[Box] = [[(0, variable.points - 1) for variable in variables]]
    for _ in range(draw(st.integers(0, 8))):
        box = boxes.pop(draw(st.integers(0, len(boxes) - 1)))
        axis = draw(st.integers(0, len(variables) - 1))
        first, last = box[axis]
        at = draw(st.integers(first, last))
        boxes += [[*box[:axis], ends, *box[axis + 1 :]] for ends in ((first, at), (at + 1, last))]
        boxes = [box for box in boxes if all(a <= b for a, b in box)]
    generator = np.random.default_rng(draw(st.integers(0, 10_000)))
    coarse = draw(st.booleans())
    shape = (len(boxes), len(variables) + 1)
    weights = generator.integers(-1, 2, shape) if coarse else generator.normal(0, 5, shape).round(4)
    corners = np.array(boxes)
    return Piecewise(
        Domain(tuple(variables)),
        corners[:, :, 0],
        corners[:, :, 1],
        weights[:, :-1].astype(np.float64),
        weights[:, -1].astype(np.float64),
        draw(st.sampled_from([0.5, 1.0, 100.0])),
    )
