"""``pNodeReporter``: tells others where a vessel is, what it does and what it is."""

from steerageway.apps.communication.node_reporter.app import NodeReporter

__all__ = ["NodeReporter"]
