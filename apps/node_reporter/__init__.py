"""``pNodeReporter``: tells others where a vessel is, what she does and what she is."""

from steerageway.apps.node_reporter.app import NodeReporter

__all__ = ["NodeReporter"]
