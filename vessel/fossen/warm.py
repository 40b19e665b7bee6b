"""Compiles a vessel's model before it is needed; machine code is kept on disk.

All that a mission or a tool runs is compiled at once: whatever comes second compiles nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from steerageway.vessel.fossen.dynamics import Dynamics

MOMENT = 1e-9


def warm(vessel: Dynamics, announce: Callable[[str], None]) -> None:
    """Load or compile what ``Dynamics.trace``, ``step`` and ``derivative`` run.

    Args:
        vessel: to be run.
        announce: told of a compilation, before it begins.

    Raises:
        NotFinite, OutsideEnvelope: the vessel cannot be stepped from its start.
    """
    announce_compilation(vessel, [vessel.model.scheme(vessel, "trace")], announce)
    command, around = np.zeros(len(vessel.commands)), vessel.surroundings()
    vessel.derivative(vessel.initial, command, around)
    vessel.trace(vessel.initial, command, around, MOMENT, 1)
    vessel.step(vessel.initial, command, around, MOMENT)


def announce_compilation(
    vessel: Dynamics, needed: Sequence[Any], announce: Callable[[str], None]
) -> None:
    """Say that compiled functions of a vessel's model, needed soon, are not on disk yet."""
    if not all(_kept(function) for function in needed):
        announce(f"compiling the model of {vessel.name}: once, for less than 40 s")


def _kept(function: Any) -> bool:
    """Say whether machine code of a compiled function lies on disk."""
    folder = Path(function.stats.cache_path)
    return any(folder.glob(f"*.{function.py_func.__qualname__}-*.nbi"))
