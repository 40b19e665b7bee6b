"""``python -m apps.usim_marine mission.moos``."""

from steerageway.apps.shell import main
from steerageway.apps.usim_marine.app import USimMarine

if __name__ == "__main__":
    main(USimMarine)
