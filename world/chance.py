"""The world's randomness: one generator for each purpose, the same for all of a run.

The stream is fixed by (mission seed, "world", name): no vessel and no community has a part in it.
"""

from __future__ import annotations

from hashlib import sha256

import numpy as np


def generator(seed: int, name: str) -> np.random.Generator:
    """Give the generator of a purpose.

    Args:
        seed: the mission's.
        name: of the purpose, as ``waves``.
    """
    digest = sha256("\0".join((str(seed), "world", name)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16]))
