"""``python -m apps.mission_eval mission.moos``."""

from steerageway.apps.mission_eval.app import MissionEval
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(MissionEval)
