"""Pictures of scenarios and of tracks, as SVG within a page."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin

from steerageway.apps.shared.encounters import Scenario

COLORS = ("#1f5fbf", "#c2410c", "#15803d", "#7e22ce", "#b45309")  # own vessel first
SIZE, MARGIN = 320.0, 14.0  # of a picture [px]
HULL = 1.6  # drawn length of a vessel, in lengths, but at least SMALLEST pixels
SMALLEST = 9.0
Points = Sequence[Sequence[float]]


class Frame:
    """Maps metres to pixels, north up, so that all points are inside."""

    def __init__(self, points: Points, size: float) -> None:
        """Make the frame of some points (x, y) [m] in a square [px]."""
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        span = max(max(xs) - min(xs), max(ys) - min(ys), 1e-9)
        self.size, self.scale = size, (size - 2 * MARGIN) / span
        self._x, self._y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return a point [px]."""
        half = self.size / 2
        return half + (x - self._x) * self.scale, half - (y - self._y) * self.scale

    def line(self, points: Points, style: str) -> str:
        """Return a line through points."""
        pixels = " ".join("{:.1f},{:.1f}".format(*self.at(p[0], p[1])) for p in points)
        return f'<polyline points="{pixels}" fill="none" {style}/>'

    def vessel(self, x: float, y: float, heading: float, length: float, color: str) -> str:
        """Return a vessel as an arrowhead along its heading [deg]."""
        u, v = self.at(x, y)
        size = max(HULL * length * self.scale, SMALLEST)
        corners = ((0.6, 0.0), (-0.4, 0.3), (-0.25, 0.0), (-0.4, -0.3))
        s, c = sin(radians(heading)), cos(radians(heading))
        points = " ".join(
            f"{u + size * (a * s + b * c):.1f},{v - size * (a * c - b * s):.1f}" for a, b in corners
        )
        return f'<polygon points="{points}" fill="{color}"/>'


def of_scenario(scenario: Scenario, size: float = 110.0) -> str:
    """Return the starts of a scenario, with the courses until the own passage is half over."""
    half = 0.5 * scenario.way / scenario.start.speed
    starts = [scenario.start, *(one.start for one in scenario.targets)]
    ways = [[(one.x, one.y), one.ahead(half * one.speed)[:2]] for one in starts]
    frame = Frame([point for way in ways for point in way], size)
    marks = _areas(frame, scenario)
    for one, way, color in zip(starts, ways, _colors(len(starts)), strict=True):
        marks.append(frame.line(way, f'stroke="{color}" stroke-dasharray="3 2"'))
        marks.append(frame.vessel(one.x, one.y, one.heading, scenario.length, color))
    return _svg(marks, size, f"start of {scenario.name}")


def of_tracks(scenario: Scenario, tracks: Sequence[Points], moment: int) -> str:
    """Return the tracks of a run, with the vessels at one of its samples.

    Args:
        tracks: of the own vessel and the others: (x, y, heading) at each sample.
        moment: the sample, such as that of the CPA.
    """
    frame = Frame([point for track in tracks for point in track], SIZE)
    marks = _areas(frame, scenario)
    goal = [tracks[0][0], scenario.goal]
    marks.append(frame.line(goal, 'stroke="#94a3b8" stroke-dasharray="2 4"'))
    for track, color in zip(tracks, _colors(len(tracks)), strict=True):
        marks.append(frame.line(track, f'stroke="{color}" stroke-width="1.5"'))
        x, y, heading = track[moment]
        marks.append(frame.vessel(x, y, heading, scenario.length, color))
    return _svg(marks, SIZE, f"tracks of {scenario.name}")


def _areas(frame: Frame, scenario: Scenario) -> list[str]:
    """Return the shallow water, brown, and the separation zones, magenta as on charts."""
    kinds = ((scenario.shallow, "#a16207"), (scenario.zones, "#c026d3"))
    return [
        frame.line([*polygon, polygon[0]], f'stroke="{color}" stroke-width="2"')
        for polygons, color in kinds
        for polygon in polygons
    ]


def _colors(count: int) -> list[str]:
    others = COLORS[1:]
    return [COLORS[0], *(others[k % len(others)] for k in range(count - 1))]


def _svg(marks: Sequence[str], size: float, title: str) -> str:
    box = f'width="{size:g}" height="{size:g}" viewBox="0 0 {size:g} {size:g}"'
    return f'<svg {box} role="img" aria-label="{title}">{"".join(marks)}</svg>'
