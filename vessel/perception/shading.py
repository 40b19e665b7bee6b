"""Shading of camera images: Lambert's law under sun and sky, water reflections, fog.

Colours are linear red, green and blue in 0 to 1, until ``encoded`` converts them to bytes. There
are no shadows, and no second reflections but the sky's in the water.

Sources: Lambert (1760); Schlick (1994), Computer Graphics Forum 13 (3), for reflection in water;
Koschmieder (1924) for fog; IEC 61966-2-1 for the bytes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.perception.lidar import FOG
from steerageway.vessel.perception.view import View
from steerageway.world.arrays import Floats
from steerageway.world.rays.caster import NOTHING, Hits
from steerageway.world.scene.model import Light

STRAIGHT = 0.02  # reflectance of water at normal incidence
SUN_SIZE = np.cos(np.radians(1.0))  # larger than the true sun, to be visible in a coarse image
GLITTER = 250.0  # exponent of the sun's specular reflection in the water
SUN = np.array([1.0, 0.96, 0.88])


def shaded(view: View, hits: Hits) -> Floats:
    """Return the colours (n, 3), 0 to 1, of the hits; of the sky without a hit."""
    light = view.light
    sky = sky_of(light, hits.directions)
    normals = (
        hits.normals
        * np.where(np.einsum("ij,ij->i", hits.normals, hits.directions) > 0.0, -1.0, 1.0)[:, None]
    )
    lit = np.clip(normals @ light.direction, 0.0, 1.0)
    share = light.ambient + (1.0 - light.ambient) * lit
    colours = view.index.colours()[hits.numbers] * share[:, None]
    water = hits.numbers == view.index.sea
    if water.any():
        colours[water] = _water(colours[water], hits.directions[water], normals[water], light)
    through = np.exp(-FOG / light.visibility * np.nan_to_num(hits.ranges))[:, None]
    haze = np.array(light.horizon)
    colours = haze + (colours - haze) * through
    colours[hits.numbers == NOTHING] = sky[hits.numbers == NOTHING]
    clipped: Floats = np.clip(colours, 0.0, 1.0)
    return clipped


def sky_of(light: Light, directions: Floats) -> Floats:
    """Return the sky's colours (n, 3): horizon to zenith, and the sun; less of both in fog."""
    up = np.clip(-directions[:, 2], 0.0, 1.0)[:, None] ** 0.6
    horizon, zenith = np.array(light.horizon), np.array(light.zenith)
    clear = np.exp(-1000.0 / light.visibility)
    sky: Floats = horizon + (zenith - horizon) * up * clear
    sky[directions @ light.direction > SUN_SIZE] = SUN * clear + horizon * (1.0 - clear)
    return sky


def _water(colours: Floats, directions: Floats, normals: Floats, light: Light) -> Floats:
    """Return the colours of water (n, 3): its own, plus reflections of sky and sun."""
    cosines = np.clip(-np.einsum("ij,ij->i", normals, directions), 0.0, 1.0)
    mirrored = STRAIGHT + (1.0 - STRAIGHT) * (1.0 - cosines) ** 5
    away = directions + 2.0 * cosines[:, None] * normals
    sky = sky_of(light, away)
    glitter = np.clip(away @ light.direction, 0.0, 1.0) ** GLITTER
    whole: Floats = colours * (1.0 - mirrored)[:, None] + sky * mirrored[:, None]
    whole += 0.6 * glitter[:, None] * SUN
    return whole


def encoded(colours: Floats) -> NDArray[np.uint8]:
    """Return linear colours (0 to 1) as the bytes of an sRGB image."""
    low = 12.92 * colours
    high = 1.055 * np.maximum(colours, 0.0031308) ** (1.0 / 2.4) - 0.055
    bytes_: NDArray[np.uint8] = np.rint(255.0 * np.where(colours <= 0.0031308, low, high)).astype(
        np.uint8
    )
    return bytes_
