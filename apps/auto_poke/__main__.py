"""``python -m apps.auto_poke mission.moos``."""

from apps.auto_poke.app import AutoPoke
from apps.shell import main

if __name__ == "__main__":
    main(AutoPoke)
