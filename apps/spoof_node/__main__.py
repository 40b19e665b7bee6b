"""``python -m apps.spoof_node mission.moos``."""

from apps.shell import main
from apps.spoof_node.app import SpoofNode

if __name__ == "__main__":
    main(SpoofNode)
