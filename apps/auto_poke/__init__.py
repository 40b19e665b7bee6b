"""``pAutoPoke``: posts what starts a mission, once enough vessels are there."""

from steerageway.apps.auto_poke.app import AutoPoke

__all__ = ["AutoPoke"]
