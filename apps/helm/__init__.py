"""``pHelmIvP``: the helm, its behavior files, and its behaviors.

It also exports the API for user-defined behaviors; see ``docs/own_behaviors.md``.
"""

from steerageway.apps.helm.app import Helm
from steerageway.apps.helm.behaviors import Behavior, BehaviorError
from steerageway.apps.helm.bench import Bench, behavior_bench
from steerageway.apps.helm.settings import CommonSettings, parameter, repeated
from steerageway.apps.helm.surroundings import Mail, SeenContact, SeenObstacle
from steerageway.apps.helm.world import Ownship, World
from steerageway.declarations import Choice, Number, boolean, word

number, choice = Number, Choice  # the names that users' behaviors import

__all__ = [
    "Behavior",
    "BehaviorError",
    "Bench",
    "CommonSettings",
    "Helm",
    "Mail",
    "Ownship",
    "SeenContact",
    "SeenObstacle",
    "World",
    "behavior_bench",
    "boolean",
    "choice",
    "number",
    "parameter",
    "repeated",
    "word",
]
