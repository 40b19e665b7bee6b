"""``pNodeReporter``: publishes a vessel's node report: position, state and appearance."""
