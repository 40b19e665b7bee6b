"""The helm: behaviors, the modes that select them, and the decision. Depends on no bus.

It also exports the API for user-defined behaviors; see ``docs/own_behaviors.md``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from steerageway import lazily, refuse_bare_import

if TYPE_CHECKING:
    from steerageway.helm.behaviors import Behavior, BehaviorError
    from steerageway.helm.bench import Bench, behavior_bench
    from steerageway.helm.readers import boolean, choice, number, word
    from steerageway.helm.settings import CommonSettings, parameter, repeated
    from steerageway.helm.surroundings import Mail, SeenContact, SeenObstacle
    from steerageway.helm.world import Ownship, World

refuse_bare_import(__name__)

__getattr__ = lazily(
    __name__,
    {
        "helm.behaviors": "Behavior BehaviorError",
        "helm.bench": "Bench behavior_bench",
        "helm.readers": "boolean choice number word",
        "helm.settings": "CommonSettings parameter repeated",
        "helm.surroundings": "Mail SeenContact SeenObstacle",
        "helm.world": "Ownship World",
    },
)

__all__ = [
    "Behavior", "BehaviorError", "Bench", "CommonSettings", "Mail", "Ownship", "SeenContact",
    "SeenObstacle", "World", "behavior_bench", "boolean", "choice", "number", "parameter",
    "repeated", "word",
]  # fmt: skip
