"""Draws the pictures of docs/scenes.md: a harbour from above, and what each sensor sees of it.

python docs/draw_scenes.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

from steerageway.vessel.perception.device import Device
from steerageway.vessel.perception.reading import DeviceReader
from steerageway.vessel.perception.view import Moving, View
from steerageway.world.rays.caster import Body, Caster, Shape
from steerageway.world.rotation import rotation
from steerageway.world.scene import picture
from steerageway.world.scene.document import load
from steerageway.world.scene.index import Index
from steerageway.world.scene.shaping import hull
from steerageway.world.scene.synthetic import scene_text
from steerageway.world.scene.water import Waters
from steerageway.world.sea import Sea
from steerageway.world.sea_state import SeaState

mpl.use("Agg")
import matplotlib.pyplot as plt

DOCS = Path(__file__).parent
SEED = 4
EYE = np.array([28.0, -4.0, -2.6])  # north, east, down [m]
CAMERA = "width=480, height=320, horizontal_fov=75"
SENSORS = (
    "sensor_type=LiDAR, range_max=120",
    "sensor_type=LiDAR2D, range_max=120",
    f"sensor_type=Camera, outputs=rgb:depth:semantic:instance, {CAMERA}",
    "sensor_type=Sonar, horizontal_fov=90, beams=256, vertical_aperture=24, rays=801, bins=400",
)


def view_of(depth: float) -> View:
    """Give the harbour in a light sea, a launch ahead, from a place so much deeper than the eye."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "harbour.yml"
        path.write_text(scene_text("harbour", SEED), "utf-8")
        scene = load(path)
    index = Index(scene)
    launch = index.add_contact("launch")
    shape = Shape(hull(11.0, 3.4, 0.7, 1.1))
    body = Body(launch.number, shape, np.array([58.0, -9.0, 0.0]), rotation(-4.0, 2.0, 150.0))
    states = [SeaState("jonswap", 0.35, 3.2, direction=200.0, spreading="cos2s")]
    surface = Waters(Sea.of(states, 2), spacing=0.5, reach=120.0).surface(30.0, *EYE[:2].tolist())
    place = EYE + np.array([0.0, 0.0, depth])
    axes = rotation(2.0, -1.0, 4.0)
    moving = [Moving(body)]
    return View(Caster(scene.standing()), index, scene.light, 30.0, place, axes, moving, surface)


def sensed(line: str, view: View) -> dict[str, Any]:
    """Give what a sensor measures, by variable."""
    reader = DeviceReader()
    reader.line(line, "docs:1")
    device: Device = reader.finish()[0]
    chance = np.random.default_rng(1)
    return dict(device.sense(view, lambda _: chance))


def main() -> None:
    """Write the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "harbour.yml"
        path.write_text(scene_text("harbour", SEED), "utf-8")
        picture.draw(load(path), DOCS / "scene_harbour.png")
    view = view_of(0.0)
    (cloud,) = sensed(SENSORS[0], view).values()
    (scan,) = sensed(SENSORS[1], view).values()
    images = sensed(SENSORS[2], view)
    (sonar,) = sensed(SENSORS[3], view_of(4.6)).values()
    figure = plt.figure(figsize=(10.0, 10.6), layout="constrained")
    above, below = figure.subfigures(2, 1, height_ratios=(6.4, 4.2))
    panels, lower = above.subplots(2, 2), below.subplots(1, 3, width_ratios=(1.0, 1.0, 1.5))
    _draw_image(panels[0, 0], "RGB camera", images["RGB_CAMERA"].data)
    depth = panels[0, 1].imshow(images["DEPTH_CAMERA"].data, cmap="viridis_r", vmax=150.0)
    above.colorbar(depth, ax=panels[0, 1], label="[m]", shrink=0.8)
    panels[0, 1].set_title("Depth camera", loc="left")
    panels[0, 1].set_axis_off()
    _draw_image(panels[1, 0], "Semantic mask", images["SEMANTIC_CAMERA"].data, cmap="tab20")
    _draw_image(panels[1, 1], "Instance mask, boxes", images["INSTANCE_CAMERA"].data % 19, "tab20")
    for box in images["INSTANCE_CAMERA"].boxes:
        size = box.u1 - box.u0, box.v1 - box.v0
        panels[1, 1].add_patch(plt.Rectangle((box.u0, box.v0), *size, fill=False, ec="w", lw=0.6))
        if min(size) > 6:
            panels[1, 1].text(box.u0, box.v0 - 3, box.kind, color="w", fontsize=5)
    _draw_cloud(lower[0], "LiDAR, from above", cloud.data)
    drawn = _draw_cloud(lower[1], "LiDAR2D", scan.data)
    below.colorbar(drawn, ax=lower[:2], label="above the sensor [m]", shrink=0.8)
    _draw_sonar(below, lower[2], sonar.data)
    figure.savefig(DOCS / "scene_sensors.png", dpi=80)
    plt.close(figure)


def _draw_image(panel: Any, title: str, data: Any, cmap: str | None = None) -> None:
    panel.imshow(data, cmap=cmap, interpolation="nearest")
    panel.set_title(title, loc="left")
    panel.set_axis_off()


def _draw_cloud(panel: Any, title: str, points: Any) -> Any:
    """Draw a cloud from above, by height."""
    panel.set_title(title, loc="left")
    drawn = panel.scatter(points[:, 1], points[:, 0], c=-points[:, 2], s=0.8, vmin=-3, vmax=8)
    panel.set(xlim=(-70.0, 70.0), ylim=(-70.0, 120.0), aspect="equal", xlabel="to starboard [m]")
    panel.set_ylabel("ahead [m]")
    return drawn


def _draw_sonar(figure: Any, panel: Any, levels: Any) -> None:
    """Draw a fan."""
    panel.set_title("Forward-looking sonar, 2 m deep", loc="left")
    bins, count = levels.shape
    ranges = np.linspace(0.2, 50.0, bins + 1)[:, None]
    angles = np.radians(np.linspace(-45.0, 45.0, count + 1))
    drawn = panel.pcolormesh(
        ranges * np.sin(angles), ranges * np.cos(angles), levels, vmin=60.0, vmax=108.0,
        cmap="copper", rasterized=True,
    )  # fmt: skip
    figure.colorbar(drawn, ax=panel, label="dB re 1 µPa", shrink=0.8)
    panel.set_aspect("equal")
    panel.set_xlabel("to starboard [m]")


if __name__ == "__main__":
    main()
