"""Random generators of the world: one for each purpose, the same in all processes of a run.

The stream depends on (mission seed, "world", name) only, not on the vessel or community.
"""

from __future__ import annotations

from hashlib import sha256

import numpy as np


def generator(seed: int, name: str) -> np.random.Generator:
    """Return the generator of a purpose.

    Args:
        seed: the mission's seed.
        name: purpose, e.g. ``waves``.
    """
    digest = sha256("\0".join((str(seed), "world", name)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16]))
