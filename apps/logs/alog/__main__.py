"""Runs the log tools."""

import sys

from steerageway.apps.logs.alog.command import main

if __name__ == "__main__":
    sys.exit(main())
