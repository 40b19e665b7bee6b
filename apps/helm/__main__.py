"""``python -m apps.helm mission.moos``."""

from apps.helm.app import Helm
from apps.shell import main

if __name__ == "__main__":
    main(Helm)
