"""``python -m apps.node_reporter mission.moos``."""

from steerageway.apps.node_reporter.app import NodeReporter
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(NodeReporter)
