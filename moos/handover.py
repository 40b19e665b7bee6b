"""Mission files as programs of MOOS are given them: with the database's place, and its warp."""

from __future__ import annotations

import re
from pathlib import Path

_REPLACED = re.compile(
    rb"^[ \t]*(community|serverhost|serverport|moostimewarp)[ \t]*=.*$", re.IGNORECASE | re.M
)


def write_handover(mission: Path, copy: Path, community: str, port: int, warp: float) -> None:
    """Write a copy of a mission file that leads its readers to a MOOSDB of this machine.

    Args:
        mission, copy: the files.
        community: its name. port: of the MOOSDB. warp: at which its readers are to run.

    Raises:
        OSError: a file cannot be read or written.
    """
    head = f"Community = {community}\nServerHost = 127.0.0.1\nServerPort = {port}\n"
    head += f"MOOSTimeWarp = {warp:g}\n"
    copy.write_bytes(head.encode() + _REPLACED.sub(b"", mission.read_bytes()))
