"""``python -m apps.helm mission.moos``."""

from steerageway.apps.framework.shell import main
from steerageway.apps.helm.app import Helm

if __name__ == "__main__":
    main(Helm)
