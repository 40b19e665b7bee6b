"""``python -m apps.node_comms mission.moos``."""

from apps.node_comms.app import NodeComms
from apps.shell import main

if __name__ == "__main__":
    main(NodeComms)
