"""Runs the viewer."""

import sys

from steerageway.web.viewer.command import main

if __name__ == "__main__":
    sys.exit(main())
