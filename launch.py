"""Start a mission: ``python launch.py missions/alpha --warp max``; ``--help`` says the rest."""

import sys

from steerageway.launcher.command import main

if __name__ == "__main__":
    sys.exit(main())
