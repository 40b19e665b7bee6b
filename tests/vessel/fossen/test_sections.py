"""Hull sections in the compiled model against strip theory over the mesh."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.cross_flow import cross_flow_drag, section_strips
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import load
from steerageway.world import gdf

INPUTS = Path(__file__).parents[3] / "inputs"
NU = np.array([0.7, 0.4, -0.2, 0.1, 0.15, 0.3])
ASKED = {"hydrodynamics.cross_flow_drag": "true"}


def drag(name, **overrides):
    """Return the wrench (6,) that cross-flow drag adds."""
    changes = {key.replace("__", "."): value for key, value in overrides.items()}
    without = load(INPUTS / name, overrides=changes)
    having = load(INPUTS / name, overrides=changes | ASKED)
    x = having.initial.copy()
    x[6:12] = NU
    still, command = having.surroundings(), np.zeros(len(having.commands))
    rates = [craft.derivative(x, command, still)[6:12] for craft in (having, without)]
    mass = np.linalg.inv(having.parameters.matrices[0])
    return mass @ (rates[0] - rates[1])


def strips_of(name, aft_of_co=0.0, submerged=False):
    (path,) = (INPUTS / name).rglob("*.gdf")
    x, dx, beams, drafts = gdf.sections(gdf.read(path))
    return section_strips(x + aft_of_co, dx, beams, drafts, submerged)


@pytest.mark.slow
def test_a_mesh_named_in_the_geometry_drags_strip_by_strip():
    expected = cross_flow_drag(strips_of("sookshma"), NU, 1025.0)
    assert abs(expected[5]) > 0.01 * abs(expected[1])
    assert drag("sookshma") == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
def test_a_submerged_mesh_drags_in_heave_and_pitch_too():
    expected = cross_flow_drag(strips_of("sookshma", submerged=True), NU, 1025.0)
    assert abs(expected[2]) > 0
    section = {"hydrodynamics__cross_flow": {"submerged": True}}
    assert drag("sookshma", **section) == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
def test_strips_lie_about_co():
    moved = drag("sookshma", geometry__CO={"position": [0.2, 0.0, 0.0]})
    expected = cross_flow_drag(strips_of("sookshma", aft_of_co=-0.2), NU, 1025.0)
    assert moved == pytest.approx(expected, abs=1e-9)


def test_a_box_is_used_where_the_files_select_it():
    box = load(INPUTS / "sookshma", overrides=ASKED | {"hydrodynamics.cross_flow": "form: hoerner"})
    assert len(box.parameters.tables) < len(load(INPUTS / "sookshma", "", ASKED).parameters.tables)


@pytest.mark.slow
def test_a_mesh_in_millimetres_is_refused():
    with pytest.raises(InvalidValue, match=r"MavyMini.gdf: .* 1477\S* m .*expected a mesh in metr"):
        load(INPUTS / "mavymini", overrides=ASKED)


def test_a_missing_mesh_is_named(tmp_path):
    shutil.copytree(INPUTS / "sookshma", tmp_path / "sookshma")
    shutil.rmtree(tmp_path / "sookshma" / "HydRA" / "input")
    with pytest.raises(InvalidValue, match=r"sookshma\.gdf: no such file"):
        load(tmp_path / "sookshma", overrides=ASKED)
