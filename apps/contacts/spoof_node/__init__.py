"""``pSpoofNode``: reports vessels that are not there."""

from steerageway.apps.contacts.spoof_node.app import SpoofNode

__all__ = ["SpoofNode"]
