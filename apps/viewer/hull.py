"""What a vessel looks like in three dimensions, from its files, in BODY.

Lengths in metres, x forward, y to starboard, z down. Nothing here is compiled: only the files are
read, so that a page need not wait for a model that is not run.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from steerageway.vessel.errors import VesselError
from steerageway.vessel.fossen.document import Section
from steerageway.vessel.fossen.folder import Folder, read_folder
from steerageway.vessel.fossen.frame import Frame, angles, frame_of
from steerageway.world import gdf

_TELL_LENGTH = ("geometry", "hydrodynamics", "vessel", "inertia")
CHORD = 0.5  # of a surface, of the root of its area, where the files tell the area only
ACROSS = 0.1  # diameter of a propeller that does not tell it, of the vessel's breadth


class NoModel(ValueError):
    """A vessel has no geometry to show; the text says why."""


def model_of(folder: Path) -> dict[str, Any]:
    """Give a vessel's sizes and its actuators; see ``docs/viewer_protocol.md``.

    Raises:
        NoModel: its files do not tell them.
    """
    try:
        files = read_folder(folder)
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
        "mesh": "geometry_file" in geometry and _mesh_path(files) is not None,
        "origin": frame.co.tolist(),
        "actuators": [*surfaces, *thrusters],
    }


def mesh_of(folder: Path) -> bytes:
    """Give the triangles of a vessel's hull: float32, nine numbers each, in BODY from CO.

    Raises:
        NoModel: it has no mesh.
    """
    try:
        files = read_folder(folder)
        path = _mesh_path(files) if "geometry_file" in files["geometry"] else None
        if path is None:
            raise NoModel(f"{folder}: no mesh of its hull")
        panels = gdf.read(path)
        frame = frame_of(files["geometry"])
    except VesselError as error:
        raise NoModel(str(error)) from None
    places = (panels - frame.origin) @ frame.R
    triangles = np.concatenate((places[:, (0, 1, 2)], places[:, (0, 2, 3)]))
    return triangles.astype("<f4").tobytes()


def _length(files: Folder) -> float:
    """Give a vessel's length, which published models tell among their coefficients."""
    told = next((files[name] for name in _TELL_LENGTH if "length" in files[name]), None)
    return (files["geometry"] if told is None else told).positive("length")


def _mesh_path(files: Folder) -> Path | None:
    try:
        return files.find(files["geometry"], "geometry_file")
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
        "diameter": section.number("D_prop", 0.0) or ACROSS * beam,
        "tilt": angles(section, "thruster_orientation").tolist(),
    }
