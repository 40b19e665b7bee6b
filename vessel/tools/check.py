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
from steerageway.world.document import Section, read_if_there, read_or_tell

KNOWN = {*vessels.FILES, *sim.FILES, "peer_compat"}
LINEAR = ("X_u", "Y_v", "Z_w", "K_p", "M_q", "N_r")  # diagonal linear damping
CLOSE = 0.01  # difference of a floating vessel's mass and its displaced mass, as a fraction
FULLNESS = (0.3, 1.01)  # displaced volume over draught times waterplane: vertical prismatic
BLOCK = (0.2, 1.01)  # displaced volume of a ship over length, breadth and draught
SLENDER = (0.03, 0.25)  # over length², of a ship without a breadth, and draught
SUBMERGED = (0.5, 2.0)  # displaced mass of a submerged vehicle over its own
SHIPS = ("container", "mariner", "tanker", "mmg", "navalvessel", "clarke83", "osv")
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
    """Yield errors of a vessel whose weight is not that of the water it displaces.

    A submerged vehicle may be heavier or lighter than its water, but not by a multiple; one that
    floats by a mesh sinks to where they are equal.
    """
    inertia, hydrodynamics = folder["inertia"], folder["hydrodynamics"]
    density = folder["vessel"].number(ves.DENSITY)
    yield from _fullness(folder, density)
    if inr.MASS not in inertia:
        return
    mass = inertia.number(inr.MASS) + inertia.section(inr.PAYLOAD).number(inr.PAYLOAD_MASS)
    displaced, key = mass, str(inr.MASS)
    if inr.VOLUME in inertia:
        displaced, key = density * inertia.number(inr.VOLUME), str(inr.VOLUME)
    elif inr.BUOYANCY_MASS in inertia:
        displaced, key = inertia.number(inr.BUOYANCY_MASS), str(inr.BUOYANCY_MASS)
    text = f"{displaced:g} kg of water displaced: a "
    floats = folder["vessel"].text(ves.TYPE) == "usv" or hyd.RESTORING in hydrodynamics
    if floats or hyd.HYDROSTATICS in hydrodynamics:
        if abs(displaced - mass) > CLOSE * mass:
            text += f"vessel that floats displaces its mass with payload, expected {mass:g} kg"
            yield from inertia.mistake(key, text).diagnostics
            return
        yield from _prism(folder, displaced / density)
    elif not SUBMERGED[0] * mass <= displaced <= SUBMERGED[1] * mass:
        text += f"submerged vehicle of {mass:g} kg displaces {SUBMERGED[0] * mass:g} to "
        text += f"{SUBMERGED[1] * mass:g} kg"
        yield from inertia.mistake(key, text).diagnostics


def _dimensions(geometry: Section) -> tuple[float, float, float]:
    """Return length, breadth and draught [m]; 0 if unknown."""
    length, breadth = geometry.number(geo.LENGTH, 0.0), geometry.number(geo.BREADTH, 0.0)
    return length, breadth, geometry.number(geo.DRAFT, 0.0)


def _prism(folder: Folder, displaced: float) -> Iterator[Diagnostic]:
    """Yield errors of a waterplane larger than the hull, or that its draught does not fit.

    Args:
        displaced: the volume [m³].
    """
    geometry, hydrodynamics = folder["geometry"], folder["hydrodynamics"]
    if hyd.RESTORING not in hydrodynamics or hyd.HYDROSTATICS in hydrodynamics:
        return
    floating = hydrodynamics.section(hyd.RESTORING)
    length, breadth, draught = _dimensions(geometry)
    area = floating.number(hyd.WATERPLANE_AREA)
    prism, (least, most) = draught * area, FULLNESS
    if draught > 0.0 and not least * prism <= displaced <= most * prism:
        text = (
            f"{draught:g} m times the waterplane are {prism:.3g} m³, {displaced:.3g} "
            f"m³ are displaced: expected {least:g} to 1 of the product"
        )
        yield from geometry.mistake(geo.DRAFT, text).diagnostics
    elif 0.0 < BLOCK[1] * length * breadth < area:
        text = f"{area:g} m²: length and breadth hold {length * breadth:.3g} m², expected less"
        yield from floating.mistake(hyd.WATERPLANE_AREA, text).diagnostics


def _fullness(folder: Folder, density: float) -> Iterator[Diagnostic]:
    """Yield errors of a published ship that displaces what its dimensions cannot hold.

    Of two volumes, the prime mass over L³/2 and the displaced one, both have to be the same.
    """
    if folder["vessel"].text(ves.MODEL) not in SHIPS:
        return
    geometry = folder["geometry"]
    length, breadth, draught = _dimensions(geometry)
    box, (least, most) = length * (breadth or length) * draught, BLOCK if breadth else SLENDER
    volumes = list(_volumes(folder, density))
    for section, key, volume in volumes:
        if box > 0.0 and not least * box <= volume <= most * box:
            what = "length, breadth and draft" if breadth else "length and draft"
            text = f"{volume:.4g} m³ displaced: {what} hold {least * box:.4g} to {most * box:.4g}"
            yield from section.mistake(key, f"{text} m³").diagnostics
            return
    for _, key, volume in volumes[1:]:
        section, name, mass = volumes[0]
        if abs(volume - mass) > CLOSE * volume:
            text = f"{mass:.5g} m³ of water by {name}, expected {volume:.5g} m³ as by {key}"
            yield from section.mistake(name, text).diagnostics


def _volumes(folder: Folder, density: float) -> Iterator[tuple[Section, str, float]]:
    """Yield each section and key that says how much a published ship displaces, and that [m³]."""
    geometry, inertia, hydrodynamics = (
        folder[name] for name in ("geometry", "inertia", "hydrodynamics")
    )
    length, breadth, draught = _dimensions(geometry)
    half, box = 0.5 * length**3, length * breadth * draught
    for section, key, unit in (
        (hydrodynamics, "m", half),
        (hydrodynamics, "nabla", 1.0),
        (inertia, inr.MASS, 1.0 / density),
        (geometry, geo.DISPLACED_VOLUME, 1.0),
        (geometry, geo.BLOCK_COEFFICIENT, box),
    ):
        if key in section:
            yield section, str(key), unit * section.number(key)


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
