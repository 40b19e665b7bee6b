"""3D geometry of a vessel for the viewer: dimensions, actuators and hull mesh, in BODY.

Lengths in metres, x forward, y to starboard, z down. It reads the vessel's files only: building the
model would compile it, which takes long. Their reader is loaded with the first vessel, as it
imports numba.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from steerageway.vessel.errors import VesselError
from steerageway.vessel.fossen.frame import Frame, angles, frame_of
from steerageway.world import gdf
from steerageway.world.arrays import Floats
from steerageway.world.document import Section
from steerageway.world.mesh import AXES, MOST_TRIANGLES
from steerageway.world.mesh_files import read_corners
from steerageway.world.shapes import stl_of

if TYPE_CHECKING:
    from steerageway.vessel.fossen.folder import Folder

_LENGTH_FILES = ("geometry", "hydrodynamics", "vessel", "inertia")
CHORD = 0.5  # half the chord of a control surface, by the root of its area: a square one
DIAMETER = 0.1  # default propeller diameter, as a fraction of the vessel's breadth


@dataclass(frozen=True, slots=True)
class VesselFiles:
    """The files of a vessel, as a simulator's block names them.

    Attributes:
        folder: its folder.
        elsewhere: files that are in other places, by kind.
        overrides: values in place of those of the files, by dotted key.
    """

    folder: Path
    elsewhere: Mapping[str, Path] = field(default_factory=dict)
    overrides: Mapping[str, str] = field(default_factory=dict)

    def read(self) -> Folder:
        """Read the files.

        Raises:
            VesselError: one is missing or not valid.
        """
        from steerageway.vessel.fossen.folder import read_folder

        return read_folder(self.folder, "", self.overrides, self.elsewhere)


class NoModel(ValueError):
    """A vessel's geometry cannot be shown; the text says why."""


def model_of(vessel: VesselFiles) -> dict[str, Any]:
    """Return a vessel's dimensions and actuators; see ``docs/viewer_protocol.md``.

    Args:
        vessel: its files.

    Raises:
        NoModel: its files do not contain them, or are not valid.
    """
    try:
        files = vessel.read()
        geometry = files["geometry"]
        frame = frame_of(geometry)
        length, beam = _length(files), geometry.number("breadth", 0.0)
        surfaces = [
            _surface(one, number, frame)
            for number, one in enumerate(_sections(files, "control_surfaces"), 1)
        ]
        thrusters = [
            _thruster(one, number, frame, beam or length / 5)
            for number, one in enumerate(_sections(files, "thrusters"), 1)
        ]
        draft = geometry.number("draft", 0.0)
    except (VesselError, LookupError) as error:
        raise NoModel(str(error)) from None
    return {
        "length": length,
        "beam": beam or length / 5,
        "draft": draft or None,
        "mesh": _mesh_path(files) is not None,
        "origin": frame.co.tolist(),
        "actuators": [*surfaces, *thrusters],
    }


def mesh_of(vessel: VesselFiles) -> bytes:
    """Return the triangles of a vessel's hull: nine float32 each, in BODY relative to CO.

    Args:
        vessel: its files.

    Raises:
        NoModel: it has no mesh, or the mesh cannot be read.
    """
    return _corners_of(vessel).astype("<f4").tobytes()


def stl_in_flu(vessel: VesselFiles) -> bytes:
    """Return a vessel's hull as a binary STL file: x forward, y to port, z up, relative to CO.

    Args:
        vessel: its files.

    Raises:
        NoModel: as of ``mesh_of``.
    """
    return stl_of(_corners_of(vessel) @ AXES["FLU"])


def _corners_of(vessel: VesselFiles) -> Floats:
    """Return the triangles of a vessel's hull (m, 3, 3) in BODY relative to CO [m]."""
    try:
        files = vessel.read()
        path = _mesh_path(files)
        if path is None:
            raise NoModel(f"{files.path}: no mesh of its hull")
        triangles = _triangles(files["geometry"], path)
        frame = frame_of(files["geometry"])
    except VesselError as error:
        raise NoModel(str(error)) from None
    corners: Floats = (triangles - frame.origin) @ frame.R
    return corners


def _triangles(geometry: Section, path: Path) -> Floats:
    """Return a hull's triangles (m, 3, 3) in the drawing's frame [m]; the mesh may be open."""
    if "mesh" not in geometry:
        panels = gdf.read(path)
        return np.concatenate((panels[:, (0, 1, 2)], panels[:, (0, 2, 3)]))
    section = geometry.section("mesh")
    corners = read_corners(path, MOST_TRIANGLES)
    if path.suffix.lower() != ".gdf":  # a GDF has BODY's axes
        corners = corners @ AXES[section.choice("axes", tuple(AXES), "FRD")].T
    placed: Floats = section.positive("scale", 1.0) * corners
    return placed - section.vector("origin", 3, [0.0] * 3)


def _length(files: Folder) -> float:
    """Return a vessel's length; published models have it among their coefficients."""
    with_length = next((files[name] for name in _LENGTH_FILES if "length" in files[name]), None)
    return (files["geometry"] if with_length is None else with_length).positive("length")


def _mesh_path(files: Folder) -> Path | None:
    geometry = files["geometry"]
    try:
        if "mesh" in geometry:
            return files.find(geometry.section("mesh"), "file")
        return files.find(geometry, "geometry_file") if "geometry_file" in geometry else None
    except VesselError:
        return None


def _sections(files: Folder, name: str) -> list[Section]:
    top = files[name]
    return top.sections(name) if name in top else []


def _surface(section: Section, number: int, frame: Frame) -> dict[str, Any]:
    axes = frame.axes(angles(section, "control_surface_orientation"))
    place = frame.place(section.vector("control_surface_location", 3, [0.0] * 3))
    area = section.number("control_surface_area", 0.0) or 0.01
    chord = CHORD * float(np.sqrt(area)) * 2
    return {
        "name": f"cs_{section.text('control_surface_id', str(number))}",
        "kind": "surface",
        "place": place.tolist(),
        "axis": axes[:, 2].tolist(),
        "chord": chord,
        "span": area / chord,
        "diameter": None,
        "tilt": angles(section, "control_surface_orientation").tolist(),
    }


def _thruster(section: Section, number: int, frame: Frame, beam: float) -> dict[str, Any]:
    axes = frame.axes(angles(section, "thruster_orientation"))
    place = frame.place(section.vector("thruster_location", 3, [0.0] * 3))
    return {
        "name": f"th_{section.text('thruster_id', str(number))}",
        "kind": "azimuth" if "azimuth" in section else "propeller",
        "place": place.tolist(),
        "axis": axes[:, 0].tolist(),
        "chord": None,
        "span": None,
        "diameter": section.number("D_prop", 0.0) or DIAMETER * beam,
        "tilt": angles(section, "thruster_orientation").tolist(),
    }
