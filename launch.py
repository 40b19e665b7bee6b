"""Launches a mission: ``python launch.py missions/alpha --warp max``; see ``--help``."""

import sys

if __name__ == "__main__":
    try:
        from steerageway.launcher.command import main

        sys.exit(main())
    except KeyboardInterrupt:  # during the imports
        sys.exit(130)
