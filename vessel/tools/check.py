"""``steerageway vessel check FOLDER``: all errors in a vessel's files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.nearest import ALIKE, near
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen import folder as vessels
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.frame import frame_of
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import hydrodynamics as hyd
from steerageway.vessel.fossen.keys import inertia as inr
from steerageway.vessel.fossen.keys import simulation as sim
from steerageway.vessel.fossen.keys import vessel as ves
from steerageway.vessel.sensors.reading import FILE as SENSORS
from steerageway.vessel.sensors.reading import Reader, actuators_of
from steerageway.vessel.sensors.sensor import Aboard
from steerageway.world.document import read_if_there, read_or_tell

KNOWN = {*vessels.FILES, *sim.FILES, "peer_compat"}
LINEAR = ("X_u", "Y_v", "Z_w", "K_p", "M_q", "N_r")  # diagonal linear damping
CLOSE = 0.01  # difference of a floating vessel's mass and its displaced mass, as a fraction
FULLNESS = (0.3, 1.01)  # displaced volume over draught times waterplane: vertical prismatic
SOMEWHERE = (0.0, 0.0, 0.0)  # datum; its value has no effect on the validity of latitudes


def mistakes_of(
    folder: Path,
    overrides: Mapping[str, object] | None = None,
    elsewhere: Mapping[str, Path] | None = None,
) -> list[Diagnostic]:
    """Return all errors of the vessel, its guidance and control, and misspelt file names.

    Of its sensors and of each reference's changes only the first error.

    Args:
        folder: of the vessel. overrides, elsewhere: changes by a main file, as for ``load``.

    Raises:
        InvalidValue: the folder does not exist.
    """
    steering: list[InvalidValue] = []
    guidance, control = (
        read_or_tell(folder / f"{name}.yml", steering) for name in ("guidance", "control")
    )
    with guidance.collecting_errors():
        import_module(vessels.MAIN_FILE_READER).read_steering(guidance, control, SOMEWHERE)
    own = [*vessels.mistakes_of(folder, overrides, elsewhere), *_signs(folder)]
    if not own:
        own = list(_displacement(vessels.read_folder(folder, "", overrides, elsewhere)))
    changed = [] if own else _reference_changes(folder)
    sensors = [] if own else _sensors(folder)
    guided = [one for mistake in steering for one in mistake.diagnostics]
    return [*own, *changed, *sensors, *guided, *_misnamed(folder)]


def _signs(folder: Path) -> Iterator[Diagnostic]:
    """Yield an error for each positive linear damping coefficient, which drives its motion."""
    hydrodynamics = read_if_there(folder / "hydrodynamics.yml")
    for key in LINEAR:
        try:
            driving = key in hydrodynamics and hydrodynamics.number(key) > 0.0
        except InvalidValue:
            continue  # reported by vessels.mistakes_of
        if driving:
            value = hydrodynamics.number(key)
            against = "expected a force against the motion, below zero"
            text = f"{value:g}: it amplifies the motion: {against}"
            yield from hydrodynamics.mistake(key, text).diagnostics


def _displacement(folder: Folder) -> Iterator[Diagnostic]:
    """Yield errors of a vessel that floats, and whose weight is not that of the water it displaces.

    A submerged vehicle may be heavier or lighter than its water; one that floats by a mesh sinks to
    where they are equal.
    """
    inertia, hydrodynamics, geometry = (
        folder[name] for name in ("inertia", "hydrodynamics", "geometry")
    )
    floating = hydrodynamics.section(hyd.RESTORING)
    meshed = hyd.HYDROSTATICS in hydrodynamics
    by_coefficients = folder["vessel"].text(ves.MODEL) == "coefficients"
    density = folder["vessel"].number(ves.DENSITY)
    if not by_coefficients or not (meshed or hyd.RESTORING in hydrodynamics):
        yield from _fullness(folder, density)
        return
    mass = inertia.number(inr.MASS) + inertia.section(inr.PAYLOAD).number(inr.PAYLOAD_MASS)
    displaced, key = mass, str(inr.MASS)
    if inr.VOLUME in inertia:
        displaced, key = density * inertia.number(inr.VOLUME), str(inr.VOLUME)
    elif inr.BUOYANCY_MASS in inertia:
        displaced, key = inertia.number(inr.BUOYANCY_MASS), str(inr.BUOYANCY_MASS)
    if abs(displaced - mass) > CLOSE * mass:
        text = f"{displaced:g} kg of water displaced: a vessel that floats displaces its mass with "
        yield from inertia.mistake(key, f"{text}payload, expected {mass:g} kg").diagnostics
        return
    draught = geometry.number(geo.DRAFT, 0.0)
    if not meshed and draught > 0.0:
        prism = draught * floating.number(hyd.WATERPLANE_AREA)
        least, most = FULLNESS
        if not least <= displaced / density / prism <= most:
            text = (
                f"{draught:g} m times the waterplane are {prism:.3g} m³, {displaced / density:.3g} "
                f"m³ are displaced: expected {least:g} to 1 of the product"
            )
            yield from geometry.mistake(geo.DRAFT, text).diagnostics


def _fullness(folder: Folder, density: float) -> Iterator[Diagnostic]:
    """Yield an error of a ship that displaces more than its length, breadth and draught hold.

    Without a breadth one is taken that no hull exceeds, half of the length.
    """
    geometry, inertia, hydrodynamics = (
        folder[name] for name in ("geometry", "inertia", "hydrodynamics")
    )
    length, draught = (geometry.number(key, 0.0) for key in (geo.LENGTH, geo.DRAFT))
    breadth = geometry.number(geo.BREADTH, 0.0) or 0.5 * length
    box = length * breadth * draught
    for section, key, of_water in ((inertia, inr.MASS, density), (hydrodynamics, "nabla", 1.0)):
        if box > 0.0 and key in section and (held := section.number(key) / of_water) > box:
            text = f"{held:.4g} m³ displaced: length, breadth and draft hold {box:.4g} m³"
            yield from section.mistake(key, f"{text}, expected less").diagnostics


def _reference_changes(folder: Path) -> Iterator[Diagnostic]:
    """Yield errors of a valid vessel with the changes of each reference."""
    for peer in read_if_there(folder / "peer_compat.yml").nodes:
        try:
            vessels.load(folder, peer)
        except InvalidValue as error:
            yield from error.diagnostics


def _sensors(folder: Path) -> Iterator[Diagnostic]:
    """Yield errors of a valid vessel's sensors; types that a mission may define are allowed."""
    if (folder / SENSORS).is_file():
        vessel = vessels.read_folder(folder)
        aboard = Aboard(actuators=actuators_of(vessel), frame=frame_of(vessel["geometry"]))
        reader = Reader(aboard)
        try:
            reader.file(folder / SENSORS, strangers=True)
            reader.finish()
        except InvalidValue as error:
            yield from error.diagnostics


def _misnamed(folder: Path) -> Iterator[Diagnostic]:
    for path in sorted(folder.glob("*.y*ml")):
        nearest = near(path.name, (f"{name}.yml" for name in KNOWN), ALIKE)
        if nearest and nearest[0] != path.name:
            text = f"not read; did you mean {nearest[0]}?"
            yield Diagnostic(str(path), expected=text)
