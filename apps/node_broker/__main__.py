"""``python -m apps.node_broker mission.moos``."""

from apps.node_broker.app import NodeBroker
from apps.shell import main

if __name__ == "__main__":
    main(NodeBroker)
