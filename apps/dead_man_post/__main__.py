"""``python -m apps.dead_man_post mission.moos``."""

from apps.dead_man_post.app import DeadManPost
from apps.shell import main

if __name__ == "__main__":
    main(DeadManPost)
