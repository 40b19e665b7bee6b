"""Binary frames of the viewer protocol, specified in docs/viewer_protocol.md."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from steerageway.web.viewer.picture import Vessel
from steerageway.web.viewer.tracks import Track

VERSION = 1
SCENE, TRACKS, ACTUATORS = 1, 2, 3
_HEADER = struct.Struct("<BBHId")
_PIECE = struct.Struct("<HHI")
_ROW = struct.Struct("<HH")
FORGET = 1


class Piece(NamedTuple):
    """Points of a trail to be sent.

    Attributes:
        row: of the vessel in the roster.
        track: its trail. first: index of the first point. end: index behind the last.
    """

    row: int
    track: Track
    first: int
    end: int


def scene(vessels: Sequence[Vessel], roster: int, time: float) -> bytes:
    """Return a frame of the positions of all vessels of a roster."""
    rows = array("f")
    for vessel in vessels:
        rows.extend(vessel.row(time))
    return _HEADER.pack(SCENE, VERSION, len(vessels), roster, time) + rows.tobytes()


def tracks(pieces: Sequence[Piece], roster: int, time: float) -> bytes:
    """Return a frame of new points of trails; a piece that starts at 0 replaces the trail."""
    heads = [_HEADER.pack(TRACKS, VERSION, len(pieces), roster, time)]
    for row, _, first, end in pieces:
        heads.append(_PIECE.pack(row, FORGET if first == 0 else 0, end - first))
    columns = (
        column[first:end].tobytes()
        for _, track, first, end in pieces
        for column in (track.times, track.x, track.y)
    )
    return b"".join((*heads, *columns))


def actuators(rows: Iterable[tuple[int, Sequence[float]]], roster: int, time: float) -> bytes:
    """Return a frame of the states of actuators, by rows of the roster."""
    body = [_ROW.pack(row, len(values)) + array("f", values).tobytes() for row, values in rows]
    return b"".join((_HEADER.pack(ACTUATORS, VERSION, len(body), roster, time), *body))
