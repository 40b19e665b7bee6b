"""``python -m apps.node_comms mission.moos``."""

from steerageway.apps.communication.node_comms.app import NodeComms
from steerageway.apps.shared.shell import main

if __name__ == "__main__":
    main(NodeComms)
