"""Runs the configurator."""

import sys

from steerageway.web.configurator.command import main

if __name__ == "__main__":
    sys.exit(main())
