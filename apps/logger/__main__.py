"""Runs the logger alone."""

from apps.logger.app import Logger
from apps.shell import main

if __name__ == "__main__":
    main(Logger)
