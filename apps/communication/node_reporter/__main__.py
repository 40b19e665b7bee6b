"""``python -m apps.node_reporter mission.moos``."""

from steerageway.apps.communication.node_reporter.app import NodeReporter
from steerageway.apps.shared.shell import main

if __name__ == "__main__":
    main(NodeReporter)
