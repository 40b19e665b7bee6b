"""``uFldNodeComms``: delivers node reports and messages to the vessels within range."""

from steerageway.apps.communication.node_comms.app import NodeComms

__all__ = ["NodeComms"]
