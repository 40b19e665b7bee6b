"""Runs the tools."""

import sys

from steerageway.apps.alog.command import main

if __name__ == "__main__":
    sys.exit(main())
