"""``python -m apps.mission_eval mission.moos``."""

from steerageway.apps.experiments.mission_eval.app import MissionEval
from steerageway.apps.framework.shell import main

if __name__ == "__main__":
    main(MissionEval)
