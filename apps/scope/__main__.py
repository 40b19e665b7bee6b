"""Runs the scope."""

import sys

from apps.scope.command import main

if __name__ == "__main__":
    sys.exit(main())
