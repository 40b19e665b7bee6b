"""WAMIT meshes: sections of a wedge in closed form, and invalid files."""

import numpy as np
import pytest

from steerageway.vessel.cross_flow import cross_flow_drag, section_strips
from steerageway.vessel.errors import InvalidValue
from steerageway.world.gdf import read, sections

# Half a hull 4 m long of draft 0.5 m, its half beam from 0.2 m aft to 0.6 m ahead: the port side
# and half the bottom, two panels; the file says that the other half is alike.
WEDGE = """a wedge
1.0 9.80665  ULEN GRAV
0 1  ISX ISY
2
-2 0.2 0   2 0.6 0   2 0.6 -0.5   -2 0.2 -0.5
-2 0.2 -0.5   2 0.6 -0.5
2 0 -0.5   -2 0 -0.5
"""


def written(tmp_path, text):
    path = tmp_path / "hull.gdf"
    path.write_text(text)
    return path


def test_sections_of_a_wedge(tmp_path):
    x, dx, beams, drafts = sections(read(written(tmp_path, WEDGE)), strips=8)
    np.testing.assert_allclose(x, np.linspace(-1.75, 1.75, 8))
    np.testing.assert_allclose(dx, 0.5)
    np.testing.assert_allclose(beams, 2 * (0.4 + 0.1 * x))
    np.testing.assert_allclose(drafts, 0.5)


def test_a_title_may_be_in_latin_1(tmp_path):
    path = written(tmp_path, WEDGE)
    plain = read(path)
    path.write_bytes(WEDGE.replace("a wedge", "Bootsk\xf6rper").encode("latin-1"))
    assert np.array_equal(read(path), plain)


def test_a_hull_broader_ahead_is_turned_by_a_flow_from_the_side(tmp_path):
    x, dx, B, T = sections(read(written(tmp_path, WEDGE)))
    tau = cross_flow_drag(section_strips(x, dx, B, T), [0, 1, 0, 0, 0, 0])
    assert tau[1] < 0
    assert tau[5] > 0  # broad sections drag less: the stern is held back


def test_a_panel_above_water_does_not_count(tmp_path):
    text = WEDGE.replace("\n2\n-2", "\n3\n-2") + "-2 2 1  2 2 1  2 2 2  -2 2 2\n"
    assert sections(read(written(tmp_path, text)))[2].max() < 1.2


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("0 1  ISX", "0  ISX", r"hull.gdf:3: .*whole number as word 2"),
        ("\n2\n", "\n3\n", r"hull.gdf:7: the file ends after 24 numbers"),
        ("2 0.6 0 ", "2 0,6 0 ", r"hull.gdf:5: 0,6: expected a number"),
        ("2 0.6 0 ", "2 nan 0 ", r"hull.gdf:5: nan: expected a number"),
    ],
)
def test_a_file_that_is_no_hull_is_refused_with_its_line(tmp_path, old, new, expected):
    with pytest.raises(InvalidValue, match=expected):
        read(written(tmp_path, WEDGE.replace(old, new)))


def test_a_hull_in_the_air_has_no_sections():
    with pytest.raises(InvalidValue, match="no panel lies below the water"):
        sections(np.full((1, 4, 3), -1.0))
