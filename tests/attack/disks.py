"""A disk that stalls: a file system of its own for a run, frozen and thawed under its writers."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path
from random import Random
from shutil import which

from launches import Launch

from steerageway.bus import sleep

FREEZE, THAW = 0xC0045877, 0xC0045878  # FIFREEZE, FITHAW of linux/fs.h
SIZE = 64 << 20  # bytes of the disk
OPTIONS = ("loop", "loop,sync", "loop,sync,dirsync")
STALLS = ((0.01, 0.05), (0.05, 0.3), (0.5, 3.0))  # wall seconds that one lasts


def missing() -> str:
    """Return what this machine lacks to make such a disk; "" if nothing."""
    if os.geteuid() != 0:
        return "only root mounts a file system"
    tools = [name for name in ("mkfs.ext4", "mount", "umount") if which(name) is None]
    return "" if not tools and Path("/dev/loop-control").exists() else "no loop devices or tools"


@contextmanager
def disk(folder: Path, rng: Random) -> Iterator[Path]:
    """Make and mount a file system in a file of a folder; yield where."""
    image, place = folder / "image", folder / "disk"
    with image.open("wb") as file:
        file.truncate(SIZE)
    place.mkdir()
    subprocess.run(["mkfs.ext4", "-q", str(image)], check=True)
    options = rng.choice(OPTIONS)
    subprocess.run(["mount", "-o", options, str(image), str(place)], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def stall(launch: Launch, place: Path, rng: Random) -> int:
    """Freeze the disk of a run again and again, until it is over; return how often.

    Who writes to it then waits in the kernel, as for a disk that does not answer.
    """
    lasts, count = rng.choice(STALLS), 0
    at = os.open(place, os.O_RDONLY)
    try:
        while launch.process.poll() is None:
            ioctl(at, FREEZE, 0)
            try:
                count += 1
                sleep(rng.uniform(*lasts))
            finally:
                ioctl(at, THAW, 0)
            sleep(rng.uniform(0.0, 0.2))
    finally:
        os.close(at)
    return count
