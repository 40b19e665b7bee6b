"""``python -m apps.node_broker mission.moos``."""

from steerageway.apps.node_broker.app import NodeBroker
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(NodeBroker)
