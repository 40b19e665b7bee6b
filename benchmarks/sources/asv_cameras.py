"""Bjerke and Haukeland's figures 17 to 20: camera image, depth image, lens, coloured point cloud.

All show a harbour in a light sea with two boats, seen from three metres above the water.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.sources.finding import Finding, Value, by_formula
from steerageway.vessel.perception.device import Device
from steerageway.vessel.perception.measurement import Measurement
from steerageway.vessel.perception.optics import UV, Lens
from steerageway.vessel.perception.reading import DeviceReader
from steerageway.vessel.perception.view import Moving, View
from steerageway.world.rays.caster import Body, Caster, Shape
from steerageway.world.rotation import rotation
from steerageway.world.scene.document import load
from steerageway.world.scene.index import Index
from steerageway.world.scene.model import Scene
from steerageway.world.scene.shaping import hull
from steerageway.world.scene.synthetic import scene_text
from steerageway.world.scene.water import Waters
from steerageway.world.sea import Sea
from steerageway.world.sea_state import SeaState

SEED = 4  # of the harbour
EYE = np.array([28.0, -4.0, -3.0])  # north, east, down [m]
BOATS = ((46.0, -7.0, 150.0), (40.0, 1.5, 20.0))  # north, east [m], heading [deg]
SIZE = "width=480, height=320, horizontal_fov=75"
FAR = 60.0  # [m] at which the depth picture is black
LENSES = {
    "K1 = 1, a barrel": Lens(UV, (1.0, 0.0, 0.0)),
    "K1 = -1, a pincushion": Lens(UV, (-1.0, 0.0, 0.0)),
    "P1 = 0.2": Lens(UV, p=(0.2, 0.0)),
    "P2 = 0.2": Lens(UV, p=(0.0, 0.2)),
    "K1 = 0.4, K2 = -0.3, P1 = 0.1, P2 = -0.2": Lens(UV, (0.4, -0.3, 0.0), (0.1, -0.2)),
}
# for (0.75, 0.5), the last for (0.75, 0.625), where each term counts; by its formula, by hand
READS = (
    *((0.765625, 0.5), (0.734375, 0.5), (0.7875, 0.5), (0.75, 0.5125)),
    (0.765167236328125, 0.6130523681640625),
)


@cache
def harbour() -> Scene:
    """Return the harbour."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "harbour.yml"
        path.write_text(scene_text("harbour", SEED), "utf-8")
        return load(path)


@cache
def view() -> View:
    """Return the view from the eye."""
    scene = harbour()
    index, shape = Index(scene), Shape(hull(7.0, 2.4, 0.6, 1.1))
    boats = [
        Body(index.add_contact(f"boat{i}").number, shape, np.array([north, east, 0.0]),
             rotation(2.0, 1.0, heading))
        for i, (north, east, heading) in enumerate(BOATS)
    ]  # fmt: skip
    states = [SeaState("jonswap", 0.3, 3.2, direction=200.0, spreading="cos2s")]
    surface = Waters(Sea.of(states, 2), spacing=0.5, reach=120.0).surface(30.0, 28.0, -4.0)
    moving, axes = [Moving(boat) for boat in boats], rotation(2.0, -4.0, 4.0)
    return View(Caster(scene.standing()), index, scene.light, 30.0, EYE, axes, moving, surface)


def calm() -> View:
    """Return the view of nothing but calm water, level."""
    water = Waters().surface(0.0, 0.0, 0.0)
    return replace(view(), caster=Caster([]), moving=[], surface=water, R=np.eye(3))


def camera(keys: str, size: str = SIZE) -> Device:
    """Return a camera with the keys of its line."""
    reader = DeviceReader()
    reader.line(f"sensor_type=Camera, {size}, {keys}", "benchmarks:1")
    return reader.finish()[0]


def sensed(device: Device, seen: View | None = None) -> dict[str, Measurement]:
    """Return a camera's measurements by output, as rgb; of the harbour, or of another view."""
    rng = np.random.default_rng(1)
    outputs = device.sense(seen or view(), lambda _: rng)
    return {name.partition("_")[0].lower(): measured for name, measured in outputs}


def show(panel: Any, image: Any, **how: Any) -> None:
    """Show an image."""
    panel.imshow(image, interpolation="nearest", **how)
    panel.set_axis_off()


def colours() -> Finding:
    """Reproduce figure 17."""
    found = sensed(camera("outputs=rgb:semantic"))
    image, classes = found["rgb"].data, found["semantic"].data
    values = (
        Value("pixels", None, classes.size, digits=6),
        Value("of them that see something other than the sky", None, 100.0 * (classes > 0).mean(),
              "%", 3),
        Value("things with boxes around them", None, len(found["semantic"].boxes)),
    )  # fmt: skip

    def draw(figure: Any) -> None:
        show(figure.subplots(), image)

    why = (
        "`sensor_type=Camera`: quays, piles, boats and waves in the light of sun and sky. The "
        "document shows a game engine's picture, and states no number; here each pixel is a ray, "
        "which also returns the class of its object. See [scenes](scenes.md)."
    )
    return Finding(values, why, draw, (6.0, 4.0))


def depths() -> Finding:
    """Reproduce figure 18."""
    device = camera("outputs=depth")
    (found,) = sensed(device).values()
    met = np.isfinite(found.data)
    (flat,) = sensed(device, calm()).values()
    rows = np.nonzero(np.isfinite(flat.data).all(axis=1))[0]
    # similar triangles: 3 m above the water, with the focal length of 75 deg across 480 pixels
    focal = 240.0 / np.tan(np.radians(37.5))
    true = -EYE[2] * focal / (rows[:, None] + 0.5 - 160.0)
    (noisy,) = sensed(camera("outputs=depth, noise_gain=1, noise_bounds=0.9:1.1")).values()
    factors = noisy.data[met] / found.data[met]
    values = (
        by_formula("calm water, from 3 f / (v - c), at most", 0.0,
                   float(np.abs(flat.data[rows] / true - 1.0).max()) * 100.0, "%"),
        by_formula("with noise, k = 1, L = 0.9, U = 1.1: least factor", 0.9, float(factors.min()),
                   digits=6),
        by_formula("greatest", 1.1, float(factors.max()), digits=6),
    )  # fmt: skip

    def draw(figure: Any) -> None:
        panels = figure.subplots(1, 2)
        show(panels[0], found.data, cmap="gray", vmin=0.0, vmax=FAR)
        show(panels[1], noisy.data, cmap="gray", vmin=0.0, vmax=FAR)

    why = (
        "Rendered depth, without noise as in the document, and next to it with the factor "
        "k (1 + N(0, 1)) between L and U; black is near, white is 60 m or no return. The depth of "
        "calm water below a level camera follows from similar triangles. The remaining "
        "differences are the rounding of 32 bits."
    )
    return Finding(values, why, draw, (9.0, 3.1))


def lenses() -> Finding:
    """Reproduce figure 19."""
    values: list[Value] = []
    images = [sensed(camera("outputs=rgb"))["rgb"].data]
    for (name, lens), stated in zip(LENSES.items(), READS, strict=True):
        height = 0.5 if lens.k[1] == 0.0 else 0.625
        u, v, _ = lens.source(np.array([0.75]), np.array([height]))
        for axis, read, here in (("u", stated[0], u), ("v", stated[1], v)):
            what = f"{name}: {axis}, read for (0.75, {height:g})"
            values.append(by_formula(what, read, float(here[0]), digits=6))
        k, p = (":".join(f"{each:g}" for each in part) for part in (lens.k, lens.p))
        keys = f"outputs=rgb, distortion=uv, distortion_k={k}, distortion_p={p}"
        images.append(sensed(camera(keys))["rgb"].data)

    def draw(figure: Any) -> None:
        panels = figure.subplots(2, 3).ravel()
        for panel, title, image in zip(panels, ("none", *LENSES), images, strict=True):
            show(panel, image)
            panel.set_title(title, fontsize=9)

    why = (
        "`distortion: uv` is the document's: a positive K1 makes a barrel, a negative one a "
        "pincushion, and pixels from beyond the image are black. Its formula is stated, "
        "its coefficients are not; nothing differs. `distortion: opencv` is ROS's convention."
    )
    return Finding(tuple(values), why, draw, (9.0, 4.4))


def coloured() -> Finding:
    """Reproduce figure 20."""
    device = camera("outputs=depth:coloured, range_max=60")
    found = sensed(device)
    points, depth = found["coloured"].data, found["depth"].data
    (info,) = (json.loads(text) for text in device.constants().values())
    v, u = np.nonzero(np.isfinite(depth))
    z = depth[v, u]
    fx, _, cx, _, fy, cy, *_ = info["k"]
    back = np.column_stack((z, (u - cx) / fx * z, (v - cy) / fy * z))
    flat = sensed(device, calm())["coloured"].data
    values = (
        Value("points", None, len(points), digits=6),
        by_formula("from depth and CameraInfo, at most", 0.0,
                   float(np.abs(back - points[:, :3]).max()), "m", 2),
        by_formula("calm water: points off a plane 3 m below, at most", 0.0,
                   float(np.abs(flat[:, 2] + EYE[2]).max()), "m", 2),
    )  # fmt: skip

    def draw(figure: Any) -> None:
        panel = figure.add_subplot(projection="3d")
        some = points[::5]
        panel.scatter(some[:, 1], some[:, 0], -some[:, 2], s=0.6, c=some[:, 3:6] / 255.0)
        panel.set_box_aspect((2.0, 2.0, 0.4), zoom=1.25)
        panel.view_init(28, -97)

    why = (
        "RViz's cloud of colour, depth and `CAMERA_INFO_NAME` is the camera's output "
        "`coloured`: points of the depth image by that message's matrix are the same, and those of "
        "calm water lie in its plane, apart from the rounding of 32 bits."
    )
    return Finding(values, why, draw, (6.4, 4.4))
