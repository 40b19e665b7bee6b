"""The helm: behaviors, the modes that select them, and the decision. Depends on no bus.

It also exports the API for user-defined behaviors; see ``docs/own_behaviors.md``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from steerageway import refuse_bare_import

if TYPE_CHECKING:
    from steerageway.helm.behaviors import Behavior, BehaviorError
    from steerageway.helm.bench import Bench, behavior_bench
    from steerageway.helm.readers import boolean, choice, number, word
    from steerageway.helm.settings import CommonSettings, parameter, repeated
    from steerageway.helm.surroundings import Mail, SeenContact, SeenObstacle
    from steerageway.helm.world import Ownship, World

refuse_bare_import(__name__)

_HOMES = {
    name: module
    for module, names in {
        "behaviors": "Behavior BehaviorError",
        "bench": "Bench behavior_bench",
        "readers": "boolean choice number word",
        "settings": "CommonSettings parameter repeated",
        "surroundings": "Mail SeenContact SeenObstacle",
        "world": "Ownship World",
    }.items()
    for name in names.split()
}

__all__ = [
    "Behavior", "BehaviorError", "Bench", "CommonSettings", "Mail", "Ownship", "SeenContact",
    "SeenObstacle", "World", "behavior_bench", "boolean", "choice", "number", "parameter",
    "repeated", "word",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import a public name on first use: contacts need no interval programming."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
