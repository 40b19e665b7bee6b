"""``python -m apps.node_reporter mission.moos``."""

from steerageway.apps.communication.node_reporter.app import NodeReporter
from steerageway.apps.framework.shell import main

if __name__ == "__main__":
    main(NodeReporter)
