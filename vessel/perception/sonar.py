"""Forward-looking sonar: echo levels of a fan of beams, by range bins.

Each beam is wide in elevation and is divided into rays; each hit scatters back by Lambert's law
into the bin of its range. In decibels, for each ray,

    SL - 40 log R - 2 alpha R + mu + 20 log cos i + 10 log (R² dOmega / cos i)

are summed as intensities, multiplied by speckle (Rayleigh amplitudes), and added to the noise.

Sources: Urick (1983), Principles of Underwater Sound, chapters 2 and 8; alpha at 10 degrees C in
sea water by Ainslie and McColm (1998), JASA 103; Choi et al. (2021), Frontiers in Robotics and AI
8, for rays in bins.
"""

from __future__ import annotations

import numpy as np

from steerageway.vessel.fossen.keys import outward as out
from steerageway.vessel.perception.device import TRUTH, Device, Output, RandomStreams
from steerageway.vessel.perception.lidar import beams
from steerageway.vessel.perception.measurement import Measurement
from steerageway.vessel.perception.view import View
from steerageway.world.arrays import Floats
from steerageway.world.document import Section
from steerageway.world.rays.caster import NOTHING
from steerageway.world.units import quantity

ABSORPTION = np.array(
    [[50e3, 0.016], [100e3, 0.034], [200e3, 0.056], [300e3, 0.076], [450e3, 0.116], [900e3, 0.32]]
)
"""Frequency [Hz] and absorption [dB/m]."""
GOLDEN = 0.5 * (5.0**0.5 - 1.0)
REFINED = 1e-5  # tolerance of the elevation of the nearest echo [deg]
BEAM_FIELDS = ("azimuth", "range", "elevation")


class Sonar(Device):
    """A forward-looking sonar."""

    kind = "Sonar"
    called = "FLS"
    usual_rate = 5.0
    usual_range = (0.2, 50.0)

    def read(self, section: Section) -> None:
        """Read the beams and levels."""
        count = section.whole(out.BEAMS)
        field = quantity(section, out.HORIZONTAL_FOV, default=120.0)
        self.aperture = quantity(section, out.VERTICAL_APERTURE)
        self.bins = section.whole(out.BINS)
        self.rays = section.whole(out.RAYS)
        frequency = section.positive(out.FREQUENCY)
        self.absorption = float(np.exp(np.interp(np.log(frequency), *np.log(ABSORPTION.T))))
        self.source = section.number(out.SOURCE_LEVEL)
        self.scattering = section.number(out.SCATTERING_STRENGTH)
        self.noise = section.number(out.NOISE_LEVEL)
        self.speckle = section.flag(out.SPECKLE)
        self.water = section.flag(out.SEES_SURFACE)
        self.echoes = section.flag(out.ECHOES)
        step = field / count
        places = np.arange(count, dtype=np.float64) + 0.5
        self.azimuths: Floats = (step * places - 0.5 * field)[:: self.thin]
        self.elevations = np.linspace(-0.5 * self.aperture, 0.5 * self.aperture, self.rays)
        self._ways = beams(self.azimuths, self.elevations)
        angles = np.radians([step, self.aperture / self.rays])
        self._solid_angle = float(angles[0] * angles[1])
        self.check_size(4 * self.bins * len(self.azimuths), out.BINS)

    def variables(self) -> list[str]:
        """Return the variables it posts."""
        name = f"SONAR_{self.name}"
        names = [name, f"ECHOES_{self.name}"] if self.echoes else [name]
        return [*names, f"{name}{TRUTH}"] if self.truth else names

    def sense(self, view: View, streams: RandomStreams) -> list[Output]:
        """Return an image of levels [dB re 1 µPa]: a row for each bin, a column for each beam."""
        intensities = self.intensities(view)
        variables = self.variables()
        measured = intensities
        if self.speckle:
            measured = measured * streams("speckle").exponential(1.0, measured.shape)
        floor = 10.0 ** (0.1 * self.noise)
        measured = measured + floor * streams("noise").exponential(1.0, measured.shape)
        outputs = [Output(variables[0], self._image(view, measured))]
        if self.echoes:
            ranges, elevations = self.nearest(view)
            data = np.column_stack((np.radians(self.azimuths), ranges, np.radians(elevations)))
            echoes = data[np.isfinite(ranges)].astype(np.float32)
            cloud = Measurement(view.time, self.name, echoes, view.pose, BEAM_FIELDS)
            outputs.append(Output(variables[1], cloud))
        if self.truth:
            outputs.append(Output(variables[-1], self._image(view, intensities)))
        return outputs

    def _image(self, view: View, intensities: Floats) -> Measurement:
        levels = 10.0 * np.log10(np.maximum(intensities, 1e-30))
        return Measurement(view.time, self.name, levels.astype(np.float32), view.pose)

    def intensities(self, view: View) -> Floats:
        """Return the echo intensities (bins, beams) [µPa²], without speckle and noise."""
        hits = view.cast(self._ways.reshape(-1, 3), self.near, self.far, water=self.water)
        met = np.flatnonzero(hits.numbers != NOTHING)
        R = hits.ranges[met]
        cosines = np.maximum(hits.cosines()[met], 1e-3)
        level = self.source - 40.0 * np.log10(R) - 2.0 * self.absorption * R + self.scattering
        level += 20.0 * np.log10(cosines)
        level += 10.0 * np.log10(R * R * self._solid_angle / cosines)
        bins = ((R - self.near) / (self.far - self.near) * self.bins).astype(np.int64)
        columns = met % len(self.azimuths)
        out = np.zeros((self.bins, len(self.azimuths)))
        np.add.at(out, (np.minimum(bins, self.bins - 1), columns), 10.0 ** (0.1 * level))
        return out

    def axis(self, view: View) -> Floats:
        """Return the range along each beam's axis (beams,) [m]; NaN without an echo."""
        ways = beams(self.azimuths, np.zeros(1)).reshape(-1, 3)
        return view.cast(ways, self.near, self.far, water=self.water).ranges

    def nearest(self, view: View) -> tuple[Floats, Floats]:
        """Return the nearest echo within each beam's aperture.

        The nearest of the beam's rays, refined by golden-section search between its neighbours.

        Returns: ranges (beams,) [m], NaN without an echo, and elevations (beams,) [deg].
        """
        ranges = view.cast(self._ways.reshape(-1, 3), self.near, self.far, water=self.water).ranges
        grid = np.nan_to_num(ranges.reshape(len(self.elevations), -1), nan=np.inf)
        rows = grid.argmin(0)
        best, where = grid.min(0), self.elevations[rows]
        last = len(self.elevations) - 1
        a = self.elevations[np.maximum(rows - 1, 0)]
        b = self.elevations[np.minimum(rows + 1, last)]
        width = float((b - a).max(initial=0.0))
        steps = int(np.ceil(np.log(REFINED / width) / np.log(GOLDEN))) if width > REFINED else 0
        c, d = b - GOLDEN * (b - a), a + GOLDEN * (b - a)
        at_c, at_d = self._along(view, c), self._along(view, d)
        for _ in range(steps):
            for found, place in ((at_c, c), (at_d, d)):
                nearer = found < best
                best, where = np.where(nearer, found, best), np.where(nearer, place, where)
            left = at_c < at_d
            a, b = np.where(left, a, c), np.where(left, d, b)
            new = np.where(left, b - GOLDEN * (b - a), a + GOLDEN * (b - a))
            at_new = self._along(view, new)
            c, d = np.where(left, new, d), np.where(left, c, new)
            at_c, at_d = np.where(left, at_new, at_d), np.where(left, at_c, at_new)
        return np.where(np.isfinite(best), best, np.nan), where

    def _along(self, view: View, elevations: Floats) -> Floats:
        """Return the range (beams,) [m] of one ray in each beam; inf without an echo."""
        a, e = np.radians(self.azimuths), np.radians(elevations)
        ways = np.stack((np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), -np.sin(e)), -1)
        ranges = view.cast(ways, self.near, self.far, water=self.water).ranges
        found: Floats = np.nan_to_num(ranges, nan=np.inf)
        return found
