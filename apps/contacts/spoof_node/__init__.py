"""``pSpoofNode``: publishes node reports of simulated (spoofed) vessels."""

from steerageway.apps.contacts.spoof_node.app import SpoofNode

__all__ = ["SpoofNode"]
