"""Runs uMayFinish."""

import sys

from steerageway.apps.consoles.may_finish.command import main

if __name__ == "__main__":
    sys.exit(main())
