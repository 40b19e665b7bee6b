"""Runs it."""

import sys

from steerageway.apps.nsplug.command import main

if __name__ == "__main__":
    sys.exit(main())
