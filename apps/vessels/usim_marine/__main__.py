"""``python -m apps.usim_marine mission.moos``."""

from steerageway.apps.shared.shell import main
from steerageway.apps.vessels.usim_marine.app import USimMarine

if __name__ == "__main__":
    main(USimMarine)
