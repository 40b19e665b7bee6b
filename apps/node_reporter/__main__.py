"""``python -m apps.node_reporter mission.moos``."""

from apps.node_reporter.app import NodeReporter
from apps.shell import main

if __name__ == "__main__":
    main(NodeReporter)
