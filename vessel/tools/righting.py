"""Hydrostatics of a vessel's mesh: displacement, draught, trim, stability, and GZ curve."""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.mesh.hydrostatics import righting_curve
from steerageway.world import pictures
from steerageway.world.arrays import Floats

if TYPE_CHECKING:
    from steerageway.vessel.fossen.floating import Floating

HEELS = np.arange(0.0, 91.0, 10.0)
FINE = np.linspace(0.0, 90.0, 46)


def stability_lines(vessel: Dynamics) -> Iterator[str]:
    """Yield the lines to print; none for a vessel without a mesh."""
    floating = vessel.floating
    if floating is None or floating.mesh is None or floating.stability is None:
        return
    rest = floating.stability
    yield (
        f"floats by its mesh of {len(floating.mesh.triangles)} triangles, "
        f"{floating.mesh.volume:.5g} m³: displaces {rest.volume:.5g} m³, "
        f"{rest.volume * vessel.density:.5g} kg"
    )
    yield (
        f"draught {rest.draught:.4g} m of {rest.depth:.4g} m, z {rest.z:.4g} m, heel "
        f"{degrees(rest.phi):.3g}°, trim {degrees(rest.theta):.3g}° by the stern"
    )
    yield (
        f"KB {rest.KB:.4g} m, BM {rest.BM_T:.4g} and {rest.BM_L:.4g} m, GM {rest.GM_T:.4g} and "
        f"{rest.GM_L:.4g} m, LCB {rest.LCB:.4g} m, LCF {rest.LCF:.4g} m"
    )
    yield f"waterplane {rest.area:.4g} m², wetted surface {rest.wetted:.4g} m²"
    pairs = zip(HEELS.tolist(), curve(floating, HEELS).tolist(), strict=True)
    levers = ", ".join(f"{heel:.0f}° {lever:.4f}" for heel, lever in pairs)
    yield f"GZ [m] without trim: {levers}"


def curve(floating: Floating, heels: Floats) -> Floats:
    """Return GZ (n,) [m] at heels [deg]."""
    assert floating.mesh is not None
    assert floating.stability is not None
    angles = np.radians(heels).tolist()
    return righting_curve(floating.mesh, floating.stability.volume, floating.r_bg, angles)


def draw(vessel: Dynamics, path: Path) -> None:
    """Write a plot of the GZ curve.

    Raises:
        InvalidValue: the vessel has no mesh.
    """
    floating = vessel.floating
    if floating is None or floating.stability is None:
        raise InvalidValue(f"{vessel.name}: no mesh: expected one for a GZ curve")
    figure, ((panel,),) = pictures.panels()
    panel.plot(FINE, curve(floating, FINE), color=pictures.BLUE, lw=2.0, label="GZ")
    GM = floating.stability.GM_T
    panel.plot([0.0, 57.3], [0.0, GM], "--", color="#8a8f98", label=f"GM = {GM:.3g} m")
    panel.set_ylim(top=1.3 * float(curve(floating, FINE).max()))
    panel.axhline(0.0, color="#1b1f24", lw=0.8)
    pictures.labelled(panel, vessel.name, "heel [°]", "righting lever GZ [m]")
    panel.legend(frameon=False)
    pictures.write(figure, path)


def stability_remarks(vessel: Dynamics) -> Iterator[str]:
    """Yield warnings of an unstable floating vessel."""
    floating = vessel.floating
    if floating is None or floating.stability is None:
        return
    for name, GM in (("GM_T", floating.stability.GM_T), ("GM_L", floating.stability.GM_L)):
        if GM <= 0.0:
            yield f"{name} is {GM:.3g} m: it capsizes; expected a lower CG"
