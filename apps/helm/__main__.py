"""``python -m apps.helm mission.moos``."""

from steerageway.apps.helm.app import Helm
from steerageway.apps.shared.shell import main

if __name__ == "__main__":
    main(Helm)
