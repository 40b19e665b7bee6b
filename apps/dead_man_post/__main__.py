"""``python -m apps.dead_man_post mission.moos``."""

from steerageway.apps.dead_man_post.app import DeadManPost
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(DeadManPost)
