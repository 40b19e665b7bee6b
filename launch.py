"""Start a mission: ``python launch.py missions/alpha --warp max``; ``--help`` says the rest."""

import sys

if __name__ == "__main__":
    try:
        from steerageway.launcher.command import main

        sys.exit(main())
    except KeyboardInterrupt:  # while what it needs is being loaded
        sys.exit(130)
