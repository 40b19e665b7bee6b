"""Runs the scope."""

import sys

from steerageway.apps.consoles.scope.command import main

if __name__ == "__main__":
    sys.exit(main())
