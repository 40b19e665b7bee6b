"""Floating by hull form and wave loads: reads their keys, and places a vessel in a sea.

Keys, in ``hydrodynamics.yml``: ``hydrostatics`` (``mesh`` or ``voxels``), ``loads``, ``radiation``,
``drag``; in ``geometry.yml``: ``mesh``. All are described in ``docs/vessel_files.md``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen import seaway
from steerageway.vessel.fossen.build_mass import Masses
from steerageway.vessel.fossen.dynamics import Dynamics, Floats
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.frame import Frame
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import hydrodynamics as hyd
from steerageway.vessel.fossen.keys import initial_conditions as ini
from steerageway.vessel.mesh import cut, drag, hydrostatics, loads, orbital, voxels
from steerageway.vessel.wave_forces.table import HEADINGS, ForceRao, read_drift, read_rao
from steerageway.world import kinematics
from steerageway.world.arrays import Whole
from steerageway.world.document import Section
from steerageway.world.kinematics import NO_WAVES
from steerageway.world.mesh import Mesh, read
from steerageway.world.sea import Sea
from steerageway.world.units import word

FORMS = hyd.HYDROSTATICS.choices
WAVES = hyd.LOADS_WAVES.choices
MOST = 0.5  # share of a sea's energy outside the range of the wave loads that is tolerated
LENGTHS = 2.0  # of the hull, in the shortest waves for which diffraction by its panels holds
LIKE = 3.0  # maximum ratio of mesh length and hull length, or its inverse


@dataclass(frozen=True, eq=False)
class Floating:
    """Hydrostatics of a vessel by its mesh, and its wave loads.

    Attributes:
        mesh: hull mesh; None for a vessel with hydrostatics by coefficients.
        stability: hydrostatics of the mesh at rest; likewise None.
        rest: (3,) z [m], roll and pitch [rad] at rest.
        r_bg: (3,) centre of gravity [m].
        waves: wave load model, one of ``WAVES``.
        rao: force RAOs, with waves ``rao``.
        draught: [m].
        drift: mean drift table; None: none.
    """

    mesh: Mesh | None
    stability: hydrostatics.Stability | None
    rest: Floats
    r_bg: Floats
    waves: str
    rao: ForceRao | None
    draught: float
    drift: ForceRao | None = None

    @cached_property
    def fit(self) -> orbital.Fit:
        """The hull's share in the orbital motion of waves."""
        if self.mesh is None:
            return orbital.of_point(0.5 * self.draught)
        return orbital.of_hull(self.mesh, self.rest)


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


def in_sea(vessel: Dynamics, sea: Sea) -> Dynamics:
    """Return a vessel in a sea; a vessel without wave loads is unchanged.

    Raises:
        InvalidValue: the water is not deeper than the vessel's draught.
    """
    floating = vessel.floating
    motion = vessel.wave_motion
    if motion is not None:
        envelope = replace(vessel.envelope, waves=_outside(sea, motion.rao, 0.0))
        return replace(vessel, wave_motion=motion.in_sea(sea), envelope=envelope)
    if floating is None or floating.waves == "none":
        return vessel
    depth = float(sea.water[0])
    if depth <= floating.draught:
        raise InvalidValue(
            f"water of {depth:g} m for {vessel.name}, whose draught is {floating.draught:.3g} m: "
            "expected deeper water"
        )
    p = cast(seaway.Parameters, vessel.parameters)
    # the RAOs at the sea's own frequencies: steps interpolate in heading only
    rows = np.ascontiguousarray(sea.rows)
    table = np.zeros((0, 0, 12)) if floating.rao is None else floating.rao.table_of(rows)
    drift = np.zeros((0, 0, 6))
    if floating.drift is not None:
        drift = np.ascontiguousarray(floating.drift.table_of(rows)[:, :, :6])
    water = sea.water.copy()
    water[1], water[2] = p.water[1], p.water[2]  # those the vessel was built for
    # its own work arrays, too: the vessel without a sea may be stepped beside this one
    changed = p._replace(
        rows=rows,
        water=water,
        orbits=orbital.table_of(floating.fit, rows, water, HEADINGS),
        table=table,
        drift_table=drift,
        scratch=seaway.scratch(len(p.vertices), len(rows)),
    )
    length = 0.0 if floating.mesh is None else float(np.ptp(floating.mesh.vertices[:, 0]))
    envelope = replace(vessel.envelope, waves=_outside(sea, floating.rao, length))
    return replace(vessel, parameters=changed, envelope=envelope)


def _outside(sea: Sea, rao: ForceRao | None, length: float) -> str:
    """Return how a sea is outside the range of the wave loads, as text; "" if it is not.

    Args:
        sea: the sea; components that fade out do not count.
        rao: table of the loads or motions; None: pressure on a mesh, or a closed form.
        length: of the mesh [m]; 0: none.
    """
    rows = sea.rows[np.isinf(sea.rows[:, kinematics.OFF])]
    energy = rows[:, kinematics.AMPLITUDE] ** 2
    w = rows[:, kinematics.FREQUENCY]
    if rao is not None:
        low, high = rao.omega[0], rao.omega[-1]
        outside = (w < low) | (w > high)
        range_of = f"waves outside {low:.3g} to {high:.3g} rad/s, the range of its RAOs"
    else:
        outside = rows[:, kinematics.NUMBER] * LENGTHS * length > 2.0 * np.pi
        range_of = f"waves shorter than {LENGTHS * length:.3g} m, {LENGTHS:g} times its hull"
    share = float(energy[outside].sum() / energy.sum()) if outside.any() else 0.0
    return f"{share:.0%} of the sea's energy is in {range_of}" if share > MOST else ""


def sea_loads(vessel: Dynamics, x: Floats, t: float) -> tuple[Floats, float, float]:
    """Return the sea's wrench (6,) in BODY, including weight, and the wetted volume and area.

    Args:
        vessel: vessel that floats by a mesh, or has wave loads.
        x: state.
        t: time [s].
    """
    around = vessel.surroundings(time=t)
    # the right-hand side leaves the loads of this state in the work arrays
    vessel.derivative(x, np.zeros(len(vessel.commands)), around)
    p = cast(seaway.Parameters, vessel.parameters)
    pressed = p.scratch.work.pressed
    volume, wetted = (float(pressed[i]) for i in (cut.VOLUME, cut.WETTED))
    meshed = p.own["form"] != seaway.COEFFICIENTS
    return p.scratch.wrench.copy(), volume if meshed else 0.0, wetted if meshed else 0.0
