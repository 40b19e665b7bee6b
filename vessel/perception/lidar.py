"""LiDAR: ranges along a pattern of beams, as a point cloud.

Directions are FRD: (cos e cos a, cos e sin a, -sin e), azimuth a positive to starboard, elevation
e upward. Beams are evenly spaced over the field of view, both edges included; over a full turn the
last beam is one step before the first.

Source of the returned power: Lambert's law for a target that fills the beam, rho cos(i) / R²,
attenuated by fog on both ways. Fog: Koschmieder (1924), contrast of 5 % at the visibility.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.fossen.keys import outward as out
from steerageway.vessel.fossen.keys.outward import NONE, SPECULAR
from steerageway.vessel.perception.device import TRUTH, Device, Output, RandomStreams
from steerageway.vessel.perception.measurement import Measurement
from steerageway.vessel.perception.view import View
from steerageway.world.arrays import Floats
from steerageway.world.constants import NANO
from steerageway.world.document import Section
from steerageway.world.rays.caster import NOTHING, Hits
from steerageway.world.units import quantity, word

FIELDS = ("x", "y", "z", "intensity", "ring")
TIMED = (*FIELDS, "t")
LABELS = ("class", "instance")
STEEPEST = float(np.cos(np.radians(20.0)))  # cosine of incidence up to which calm water reflects
SLICES = 16  # poses per turn for a scan with motion skew
FOG = 3.0  # extinction coefficient [1/m] times the visibility [m]


def spread(field: float, count: int) -> Floats:
    """Return evenly spaced angles (count,) [deg] over a field of view, or over a full turn."""
    if field >= 360.0:
        return -180.0 + 360.0 * np.arange(count) / count
    return np.linspace(-0.5 * field, 0.5 * field, count) if count > 1 else np.zeros(1)


def beams(azimuths: Floats, elevations: Floats) -> Floats:
    """Return directions (e, a, 3), FRD, for elevations (e,) and azimuths (a,) [deg]."""
    a, e = np.radians(azimuths)[None, :], np.radians(elevations)[:, None]
    up = np.broadcast_to(-np.sin(e), (e.size, a.size))
    return np.stack((np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), up), axis=-1)


class Lidar(Device):
    """A LiDAR with several channels at different elevations."""

    kind = "LiDAR"
    called = "LIDAR"
    usual_range = (0.3, 100.0)
    usual_channels = 16

    def read(self, section: Section) -> None:
        """Read the pattern of the beams, and their errors."""
        columns = section.whole(out.COLUMNS)
        self.azimuths = spread(quantity(section, out.HORIZONTAL_FOV, default=360.0), columns)
        self.elevations = self._elevations(section)
        self.range_rms = quantity(section, out.RANGE_RMS)
        self.resolution = quantity(section, out.RANGE_RESOLUTION)
        self.ray_dropout = section.number(out.RAY_DROPOUT)
        self.water = word(section, out.WATER)
        self.least = section.number(out.LEAST_REFLECTANCE)
        self.skewed = section.flag(out.OWN_TIMES)
        self.labels = section.flag(out.LABELS)
        timed = TIMED if self.skewed else FIELDS
        self.fields = (*timed, *LABELS) if self.labels else timed
        kept = self.azimuths[:: self.thin]
        rays = len(kept) * len(self.elevations)
        self.check_size(4 * len(self.fields) * rays, out.COLUMNS)
        self._rings = np.repeat(np.arange(len(self.elevations)), len(kept))
        self.directions = beams(kept, self.elevations).reshape(-1, 3)
        numerator, denominator = self.period
        turn = numerator / denominator / NANO
        shares = (np.arange(columns) / columns - 1.0)[:: self.thin]
        self._offsets = np.tile(turn * shares, len(self.elevations))
        self._order = np.argsort(self._offsets, kind="stable")

    def _elevations(self, section: Section) -> Floats:
        """Read the elevations of the channels [deg], one by one or as a field of view."""
        if out.ELEVATIONS in section:
            words = section.words(out.ELEVATIONS)
            return section.vector(out.ELEVATIONS, len(words))
        channels = section.whole(out.CHANNELS, self.usual_channels)
        field = quantity(section, out.VERTICAL_FOV)
        return spread(field, channels)

    def description(self) -> dict[str, Any]:
        """Return its entry in the list of sensors; of a level scan in one plane with its beams."""
        known = super().description()
        if len(self.elevations) == 1 and self.elevations[0] == 0.0:
            kept = self.azimuths[:: self.thin]
            step = float(kept[1] - kept[0]) if len(kept) > 1 else 0.0
            known["beams"] = {"first": float(kept[0]), "step": step, "count": len(kept)}
        return known

    def variables(self) -> list[str]:
        """Return the variables it posts."""
        name = f"LIDAR_{self.name}"
        return [name, f"{name}{TRUTH}"] if self.truth else [name]

    def sense(self, view: View, streams: RandomStreams) -> list[Output]:
        """Return a cloud of the returns."""
        hits, order = self.cast(view)
        intensities, seen = self._returns(view, hits)
        ranges = self._with_errors(hits.ranges, streams)
        kept = seen & (ranges >= self.near) & (ranges <= self.far)
        if self.ray_dropout:
            kept &= streams("rays").random(len(kept)) >= self.ray_dropout
        variables = self.variables()
        outputs = [Output(variables[0], self._cloud(view, hits, order, ranges, intensities, kept))]
        if self.truth:
            true = self._cloud(view, hits, order, hits.ranges, intensities, seen)
            outputs.append(Output(variables[1], true))
        return outputs

    def cast(self, view: View) -> tuple[Hits, NDArray[np.intp]]:
        """Return the hits of the rays, and the order of the rays in the pattern."""
        water = self.water != NONE
        if not self.skewed:
            hits = view.cast(self.directions, self.near, self.far, water=water)
            return hits, np.arange(len(self.directions))
        order = self._order
        rays = self.directions[order], self._offsets[order]
        hits = view.cast_turning(*rays, self.near, self.far, slices=SLICES, water=water)
        return hits, order

    def _returns(self, view: View, hits: Hits) -> tuple[Floats, NDArray[np.bool_]]:
        """Return intensities (n,), without the effect of range, and which rays return (n,)."""
        seen = hits.numbers != NOTHING
        cosines, reach = np.nan_to_num(hits.cosines()), np.nan_to_num(hits.ranges)
        intensities = view.index.reflectances()[hits.numbers] * cosines
        intensities *= np.exp(-2.0 * FOG / view.light.visibility * reach)
        seen &= intensities * self.far**2 >= self.least * reach**2
        if self.water == SPECULAR:
            seen &= (hits.numbers != view.index.sea) | (cosines >= STEEPEST)
        return intensities, seen

    def _with_errors(self, ranges: Floats, streams: RandomStreams) -> Floats:
        measured = ranges
        if self.range_rms:
            measured = measured + self.range_rms * streams("range").standard_normal(len(ranges))
        if self.resolution:
            measured = np.rint(measured / self.resolution) * self.resolution
        return measured

    def _cloud(
        self,
        view: View,
        hits: Hits,
        order: NDArray[np.intp],
        ranges: Floats,
        intensities: Floats,
        kept: NDArray[np.bool_],
    ) -> Measurement:
        """Return the cloud of the kept rays; ``order`` are the rays' indices in the pattern."""
        rays, numbers = order[kept], hits.numbers[kept]
        data = np.empty((len(rays), len(self.fields)), np.float32)
        data[:, :3] = self.directions[rays] * ranges[kept, None]
        data[:, 3], data[:, 4] = intensities[kept], self._rings[rays]
        if self.skewed:
            data[:, 5] = self._offsets[rays]
        if not self.labels:
            return Measurement(view.time, self.name, data, view.pose, self.fields)
        data[:, -2], data[:, -1] = view.index.class_numbers()[numbers], numbers + 1
        classes, cuboids = view.index.classes, view.cuboids(numbers)
        return Measurement(view.time, self.name, data, view.pose, self.fields, classes, (), cuboids)


class FlatLidar(Lidar):
    """A LiDAR that scans in one plane."""

    kind = "LiDAR2D"
    called = "SCAN"
    usual_channels = 1
