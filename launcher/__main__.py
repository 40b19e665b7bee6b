"""Starts a mission, as ``launch.py`` does."""

import sys

from steerageway.launcher.command import main

if __name__ == "__main__":
    sys.exit(main())
