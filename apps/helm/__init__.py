"""``pHelmIvP``: the helm, its behavior language, and its behaviors."""

from apps.helm.app import Helm

__all__ = ["Helm"]
