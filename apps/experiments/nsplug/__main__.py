"""Runs nsplug."""

import sys

from steerageway.apps.experiments.nsplug.command import main

if __name__ == "__main__":
    sys.exit(main())
