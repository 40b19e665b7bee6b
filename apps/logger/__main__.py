"""Runs the logger alone."""

from steerageway.apps.logger.app import Logger
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(Logger)
