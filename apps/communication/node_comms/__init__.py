"""``uFldNodeComms``: passes node reports and messages on between vessels, as far as they reach."""

from steerageway.apps.communication.node_comms.app import NodeComms

__all__ = ["NodeComms"]
