"""Warnings of suspicious values in a vessel's files: units, and orientation of rudders."""

from __future__ import annotations

from collections.abc import Iterator

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen import terms
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.frame import Frame, angles, frame_of
from steerageway.world.document import Section

MOST = 3.0
"""Limit of prime damping: a sphere's cross-flow drag is about 0.4, over its length squared."""
ACROSS = 0.1  # longitudinal component of a chord, below which it counts as athwart
FORWARD = 0.1  # fraction of the length, ahead of CO
UPRIGHT = 0.7  # transverse component of a span, below which a foil counts as upright
FORCES = ("hydrodynamics", "CL_delta", "lift_drag")  # keys of surfaces other than foils


def file_doubts(folder: Folder) -> Iterator[str]:
    """Return warnings of valid but implausible values in a vessel of the coefficient form."""
    if warning := _unit_warning(folder["hydrodynamics"]):
        yield warning
    frame, length = frame_of(folder["geometry"]), folder["geometry"].positive("length")
    for section in folder["control_surfaces"].sections("control_surfaces"):
        if not any(f"control_surface_{name}" in section for name in FORCES):
            yield from _of_a_foil(section, frame, length)


def _of_a_foil(section: Section, frame: Frame, length: float) -> Iterator[str]:
    turned, placed = (f"control_surface_{name}" for name in ("orientation", "location"))
    eul = angles(section, turned)
    place = section.vector(placed, 3, frame.origin.tolist())
    axes, x = frame.axes(eul), frame.place(place)[0]
    if abs(axes[0, 0]) < ACROSS:
        yield (
            f"{section.where(turned)}: {eul.tolist()}: its chord lies across the hull, where no "
            "angle of it turns the vessel; a rudder stands with [-1.5708, 0, 0]"
        )
    if x > FORWARD * length and abs(axes[1, 1]) < UPRIGHT:
        yield (
            f"{section.where(placed)}: {place.tolist()}: a foil that stands at the bow turns the "
            "vessel off its course by itself; is it at the stern, with x below 0?"
        )


def _unit_warning(hydrodynamics: Section) -> str:
    """Return a warning if ``dim_flag: false`` stands with dimensional coefficients; else ""."""
    prime = not hydrodynamics.flag("dim_flag", True)
    large = [key for key in hydrodynamics.nodes if prime and _is_large(hydrodynamics, key)]
    if not large:
        return ""
    greatest = max(large, key=lambda key: abs(hydrodynamics.number(key)))
    return (
        f"{hydrodynamics.where('dim_flag')}: false, but {len(large)} coefficients are beyond "
        f"{MOST:g}, as {greatest}: {hydrodynamics.number(greatest):g}; prime ones are rarely "
        "above 1: is dim_flag: true meant?"
    )


def _is_large(hydrodynamics: Section, key: str) -> bool:
    if terms.parsed(key) is None or terms.acceleration(key):
        return False
    try:
        return abs(hydrodynamics.number(key)) > MOST
    except InvalidValue:
        return False
