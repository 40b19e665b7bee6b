"""``python -m apps.mission_eval mission.moos``."""

from apps.mission_eval.app import MissionEval
from apps.shell import main

if __name__ == "__main__":
    main(MissionEval)
