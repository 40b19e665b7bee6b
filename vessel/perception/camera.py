"""Cameras: depth, colour, semantic and instance images, and coloured clouds, from the same rays.

The sensor's axes are FRD: the optical axis is x, image rows run along y, image columns along z.
Colours are linear red, green and blue in 0 to 1, until ``encoded`` converts them to bytes. There
are no shadows, and no second reflections but the sky's in the water.

Sources: Lambert (1760) for the light of sun and sky; Schlick (1994), Computer Graphics Forum 13
(3), for reflection in water; Koschmieder (1924) for fog; IEC 61966-2-1 for the bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.fossen.keys import outward as out
from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.vessel.perception.device import TRUTH, Device, Output, RandomStreams
from steerageway.vessel.perception.lidar import FOG
from steerageway.vessel.perception.measurement import Box, Cuboid, Measurement, Visibility
from steerageway.vessel.perception.optics import NO_DISTORTION, Lens, Pinhole
from steerageway.vessel.perception.view import View
from steerageway.world.arrays import Floats
from steerageway.world.document import Section
from steerageway.world.rays.caster import NOTHING, Body, Hits, Standing
from steerageway.world.scene.model import Light
from steerageway.world.units import quantity

RGB, DEPTH, SEMANTIC, INSTANCE, COLOURED = "rgb", "depth", "semantic", "instance", "coloured"
OUTPUTS = {RGB: 3, DEPTH: 4, SEMANTIC: 1, INSTANCE: 2, COLOURED: 24}
"""Outputs of a camera -> bytes per pixel."""
CLOUD = ("x", "y", "z", "r", "g", "b")
NOISY = (RGB, DEPTH, COLOURED)
WIDEST = 75.0  # angle from the axis up to which an object has parts outside of the image [deg]
GRID = 64  # rays along each side of an object that the image's edge cuts
NEAREST = 1e-3  # distance ahead of the eye from which on corners of a box are in its plane [m]
STRAIGHT = 0.02  # reflectance of water at normal incidence
SUN_SIZE = np.cos(np.radians(1.0))  # larger than the true sun, to be visible in a coarse image
GLITTER = 250.0  # exponent of the sun's specular reflection in the water
SUN = np.array([1.0, 0.96, 0.88])


class Camera(Device):
    """A camera with selectable outputs."""

    kind = "Camera"
    called = "CAMERA"
    usual_range = (0.1, 500.0)
    usual_outputs: tuple[str, ...] = (RGB,)

    def read(self, section: Section) -> None:
        """Read optics, outputs and noise."""
        self.optics = self._optics(section)
        words = section.words(out.OUTPUTS) or list(self.usual_outputs)
        for word in words:
            if word not in OUTPUTS:
                section.fail(out.OUTPUTS, word, f"some of {', '.join(OUTPUTS)}")
        self.outputs = tuple(word for word in OUTPUTS if word in words)
        self.labels = section.flag(out.LABELS)
        if self.labels and INSTANCE not in self.outputs:
            section.fail(out.LABELS, "true", "instance among its outputs, which has the labels")
        self.water = section.flag(out.SEES_WATER)
        self.gain = section.number(out.NOISE_GAIN)
        self.bounds = tuple(section.vector(out.NOISE_BOUNDS).tolist())
        if out.NOISE_GAIN in section and out.NOISE_BOUNDS not in section:
            section.fail(out.NOISE_GAIN, f"{self.gain:g}", "noise_bounds beside it")
        if not 0.0 <= self.bounds[0] <= self.bounds[1]:
            section.fail(out.NOISE_BOUNDS, f"{list(self.bounds)}", "two numbers, ascending")
        pixels = -(-self.optics.width // self.thin) * -(-self.optics.height // self.thin)
        self.check_size(max(OUTPUTS[word] for word in self.outputs) * pixels, out.WIDTH)
        places, seen = self.optics.plane(self.thin)
        self.shape = seen.shape
        self._seen = seen.ravel()
        flat = places.reshape(-1, 2)[self._seen]
        ways = np.column_stack((np.ones(len(flat)), flat))  # optical (x, y, 1) in FRD
        lengths = np.linalg.norm(ways, axis=1)
        self.directions, self.axis_shares = ways / lengths[:, None], 1.0 / lengths

    def _optics(self, section: Section) -> Pinhole:
        width = section.whole(out.WIDTH)
        height = section.whole(out.HEIGHT)
        lens = Lens(section.choice(out.DISTORTION))
        if lens.model != NO_DISTORTION:
            k1, k2, k3 = section.vector(out.DISTORTION_K).tolist()
            p1, p2 = section.vector(out.DISTORTION_P).tolist()
            lens = Lens(lens.model, (k1, k2, k3), (p1, p2))
        view = quantity(section, out.HORIZONTAL_FOV, default=60.0, high=170.0)
        usual = Pinhole.of_view(width, height, view, lens)
        if out.FX in section and out.HORIZONTAL_FOV in section:
            section.fail(out.HORIZONTAL_FOV, section.text(out.HORIZONTAL_FOV), "it or fx, not both")
        fx = section.positive(out.FX, usual.fx)
        return Pinhole(
            width,
            height,
            fx,
            section.positive(out.FY, fx),
            section.number(out.CX, usual.cx),
            section.number(out.CY, usual.cy),
            lens,
        )

    def variables(self) -> list[str]:
        """Return the variables it posts."""
        names = [f"{word.upper()}_{self.name}" for word in self.outputs]
        noisy = [f"{word.upper()}_{self.name}{TRUTH}" for word in self.outputs if word in NOISY]
        return [*names, *noisy] if self.truth else names

    def constants(self) -> Mapping[str, str]:
        """Return ``CAMERA_INFO_NAME``: ROS' CameraInfo as JSON."""
        info = self.optics.info(self.thin, self.name)
        return {f"CAMERA_INFO_{self.name}": json.dumps(info, separators=(",", ":"))}

    def sense(self, view: View, streams: RandomStreams) -> list[Output]:
        """Return its images."""
        hits = self.cast(view)
        colours = shaded(view, hits) if RGB in self.outputs or COLOURED in self.outputs else None
        depths = hits.ranges * self.axis_shares
        outputs = [
            Output(name, self._measured(word, view, hits, depths, colours, streams))
            for word, name in zip(self.outputs, self.variables(), strict=False)
        ]
        if self.truth:
            outputs += [
                Output(
                    f"{word.upper()}_{self.name}{TRUTH}",
                    self._measured(word, view, hits, depths, colours, None),
                )
                for word in self.outputs
                if word in NOISY
            ]
        return outputs

    def cast(self, view: View) -> Hits:
        """Return the hits of the pixels' rays, row by row, without pixels outside of the lens."""
        return view.cast(self.directions, self.near, self.far, water=self.water)

    def _measured(
        self,
        word: str,
        view: View,
        hits: Hits,
        depths: Floats,
        colours: Floats | None,
        streams: RandomStreams | None,
    ) -> Measurement:
        """Return one output; without errors if ``streams`` is None."""
        if word == DEPTH:
            noisy = (
                depths if streams is None else depths * self._factors(len(depths), streams, word)
            )
            return self._image(view, self._filled(noisy.astype(np.float32), np.nan))
        if word == SEMANTIC:
            numbers = view.index.class_numbers()[hits.numbers].astype(np.uint8)
            boxes = self.boxes(view, hits)
            return self._image(view, self._filled(numbers, 0), view.index.classes, boxes)
        if word == INSTANCE:
            numbers = (hits.numbers + 1).astype(np.uint16)
            boxes = self.boxes(view, hits)
            cuboids = view.cuboids(hits.numbers) if self.labels else ()
            image = self._image(view, self._filled(numbers, 0), (), boxes, cuboids)
            return replace(image, visibility=self.visibility(view, hits))
        assert colours is not None
        if streams is not None and self._noisy:
            factors = self._factors(len(colours), streams, RGB)
            colours = np.clip(colours * factors[:, None], 0.0, 1.0)
        bytes_ = encoded(colours)
        if word == RGB:
            return self._image(view, self._filled(bytes_, 0))
        met = hits.numbers != NOTHING
        if streams is not None and self._noisy:
            depths = depths * self._factors(len(depths), streams, COLOURED)
        points = self.directions * (depths / self.axis_shares)[:, None]
        data = np.column_stack((points[met], bytes_[met])).astype(np.float32)
        return Measurement(view.time, self.name, data, view.pose, CLOUD)

    @property
    def _noisy(self) -> bool:
        return self.bounds != (1.0, 1.0)

    def _factors(self, count: int, streams: RandomStreams, word: str) -> Floats:
        """Return noise factors (n,): gain (1 + N(0, 1)), clipped to the bounds."""
        if not self._noisy:
            return np.ones(count)
        drawn = self.gain * (1.0 + streams(word).standard_normal(count))
        factors: Floats = np.clip(drawn, *self.bounds)
        return factors

    def _filled(self, values: NDArray[Any], blank: float) -> NDArray[Any]:
        """Return an image of the pixels' values; ``blank`` for pixels outside of the lens."""
        image = np.full((self._seen.size, *values.shape[1:]), blank, values.dtype)
        image[self._seen] = values
        return image.reshape(*self.shape, *values.shape[1:])

    def _image(
        self,
        view: View,
        data: NDArray[Any],
        classes: tuple[str, ...] = (),
        boxes: tuple[Box, ...] = (),
        cuboids: tuple[Cuboid, ...] = (),
    ) -> Measurement:
        return Measurement(view.time, self.name, data, view.pose, (), classes, boxes, cuboids)

    def boxes(self, view: View, hits: Hits) -> tuple[Box, ...]:
        """Return the bounding boxes of the visible instances except water and bottom."""
        image = self._filled(hits.numbers, NOTHING)
        rows, columns = np.nonzero(image != NOTHING)
        numbers = image[rows, columns]
        found = []
        for number in np.unique(numbers).tolist():
            if view.has_box(number):
                of_it = numbers == number
                u, v = columns[of_it], rows[of_it]
                ends = (int(end) for end in (u.min(), v.min(), u.max(), v.max()))
                found.append(Box(view.index[number].kind, number + 1, *ends))
        return tuple(found)

    def visibility(self, view: View, hits: Hits) -> tuple[Visibility, ...]:
        """Return how much of each object that rays hit is hidden and outside of the image.

        What water hides, as below its surface, counts as neither.
        """
        found, solid = (
            [],
            np.flatnonzero((hits.numbers != NOTHING) & (hits.numbers != view.index.sea)),
        )
        for number in np.unique(hits.numbers[solid]).tolist():
            if not view.has_box(number):
                continue
            alone, shown = view.alone(number), hits.numbers == number
            others = solid[~shown[solid]]
            around = around_body(view.body(number), view.position, hits.directions[others])
            others = others[around]
            behind = alone.cast(self.directions[others], self.near, self.far, water=self.water)
            hidden = others[behind.numbers == number]
            share = len(hidden) / (len(hidden) + int(shown.sum()))
            shown[hidden] = True
            found.append(Visibility(number + 1, share, self._outside(alone, number, shown)))
        return tuple(found)

    def _outside(self, alone: View, number: int, there: NDArray[np.bool_]) -> float | None:
        """Return the share of an object outside of the image, of which it covers some pixels.

        It is that of its area in the image's plane, up to ``WIDEST`` from the axis: outside of the
        image by a grid of rays. None: the lens is distorted, so that the image ends at no straight
        line, or the object is endless.
        """
        image, optics = self._filled(there, 0), self.optics
        if not (image[[0, -1]].any() or image[:, [0, -1]].any()):
            return 0.0
        box = next(iter(alone.cuboids(np.array([number]))), None)
        if box is None or optics.lens.model != NO_DISTORTION:
            return None
        low, high = extent_in_plane(box)
        places = np.linspace(low, high, 2 * GRID + 1)[1::2]
        x, y = (axis.ravel() for axis in np.meshgrid(places[:, 0], places[:, 1]))
        row = (optics.fy * y + optics.cy) / self.thin + 0.5
        column = (optics.fx * x + optics.cx) / self.thin + 0.5
        rows, columns = self.shape
        beside = (row < 0.0) | (row >= rows) | (column < 0.0) | (column >= columns)
        ways = np.column_stack((np.ones(len(x)), x, y))[beside]
        ways /= np.linalg.norm(ways, axis=1)[:, None]
        met = alone.cast(ways, self.near, self.far, water=self.water).numbers == number
        outside = float(met.sum() * np.prod((high - low) / GRID))
        inside = float(there.sum() * self.thin**2 / (optics.fx * optics.fy))
        return outside / (outside + inside)


def around_body(body: Body | Standing, eye: Floats, directions: Floats) -> NDArray[np.bool_]:
    """Return which rays (n, 3) from an eye enter the sphere around a body; all, if endless."""
    if body.own_extent is None:
        return np.ones(len(directions), bool)
    low, high = body.own_extent
    way = body.position + body.R @ (0.5 * (low + high)) - eye
    radius, away = 0.5 * float(np.linalg.norm(high - low)), float(np.linalg.norm(way))
    if away <= radius:
        return np.ones(len(directions), bool)
    around: NDArray[np.bool_] = directions @ way >= np.sqrt(away**2 - radius**2)
    return around


def extent_in_plane(box: Cuboid) -> tuple[Floats, Floats]:
    """Return the extent (2,), (2,) of a box on the plane at distance 1: right, down."""
    signs = np.stack(np.meshgrid(*[(-0.5, 0.5)] * 3), -1).reshape(-1, 3)
    turned = eul_to_rotm((box.roll, box.pitch, box.yaw))
    corners = (signs * [box.length, box.breadth, box.height]) @ turned.T + [box.x, box.y, box.z]
    # edges and diagonals end a little before the eye: together they span the same hull
    before = corners[:, 0] > NEAREST
    points = [*corners[before]]
    for one in corners[before]:
        shares = (one[0] - NEAREST) / (one[0] - corners[~before, 0])
        points += [*(one + shares[:, None] * (corners[~before] - one))]
    plane = np.array([point[1:] / point[0] for point in points])
    most = np.tan(np.radians(WIDEST))
    return np.clip(plane.min(0), -most, most), np.clip(plane.max(0), -most, most)


class DepthCamera(Camera):
    """A camera that measures depth along its axis [m]."""

    kind = "DepthCamera"
    called = "DEPTH"
    usual_range = (0.1, 100.0)
    usual_outputs = (DEPTH,)


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
