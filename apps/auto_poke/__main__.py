"""``python -m apps.auto_poke mission.moos``."""

from steerageway.apps.auto_poke.app import AutoPoke
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(AutoPoke)
