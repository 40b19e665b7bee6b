"""The generations of simulators by the name of their ``model``."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from steerageway.apps.shared.generation import DOCUMENTED, FMU, FOSSEN, Generation, OfFmu, OfFossen

_OLDER = "steerageway.peers.older.simulators"

PRESENT: Mapping[str, Generation] = MappingProxyType(
    {DOCUMENTED: Generation(), FOSSEN: OfFossen(), FMU: OfFmu()}
)


def generation_of(model: str) -> Generation:
    """Return how the simulator of a ``model`` behaves; older ones are loaded when named."""
    if model in PRESENT:
        return PRESENT[model]
    older: Mapping[str, Generation] = import_module(_OLDER).OLDER
    return older[model]
