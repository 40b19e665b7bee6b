"""``python -m apps.spoof_node mission.moos``."""

from steerageway.apps.shell import main
from steerageway.apps.spoof_node.app import SpoofNode

if __name__ == "__main__":
    main(SpoofNode)
