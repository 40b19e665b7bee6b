"""Numbers converted from Panisim's main file are read back exactly, whatever their size."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from steerageway.apps.vessels.usim_marine.pose import read_pose
from steerageway.helm.behaviors.waypoint.settings import point_list
from steerageway.peers.panisim.missions import plain

metres = st.floats(-1e7, 1e7) | st.floats(-1e-4, 1e-4)


@given(metres, metres)
def test_waypoints_are_read_as_intended(north: float, east: float) -> None:
    """To a nanometre, of a point due north of the datum too, whose easting is 6.97e-11."""
    text = f"{plain(east)},{plain(north)}"
    assert "e" not in text
    (point,) = point_list(text)
    assert abs(point[0] - east) <= 1e-9 + 1e-15 * abs(east)
    assert abs(point[1] - north) <= 1e-9 + 1e-15 * abs(north)


@given(metres, metres)
def test_points_and_starts_may_be_written_with_exponents(x: float, y: float) -> None:
    assert point_list(f"{x!r},{y!r}") == ((x, y),)
    assert point_list(f"pts={{{x:.16e},{y:.16e}}}") == ((x, y),)
    assert read_pose(f"x={x!r},y={y:.16e}") == {"x": x, "y": y}
