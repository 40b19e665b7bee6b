"""Reads the wave forces and motions that a vessel's files name: RAOs, mean drift, closed form."""

from __future__ import annotations

from pathlib import Path

from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.frame import Frame, frame_of
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import hydrodynamics as hyd
from steerageway.vessel.fossen.keys import vessel as ves
from steerageway.vessel.wave_forces import capytaine, hydra, wamit
from steerageway.vessel.wave_forces.closed_form import Ship
from steerageway.vessel.wave_forces.motion import WaveMotion
from steerageway.vessel.wave_forces.table import ForceRao
from steerageway.world.arrays import Floats
from steerageway.world.document import Section

LONG = 3.0  # minimum length over breadth for the closed form


def read_rao(folder: Folder, frame: Frame) -> ForceRao:
    """Read the force RAOs that ``rao`` of ``hydrodynamics.yml`` names.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    hydrodynamics = folder["hydrodynamics"]
    section = hydrodynamics.section(hyd.RAO)
    path, form, length = _named(
        folder, section, "a .3 or .2 file of WAMIT's, a .nc file of Capytaine's, HydRA's .json"
    )
    section.finish((hyd.DRIFT_FILE,))
    if form == "capytaine":
        return capytaine.read(path).excitation
    if form == "hydra":
        bow = hydrodynamics.choice(hyd.HYDRA_BOW)
        return hydra.excitation(path, frame.co, bow, length)
    return wamit.excitation(path, _weight(folder), length)


def read_motions(folder: Folder, section: Section, co: Floats) -> ForceRao:
    """Read the motion RAOs that a section names.

    Args:
        folder: vessel folder.
        section: section with ``file``, ``format``, ``ulen`` and ``hydra_bow``.
        co: (3,) CO in the drawing frame, in BODY's directions [m].

    Raises: see ``read_rao``.
    """
    path, form, length = _named(folder, section, "a .4 file of WAMIT's, or HydRA's .json")
    if form == "capytaine":
        section.fail(ves.RAO_FORMAT, form, "wamit or hydra: it has no motions")
    bow = section.choice(ves.MOTION_BOW)
    if form == "hydra":
        return hydra.motions(path, co, bow, length)
    return wamit.motions(path, length)


def read_drift(folder: Folder) -> ForceRao | None:
    """Read the mean drift that ``rao.drift_file`` names; None: none. Raises: see ``read_rao``."""
    section = folder["hydrodynamics"].section(hyd.RAO)
    if hyd.DRIFT_FILE not in section:
        return None
    path: Path = folder.find(section, hyd.DRIFT_FILE)
    length = section.positive(hyd.FORCE_ULEN)
    section.finish((hyd.FORCE_FILE, hyd.FORCE_FORMAT))
    return wamit.drift(path, _weight(folder), length)


def _named(folder: Folder, section: Section, expected: str) -> tuple[Path, str, float]:
    """Return the file that a section names, its format, and its unit of length [m]."""
    if ves.RAO_FILE not in section:
        section.fail(ves.RAO_FILE, "nothing", expected)
    path: Path = folder.find(section, ves.RAO_FILE)
    form = section.choice(ves.RAO_FORMAT)
    if form == "auto":
        form = {".nc": "capytaine", ".json": "hydra"}.get(path.suffix, "wamit")
    return path, form, section.positive(ves.ULEN)


def _weight(folder: Folder) -> float:
    vessel = folder["vessel"]
    return vessel.number(ves.DENSITY) * vessel.number(ves.GRAVITY)


def read_motion(folder: Folder) -> WaveMotion | None:
    """Read ``wave_motion`` of ``vessel.yml``; None without the key.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    vessel, geometry = folder["vessel"], folder["geometry"]
    if ves.WAVE_MOTION not in vessel:
        return None
    section = vessel.section(ves.WAVE_MOTION)
    method = section.choice(ves.METHOD)
    draft = geometry.number(geo.DRAFT, 0.0) if geo.DRAFT in geometry else None
    draught = section.positive(ves.MOTION_DRAFT, draft)
    if method == "rao":
        rao = read_motions(folder, section, frame_of(geometry).co)
        section.finish()
        return WaveMotion(draught, rao=rao)
    length, breadth = (
        section.positive(key, geometry.number(usual) if usual in geometry else None)
        for key, usual in ((ves.MOTION_LENGTH, geo.LENGTH), (ves.MOTION_BREADTH, geo.BREADTH))
    )
    if length < LONG * breadth:
        expected = f"a ship of at least {LONG:g} breadths, for the closed form; or method: rao"
        section.wrong(
            ves.MOTION_LENGTH, f"{length:g} m for a breadth of {breadth:g} m", expected, None
        )
    ship = Ship(
        length,
        breadth,
        draught,
        section.positive(ves.BLOCK),
        section.positive(ves.MOTION_GM_T),
        section.positive(ves.ROLL_PERIOD),
        section.positive(ves.ROLL_DAMPING),
    )
    section.finish()
    return WaveMotion(draught, ship)
