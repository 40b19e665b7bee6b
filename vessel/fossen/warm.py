"""Compiles a vessel's model in advance; machine code is cached on disk.

All functions that missions and tools use are compiled at once, so that later uses need not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from steerageway.vessel.fossen.dynamics import Dynamics

MOMENT = 1e-9


def warm(vessel: Dynamics, announce: Callable[[str], None]) -> None:
    """Load or compile the functions of ``Dynamics.trace``, ``step`` and ``derivative``.

    Args:
        vessel: vessel to be run.
        announce: called with a message before a compilation.

    Raises:
        NotFinite, OutsideEnvelope: the vessel cannot be stepped from its initial state.
    """
    announce_compilation(vessel, [vessel.scheme("trace")], announce)
    command, around = np.zeros(len(vessel.commands)), vessel.surroundings()
    vessel.derivative(vessel.initial, command, around)
    vessel.trace(vessel.initial, command, around, MOMENT, 1)
    vessel.step(vessel.initial, command, around, MOMENT)


def announce_compilation(
    vessel: Dynamics, needed: Sequence[Any], announce: Callable[[str], None]
) -> None:
    """Announce that compiled functions of a vessel's model are not cached yet."""
    if not all(_is_cached(function) for function in needed):
        announce(f"compiling the model of {vessel.name}: once, for less than 40 s")


def _is_cached(function: Any) -> bool:
    """Whether machine code of a compiled function is cached on disk."""
    folder = function.stats.cache_path  # None: there is no place to keep it
    name = function.py_func.__qualname__
    return folder is not None and any(Path(folder).glob(f"*.{name}-*.nbi"))
