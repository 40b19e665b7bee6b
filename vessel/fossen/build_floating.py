"""Floating by hull form and wave loads: reads their keys.

Keys, in ``hydrodynamics.yml``: ``hydrostatics`` (``mesh`` or ``voxels``), ``loads``, ``radiation``,
``drag``; in ``geometry.yml``: ``mesh``. All are described in ``docs/vessel_files.md``.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen import seaway
from steerageway.vessel.fossen.build_mass import Masses
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.floating import Floating
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.frame import Frame
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import hydrodynamics as hyd
from steerageway.vessel.fossen.keys import initial_conditions as ini
from steerageway.vessel.mesh import drag, hydrostatics, loads, voxels
from steerageway.vessel.wave_forces.read import read_drift, read_rao
from steerageway.world.arrays import Floats, Whole
from steerageway.world.document import Section
from steerageway.world.kinematics import NO_WAVES
from steerageway.world.mesh import Mesh, read
from steerageway.world.sea import Sea
from steerageway.world.units import word

FORMS = hyd.HYDROSTATICS.choices
WAVES = hyd.LOADS_WAVES.choices
LIKE = 3.0  # maximum ratio of mesh length and hull length, or its inverse


def wanted(folder: Folder) -> bool:
    """Whether the files use any of these keys."""
    return any(key in folder["hydrodynamics"] for key in (hyd.HYDROSTATICS, hyd.LOADS))


def with_added_mass(folder: Folder, mass: Masses) -> Masses:
    """Return the masses with added mass from ``radiation``, unless another key gives it."""
    if mass.M_A.any() or hyd.HYDROSTATICS not in folder["hydrodynamics"]:
        return mass
    shares = np.array(hyd.ADDED) * np.diag(mass.M_RB)
    given = folder["hydrodynamics"].section(hyd.RADIATION)
    added = given.vector(hyd.RADIATION_ADDED_MASS, default=shares.tolist())
    if (added < 0).any():
        added = given.wrong(
            hyd.RADIATION_ADDED_MASS, str(added.tolist()), "six numbers of 0 or more", shares
        )
    return replace(mass, M_A=np.diag(added))


def in_calm(
    folder: Folder, hull: at.Parameters, mass: Masses, frame: Frame, water: tuple[float, float]
) -> tuple[seaway.Parameters, Floating]:
    """Return the parameters of a vessel in calm water, and its hydrostatics.

    Args:
        folder: vessel folder.
        hull: its parameters of the coefficient form.
        mass: masses and centres.
        frame: BODY in the drawing frame.
        water: density [kg/m³] and gravity [m/s²].

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    hydrodynamics = folder["hydrodynamics"]
    density, gravity = water
    form = hydrodynamics.choice(hyd.HYDROSTATICS)
    floating = _floating(folder, mass, frame, density, form)
    own = np.zeros((), seaway.OWN)
    own["form"] = FORMS.index(form)
    vertices, triangles = np.zeros((0, 3)), np.zeros((0, 3), np.int64)
    damping, kerner = np.zeros((2, 6)), np.zeros(drag.COEFFICIENTS)
    if floating.mesh is not None and floating.stability is not None:
        # pressure on the mesh replaces G eta of the coefficient form
        hull.scalars["restoring"] = 0.0
        own["weight"] = mass.mass * gravity
        own["g_x"], own["g_y"], own["g_z"] = mass.r_bg
        own["rest_volume"] = floating.stability.volume
        vertices, triangles = _surface(folder, floating.mesh, form, own)
        kerner = _kerner(folder)
        damping = _radiation(folder, mass, floating, density, gravity)
    _loads(folder, own, density * gravity, floating.draught)
    still = Sea.of((), 0, density=density, gravity=gravity)
    parameters = seaway.Parameters(
        hull,
        own,
        damping,
        kerner,
        vertices,
        triangles,
        NO_WAVES.copy(),
        still.water,
        np.zeros((0, 0, 12)),
        np.zeros((0, 0, 12)),
        np.zeros((0, 0, 6)),
        seaway.scratch(len(vertices), 0),
    )
    return parameters, floating


def _floating(folder: Folder, mass: Masses, frame: Frame, density: float, form: str) -> Floating:
    geometry, hydrodynamics = folder["geometry"], folder["hydrodynamics"]
    section = hydrodynamics.section(hyd.LOADS)
    waves = word(section, hyd.LOADS_WAVES, default="mesh" if form != "coefficients" else "none")
    if waves == "mesh" and form == "coefficients":
        section.wrong(hyd.LOADS_WAVES, "mesh", "hydrostatics: mesh as well", None)
    rao = read_rao(folder, frame) if waves == "rao" else None
    drift = read_drift(folder)
    if form == "coefficients":
        draught = geometry.number(geo.DRAFT, geometry.number(geo.DEPTH, 0.0))
        return Floating(None, None, np.zeros(3), mass.r_bg, waves, rao, draught, drift)
    # the mesh's pressure contains the restoring forces: G would count them twice
    if hyd.RESTORING in hydrodynamics:
        hydrodynamics.wrong(hyd.RESTORING, "given", f"nothing: hydrostatics is {form}", None)
    mesh = _mesh(folder, frame)
    try:
        stability = hydrostatics.stability(mesh, mass.mass / density, mass.r_bg)
    except InvalidValue as error:
        name = geometry.section(geo.MESH).text(geo.MESH_FILE)
        raise geometry.mistake(geo.MESH, f"{name}: {error}") from None
    rest = np.array([stability.z, stability.phi, stability.theta])
    return Floating(mesh, stability, rest, mass.r_bg, waves, rao, stability.draught, drift)


def _mesh(folder: Folder, frame: Frame) -> Mesh:
    """Read the mesh, check its length against the hull's, and translate it to CO."""
    geometry = folder["geometry"]
    section = geometry.section(geo.MESH)
    path = folder.find(section, geo.MESH_FILE) if geo.MESH_FILE in section else None
    if path is None:
        section.fail(geo.MESH_FILE, "nothing", "a .stl, .obj, .gdf, .glb or .gltf file")
    scale = section.positive(geo.SCALE)
    axes = section.choice(geo.MESH_AXES)
    origin = section.vector(geo.ORIGIN)
    volume = section.number(geo.MESH_VOLUME)
    section.finish()
    mesh = read(path, scale, axes, origin)
    length, long = geometry.positive(geo.LENGTH), float(np.ptp(mesh.vertices[:, 0]))
    if not length / LIKE <= long <= length * LIKE:
        # drawings are often in millimetres: suggest the scale
        milli = abs(long / length / 1000.0 - 1.0) < LIKE
        meant = f"scale: {scale / 1000.0:g}: the file is in millimetres" if milli else "another"
        section.fail(geo.SCALE, f"a mesh of {long:.4g} m for a hull of {length:g} m", meant)
    placed = Mesh((mesh.vertices - frame.origin) @ frame.R, mesh.triangles)
    return placed.scaled_to(volume) if volume else placed


def _surface(folder: Folder, mesh: Mesh, form: str, own: at.Record) -> tuple[Floats, Whole]:
    """Return the vertices and triangles, or the voxels' centres and no triangles."""
    hydrodynamics = folder["hydrodynamics"]
    section = hydrodynamics.section(hyd.VOXELS)
    edge = section.positive(hyd.VOXEL_EDGE, float(np.ptp(mesh.vertices[:, 0])) / 40.0)
    section.finish()
    if form != "voxels":
        return np.ascontiguousarray(mesh.vertices), np.ascontiguousarray(mesh.triangles)
    own["edge"] = edge
    with hydrodynamics.collecting_errors():
        return voxels.centres(mesh, edge), np.zeros((0, 3), np.int64)
    return np.zeros((0, 3)), np.zeros((0, 3), np.int64)


def _loads(folder: Folder, own: at.Record, weight: float, draught: float) -> None:
    """Fill in the wave loads on the hull."""
    section = folder["hydrodynamics"].section(hyd.LOADS)
    own["model"] = loads.MODELS.index(section.choice(hyd.PRESSURE))
    evaluator = section.choice(hyd.EVALUATOR)
    own["exact"] = evaluator == "exact"
    own["uncut"] = not section.flag(hyd.CUTTING)
    # off with RAOs: they are of the total excitation of a hull held in waves
    own["relative"] = section.text(hyd.LOADS_WAVES) != "rao"
    own["diffraction"] = section.flag(hyd.DIFFRACTION, bool(own["relative"]))
    _mean_drift(folder, section, own, weight, draught)
    section.finish((hyd.LOADS_WAVES,))


def _mean_drift(
    folder: Folder, section: Section, own: at.Record, weight: float, draught: float
) -> None:
    """Read ``drift``: mean or slow drift by a table, reflection by a formula or given, or none."""
    tabulated = hyd.DRIFT_FILE in folder["hydrodynamics"].section(hyd.RAO)
    node = section.nodes.get(hyd.DRIFT)
    choice = "auto" if node is None else str(node.value).lower()
    section.asked.add(hyd.DRIFT)
    if tabulated:
        if choice not in ("auto", "mean", "newman"):
            section.wrong(hyd.DRIFT, choice, "mean or newman: rao has a drift_file", None)
        own["newman"] = choice == "newman"
        return
    if choice in ("mean", "newman"):
        section.wrong(hyd.DRIFT, choice, "a drift_file in rao as well", None)
    elif choice != "none":
        own["drift"] = 0.5 * weight * folder["geometry"].positive(geo.LENGTH)
        # positive: R² follows from the draught for each component; below, negative: R² is given
        own["reflection"] = 2.0 * draught
    if choice not in ("auto", "none", "mean", "newman"):
        own["reflection"] = -section.number(hyd.DRIFT, low=0.0, high=1.0)


def _radiation(
    folder: Folder, mass: Masses, floating: Floating, density: float, gravity: float
) -> Floats:
    """Return linear and quadratic damping (2, 6): B = 2 zeta sqrt((M + A) C)."""
    section = folder["hydrodynamics"].section(hyd.RADIATION)
    assert floating.mesh is not None
    C = np.zeros(6)
    C[2:5] = np.diag(
        hydrostatics.stiffness(
            floating.mesh,
            floating.rest.tolist(),
            floating.r_bg,
            density * gravity,
            mass.mass * gravity,
        )
    )
    damping = np.zeros((2, 6))
    ratios, squares = section.section(hyd.ZETA), section.section(hyd.QUADRATIC)
    M = np.diag(mass.M_RB + mass.M_A)
    for i, (ratio, square) in enumerate(zip(hyd.ZETAS, hyd.SQUARES, strict=True), 2):
        # C < 0, unstable: there is no natural frequency, and no damping by a ratio
        damping[0, i] = 2.0 * ratios.number(ratio) * np.sqrt(M[i] * max(C[i], 0.0))
        damping[1, i] = squares.number(square)
    ratios.finish()
    squares.finish()
    section.finish((hyd.RADIATION_ADDED_MASS,))
    return damping


def _kerner(folder: Folder) -> Floats:
    """Read the coefficients of the wet triangles' drag; empty without the key."""
    section = folder["hydrodynamics"].section(hyd.DRAG)
    given: Section = section.section(hyd.KERNER)
    found = np.zeros(drag.COEFFICIENTS)
    if hyd.KERNER in section:
        found[drag.FRICTION] = 1.0 + given.number(hyd.KERNER_K)
        for place, key in zip((drag.P1, drag.P2, drag.S1, drag.S2), hyd.KERNER_LOADS, strict=True):
            found[place] = given.number(key)
        found[drag.VREF] = given.positive(hyd.VREF)
        found[drag.FP], found[drag.FS] = (
            given.positive(hyd.KERNER_FP),
            given.positive(hyd.KERNER_FS),
        )
        found[drag.LENGTH] = folder["geometry"].positive(geo.LENGTH)
    given.finish()
    section.finish()
    return found


def at_rest(vessel: Dynamics, floating: Floating, folder: Folder) -> Dynamics:
    """Return the vessel with its hydrostatics; it starts at rest unless the files set the pose."""
    initial, conditions = vessel.initial.copy(), folder["initial_conditions"]
    if ini.START_LOCATION not in conditions:
        initial[2] = floating.rest[0]
    if ini.START_ORIENTATION not in conditions:
        initial[3:5] = floating.rest[1:]
    return replace(vessel, initial=initial, floating=floating)
