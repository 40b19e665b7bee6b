"""Runs pickpos."""

import sys

from steerageway.apps.experiments.pickpos.command import main

if __name__ == "__main__":
    sys.exit(main())
