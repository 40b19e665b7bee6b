"""``steerageway ais-scenarios``: the encounters of an AIS recording, as a file of scenarios.

An encounter is a pair of vessels under way that come nearer to each other than a range. The one
that has to give way when the scenario begins becomes the own vessel: it sails straight to where the
recorded one went. All others keep to their recorded positions, at their mean speeds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import NamedTuple

from steerageway.apps.shared.terminal import say
from steerageway.bridges.ais_traffic.recording import Recording, RecordingError
from steerageway.bridges.ais_traffic.track import Track, cleaned
from steerageway.declarations import Number
from steerageway.declarations.arguments import Parser, argument
from steerageway.geometry.encounter import Track as Motion
from steerageway.geometry.encounter import bearing, separation
from steerageway.geometry.geodesy import Datum
from steerageway.vessel.colregs.situations import situation

PROGRAM = "steerageway ais-scenarios"
STEP = 10.0  # between the instants that are looked at [s]
LEGS = 60.0  # between two points of a route [s]
SHORTEST = 180.0  # least time from begin to CPA, and from there to the end [s]
UNDER_WAY = 1.0  # least mean speed [m/s]
LENGTH = 50.0  # of a vessel whose length was not reported [m]
MOST_TARGETS = 20  # the nearest, of one scenario


class Meeting(NamedTuple):
    """Two vessels that met: their MMSIs, and begin, CPA and end [UTC s]."""

    one: int
    other: int
    begin: float
    cpa: float
    end: float


def meetings(tracks: Mapping[int, Track], near: float, before: float) -> Iterator[Meeting]:
    """Yield the pairs whose range has its least value below a range.

    Args:
        tracks: by MMSI.
        near: [m]. before: time from the begin to the CPA, and from there to the end [s], at most.
    """
    stations = sorted(tracks)
    for k, one in enumerate(stations):
        for other in stations[k + 1 :]:
            first = max(tracks[one].fixes[0].time, tracks[other].fixes[0].time)
            last = min(tracks[one].fixes[-1].time, tracks[other].fixes[-1].time)
            instants = [first + STEP * n for n in range(int((last - first) / STEP) + 1)]
            ranges = [_range(tracks[one], tracks[other], time) for time in instants]
            known = [(away, time) for away, time in zip(ranges, instants, strict=True) if away]
            away, cpa = min(known, default=(near, 0.0))
            begin, end = max(first, cpa - before), min(last, cpa + before)
            if away < near and min(cpa - begin, end - cpa) >= SHORTEST:
                yield Meeting(one, other, begin, cpa, end)


def scenario_of(tracks: Mapping[int, Track], met: Meeting, within: float) -> str | None:
    """Return an encounter as a scenario's YAML; None if one of the two is not under way.

    Args:
        tracks: by MMSI. met: the encounter. within: range of the others at its begin [m].
    """
    moving = {mmsi: _motion(track, met.begin, met.end) for mmsi, track in tracks.items()}
    one, other = moving[met.one], moving[met.other]
    if one is None or other is None:
        return None
    swapped = situation(other, one).gives_way and not situation(one, other).gives_way
    own, ship = (met.other, other) if swapped else (met.one, one)
    there = {
        mmsi: separation(ship, motion)
        for mmsi, motion in moving.items()
        if motion is not None and mmsi != own
    }
    listed = sorted((mmsi for mmsi in there if there[mmsi] <= within), key=there.__getitem__)
    goal = tracks[own].at(met.end)
    assert goal is not None
    lines = [
        f"  - name: ais_{met.one}_{met.other}",
        f"    own: {{length: {_length(tracks[own]):g}, {_start(ship)},"
        f" to: [{goal.x:.1f}, {goal.y:.1f}]}}",
        "    targets:",
    ]
    for mmsi in listed[:MOST_TARGETS]:
        motion = moving[mmsi]
        assert motion is not None
        route = ", ".join(
            f"[{x:.1f}, {y:.1f}]" for x, y in _points(tracks[mmsi], met.begin, met.end)
        )
        size = _length(tracks[mmsi])
        lines.append(f"      - {{{_start(motion)}, length: {size:g}, route: [{route}]}}")
    return "\n".join(lines)


def _range(one: Track, other: Track, time: float) -> float | None:
    """Return the range of two vessels [m]; None if one is in a gap."""
    here, there = one.at(time), other.at(time)
    return None if here is None or there is None else hypot(there.x - here.x, there.y - here.y)


def _motion(track: Track, begin: float, end: float) -> Motion | None:
    """Return a vessel's place, first course and mean speed; None if it is not there or moored."""
    start, soon = track.at(begin), track.at(min(begin + LEGS, end))
    if start is None or soon is None:
        return None
    points = [(start.x, start.y), *_points(track, begin, end)]
    way = sum(hypot(c - a, d - b) for (a, b), (c, d) in pairwise(points))
    speed = way / (LEGS * (len(points) - 1)) if len(points) > 1 else 0.0
    if speed < UNDER_WAY:
        return None
    here = Motion(start.x, start.y, 0.0, speed)
    return here._replace(heading=bearing(here, Motion(soon.x, soon.y, 0.0, 0.0)))


def _points(track: Track, begin: float, end: float) -> Iterator[tuple[float, float]]:
    """Yield the places after each ``LEGS`` seconds, up to a gap."""
    for number in range(1, int((end - begin) / LEGS) + 1):
        place = track.at(begin + LEGS * number)
        if place is None:
            return
        yield place.x, place.y


def _start(motion: Motion) -> str:
    place = f"at: [{motion.x:.1f}, {motion.y:.1f}]"
    return f"{place}, heading: {motion.heading:.1f}, speed: {motion.speed:.3f}"


def _length(track: Track) -> float:
    reported = (fix.station.length for fix in track.fixes if fix.station.length)
    return next(reported, LENGTH) or LENGTH


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Print the scenarios of a recording; return the exit code."""
    command = Parser(prog=prog, description="Make scenarios of encounters from AIS.")
    metres, seconds = argument(Number(above=0)), argument(Number(low=SHORTEST))
    command.add_argument("recording", type=Path, help="a .csv of MarineCadastre, or sentences")
    command.add_argument("--near", type=metres, default=1000.0, help="range of an encounter [m]")
    command.add_argument("--within", type=metres, default=9000.0, help="of other vessels [m]")
    command.add_argument(
        "--before", type=seconds, default=900.0, help="time before and after the CPA, at most [s]"
    )
    command.add_argument("--gap", type=seconds, default=180.0, help="of reports, at most [s]")
    options = command.parse_args(arguments)
    try:
        recording = Recording(options.recording, lambda station: True)
    except RecordingError as error:
        command.exit(2, f"{prog}: {error}\n")
    first = next(iter(recording.reports.values()))[0][1]
    place, found = Datum(first.lat or 0.0, first.lon or 0.0), Counter[str]()
    tracks = {
        mmsi: cleaned(reports, place.to_local, options.gap, found)
        for mmsi, reports in sorted(recording.reports.items())
    }
    met = meetings(tracks, options.near, options.before)
    scenarios = list(filter(None, (scenario_of(tracks, one, options.within) for one in met)))
    if not scenarios:
        expected = f"expected two vessels under way that come within {options.near:g} m"
        command.exit(2, f"{prog}: {options.recording}: {expected}\n")
    say(f"about: AIS recording {options.recording.name}", "", "scenarios:", *scenarios)
    return 0
