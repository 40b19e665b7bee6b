"""Compiles a vessel's model in advance; machine code is cached on disk.

All functions that missions and tools use are compiled at once, so that later uses need not.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np

from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.plain import TYPICAL, first_steps
from steerageway.world.compiled import is_kept
from steerageway.world.compiling import in_steps

MOMENT = 1e-9


def ready(vessel: Dynamics, compiler: tuple[str, ...]) -> Dynamics:
    """Return a vessel that can be stepped at once, compiled or by its first steps in Python.

    Args:
        vessel: vessel to be run.
        compiler: command of ``tools.warm``, which compiles during a run.

    Raises: as ``warm``.
    """
    model, name = vessel.model, "quaternion" if vessel.quaternions else "rk4"
    plain = vessel.scheme() in TYPICAL and sys.platform == "linux"
    if plain and not is_kept(vessel.scheme("trace")):
        vessel = replace(vessel, model=first_steps(model, name, compiler))
    warm(vessel)
    return vessel


def warm(vessel: Dynamics) -> None:
    """Load or compile the functions of ``Dynamics.trace``, ``step`` and ``derivative``.

    Args:
        vessel: vessel to be run.

    Raises:
        NotFinite, OutsideEnvelope: the vessel cannot be stepped from its initial state.
    """
    command, around = np.zeros(len(vessel.commands)), vessel.surroundings()
    calls = (
        lambda: vessel.derivative(vessel.initial, command, around),
        lambda: vessel.trace(vessel.initial, command, around, MOMENT, 1),
        lambda: vessel.step(vessel.initial, command, around, MOMENT),
    )
    in_steps(f"the model of {vessel.name}", calls)
