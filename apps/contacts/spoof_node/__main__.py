"""``python -m apps.spoof_node mission.moos``."""

from steerageway.apps.contacts.spoof_node.app import SpoofNode
from steerageway.apps.framework.shell import main

if __name__ == "__main__":
    main(SpoofNode)
