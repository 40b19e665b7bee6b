"""``pHelmIvP``: the helm, its behavior language, and its behaviors.

What a user's own behavior needs is here, too; see ``docs/helm.md``.
"""

from steerageway.apps.helm.app import Helm
from steerageway.apps.helm.behaviors import Behavior, BehaviorError
from steerageway.apps.helm.readers import boolean, choice, number, word
from steerageway.apps.helm.settings import CommonSettings, parameter, repeated

__all__ = [
    "Behavior",
    "BehaviorError",
    "CommonSettings",
    "Helm",
    "boolean",
    "choice",
    "number",
    "parameter",
    "repeated",
    "word",
]
