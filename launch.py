"""Launches a mission: ``python launch.py missions/alpha --warp max``; see ``--help``."""

import os
import signal

if __name__ == "__main__":
    signal.signal(signal.SIGINT, lambda number, frame: os._exit(130))  # until all is loaded
    from steerageway.launcher.entry import launch

    launch()
