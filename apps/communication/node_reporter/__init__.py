"""``pNodeReporter``: publishes a vessel's node report: position, state and appearance."""

from steerageway.apps.communication.node_reporter.app import NodeReporter

__all__ = ["NodeReporter"]
