"""Runs the console."""

import sys

from steerageway.apps.consoles.poke.command import main

if __name__ == "__main__":
    sys.exit(main())
