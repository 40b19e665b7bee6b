"""Grammar of ``start_pos``, ``USM_RESET`` and ``USM_TELEPORT``: a vessel's pose as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot

from steerageway.bus import Config, Entry, at_line, parsed
from steerageway.declarations import Number, finite
from steerageway.geometry.geodesy import check_local
from steerageway.moos.values import by_key, pairs
from steerageway.vessel.errors import InvalidValue

IN_ORDER = ("x", "y", "heading", "speed", "depth")
ALIASES = {"deg": "heading", "hdg": "heading", "spd": "speed", "dep": "depth"}
FAR = 100e3  # [m] from the datum, which few missions reach, and all UTM coordinates exceed
EXPECTED = (
    "expected x=<m>, y=<m>, heading=<deg>, speed=<m/s>, depth=<m, at least 0>, "
    "or numbers in that order"
)


def read_pose(text: str) -> dict[str, float]:
    """Parse "x=1,y=2,heading=90,speed=0,depth=0", a part of it, or bare numbers in that order.

    Raises:
        InvalidValue: an unknown key, no number, more than five fields, or a negative depth.
    """
    fields = pairs(text)
    if not 0 < len(fields) <= len(IN_ORDER):
        raise InvalidValue(EXPECTED)
    pose: dict[str, float] = {}
    for place, (left, right) in zip(IN_ORDER, fields, strict=False):
        key = ALIASES.get(left.lower(), left.lower()) if right else place
        value = finite(right or left)
        if key not in IN_ORDER or value is None:
            raise InvalidValue(f"{EXPECTED}, not {left}{'=' if right else ''}{right}")
        pose[key] = value
    if pose.get("depth", 0.0) < 0:
        raise InvalidValue(f"{EXPECTED}, not depth={pose['depth']:g}")
    return pose


def unnamed_number(text: str) -> str:
    """Return a warning of a number without a name after named ones, or "".

    In "x=1,y=2,180" the last number is a heading by its place, which may not be intended. A 0 is
    the
    default anyway.
    """
    fields, named = pairs(text), False
    for place, (left, right) in zip(IN_ORDER, fields, strict=False):
        if named and not right and finite(left):
            return f"{left} has no name, and is the {place} by its place"
        named = named or bool(right)
    return ""


def read_place(text: str) -> tuple[float, float]:
    """Parse "x=1,y=2".

    Raises:
        InvalidValue: the text has another form.
    """
    fields = by_key(text)
    x, y = finite(fields.pop("x", "")), finite(fields.pop("y", ""))
    if fields or x is None or y is None:
        raise InvalidValue("expected x=<m>,y=<m>")
    return x, y


def read_starts(config: Config) -> tuple[dict[str, float], ...]:
    """Read the poses, or parts of one, in the lines of a block; they are applied in order.

    Raises:
        ConfigError: a line is invalid.
    """
    return tuple(map(_start, _start_lines(config)))


def check_start(config: Config, warn: Callable[[str, str], None]) -> None:
    """Check the distance of a start position from the datum.

    Args:
        config: the block.
        warn: takes a warning and the line it is about.
    Raises:
        ConfigError: it is too far for a latitude and longitude.
    """
    place, last = {"x": 0.0, "y": 0.0}, None
    for entry in _start_lines(config):
        moved = {key: value for key, value in _start(entry).items() if key in place}
        place, last = {**place, **moved}, entry if moved else last
    if last is None:
        return
    with at_line(last):
        check_local(**place)
    distance = hypot(*place.values())
    if distance > FAR:
        text = f"{distance / 1e3:.0f} km from the datum: are these UTM coordinates?"
        warn(f"{last.key} = {last.value}: {text}", last.where)


def _start_lines(config: Config) -> Sequence[Entry]:
    return config.in_turn("start_pos", *(f"start_{key}" for key in IN_ORDER))


def _start(entry: Entry) -> dict[str, float]:
    key = entry.key.lower().removeprefix("start_")
    if key == "pos":
        with at_line(entry):
            return read_pose(entry.value.strip())
    return {key: parsed(entry, Number(low=0.0) if key == "depth" else Number())}
