"""``uFldNodeComms``: passes node reports and messages on between vessels, as far as they reach."""

from apps.node_comms.app import NodeComms

__all__ = ["NodeComms"]
