"""Runs uQueryDB."""

import sys

from steerageway.apps.consoles.query.command import main

if __name__ == "__main__":
    sys.exit(main())
