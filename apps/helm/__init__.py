"""``pHelmIvP``: the app around the helm. It has the names of ``steerageway.helm``, too."""

from steerageway.apps.helm.app import Helm
from steerageway.helm import (
    Behavior,
    BehaviorError,
    Bench,
    CommonSettings,
    Mail,
    Ownship,
    SeenContact,
    SeenObstacle,
    World,
    behavior_bench,
    boolean,
    choice,
    number,
    parameter,
    repeated,
    word,
)

__all__ = [
    "Behavior", "BehaviorError", "Bench", "CommonSettings", "Helm", "Mail", "Ownship",
    "SeenContact", "SeenObstacle", "World", "behavior_bench", "boolean", "choice", "number",
    "parameter", "repeated", "word",
]  # fmt: skip
