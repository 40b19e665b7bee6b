"""Trails are thinned, and stay close to the positions."""

from __future__ import annotations

from itertools import pairwise
from math import cos, dist, isnan, pi, sin

import pytest

from steerageway.web.viewer.tracks import OFF, OLD, Track, Tracks

RATE = 4  # positions a second


def trail_of(way, seconds):
    """Return the trail of a vessel, and where it was."""
    track = Track()
    points = [(n / RATE, *way(n / RATE)) for n in range(seconds * RATE)]
    for time, x, y in points:
        track.add(time, x, y)
    return track, points


def off(track, points):
    """Return the greatest distance of a position from the trail at the same time."""
    kept = list(zip(track.times, track.x, track.y, strict=True))
    worst = 0.0
    for (t0, *a), (t1, *b) in pairwise(kept):
        for time, x, y in points:
            if t0 <= time <= t1:
                share = (time - t0) / (t1 - t0)
                at = [p + share * (q - p) for p, q in zip(a, b, strict=True)]
                worst = max(worst, dist(at, (x, y)))
    return worst


@pytest.mark.parametrize(
    ("way", "most"),
    [
        (lambda t: (2 * t, 3 * t), 110),
        (lambda t: (100 * sin(t / 50), 100 * cos(t / 50)), 400),
        (lambda t: (5.0, 5.0), 110),
        (lambda t: (2 * t, 20 * sin(2 * pi * t / 60)), 600),
    ],
)
def test_a_trail_is_thin_and_near(way, most):
    track, points = trail_of(way, 1000)
    assert len(track) <= most < len(points)
    assert off(track, points) <= 2 * OFF
    assert max(b - a for a, b in pairwise(track.times)) <= OLD


def test_the_trail_of_a_part_is_the_part_of_the_trail():
    def way(t):
        return 60 * sin(t / 20), 60 * cos(t / 15)

    whole, _ = trail_of(way, 300)
    part, _ = trail_of(way, 100)
    end = whole.until(part.times[-1])
    assert whole.times[:end] == part.times
    assert whole.x[:end] == part.x


def test_x_and_y_make_a_point_in_whatever_order_they_come():
    one, other = Tracks(), Tracks()
    one.take("abe", "NAV_X", 1.0, 0.0)
    one.take("abe", "NAV_Y", 2.0, 0.0)
    other.take("abe", "NAV_Y", 2.0, 0.0)
    other.take("abe", "NAV_X", 1.0, 0.0)
    for tracks in (one, other):
        track = tracks.of["abe"]
        assert (list(track.times), list(track.x), list(track.y)) == ([0.0], [1.0], [2.0])


def test_a_reset_breaks_all_trails():
    tracks = Tracks()
    for time in (0.0, 1.0):
        tracks.take("abe", "NAV_X", time, time)
        tracks.take("abe", "NAV_Y", time, time)
    tracks.take("abe", "TRAIL_RESET", "true", 2.0)
    assert isnan(tracks.of["abe"].x[-1])
    assert tracks.of["abe"].times[-1] == 2.0


def test_reports_make_trails_of_contacts_and_not_of_communities():
    tracks = Tracks()
    tracks.take("abe", "NAV_X", 0.0, 0.0)
    tracks.take("abe", "NAV_Y", 0.0, 0.0)
    for name in ("abe", "tanker"):
        tracks.take("abe", "NODE_REPORT", f"NAME={name},X=5,Y=6,SPD=0,HDG=0,TIME=1", 1.0)
    assert list(tracks.of) == ["abe", "tanker"]
    assert list(tracks.of["abe"].times) == [0.0]
