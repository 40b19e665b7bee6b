"""``python -m apps.usim_marine mission.moos``."""

from apps.shell import main
from apps.usim_marine.app import USimMarine

if __name__ == "__main__":
    main(USimMarine)
