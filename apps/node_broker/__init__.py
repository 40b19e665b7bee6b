"""``uFldNodeBroker``: tells the shore who it is, and shares with it once it answers."""

from steerageway.apps.node_broker.app import NodeBroker

__all__ = ["NodeBroker"]
