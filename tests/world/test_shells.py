"""Connected components of meshes."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.world import shapes
from steerageway.world.shells import shells


def test_two_bodies_that_touch_nowhere_are_two_shells() -> None:
    ball, box = (
        shapes.sphere(1.0, 3).corners,
        shapes.box(2.0, 1.0, 1.0).corners + np.array([5.0, 0.0, 0.0]),
    )
    found = shells(np.concatenate((box, ball)))
    assert [len(part) for part in found] == [len(ball), len(box)]
    assert found[1].tolist() == list(range(len(box)))


def test_nothing_has_no_shells() -> None:
    assert shells(np.zeros((0, 3, 3))) == []


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 6), st.randoms(use_true_random=False))
def test_shells_are_found_in_any_order_of_triangles(count: int, chance: object) -> None:
    bodies = [shapes.box(1.0, 1.0, 1.0).corners + 3.0 * i for i in range(count)]
    whole = np.concatenate(bodies)
    order = list(range(len(whole)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    found = shells(whole[order])
    parted = {frozenset(order[i] // 12 for i in part) for part in found}
    assert parted == {frozenset({i}) for i in range(count)}
