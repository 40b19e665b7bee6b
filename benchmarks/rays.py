"""Cost of LiDARs and cameras, and rays per second compared with Embree's own rate.

    python benchmarks/rays.py [--seconds 20] [--minutes 10]

A LiDAR of 16 x 500 beams and a depth camera of 320 x 240 pixels, both at 10 Hz, in a harbour among
five moving vessels, in a sea of Hs 0.5 m; measured with noise and packing, on one core. Embree's
rate
is that of its call only, in the same run: the same rays, among the triangles of the same scene.
Times
are processor times, which other programs do not lengthen. Afterwards both sensors run for some
minutes, for the peak memory of the process, with a target of 500 MB.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from pathlib import Path

import numpy as np

from steerageway.vessel.perception.device import Device
from steerageway.vessel.perception.measurement import pack
from steerageway.vessel.perception.reading import DeviceReader
from steerageway.vessel.perception.view import Moving, View
from steerageway.world import shapes
from steerageway.world.rays.caster import Body, Caster, Shape
from steerageway.world.rays.embree import Structure
from steerageway.world.rays.forms import HeightField, Plane
from steerageway.world.rotation import rotation
from steerageway.world.scene.document import load
from steerageway.world.scene.index import Index
from steerageway.world.scene.model import Scene
from steerageway.world.scene.shaping import hull
from steerageway.world.scene.synthetic import scene_text
from steerageway.world.scene.water import Waters
from steerageway.world.sea import Sea
from steerageway.world.sea_state import SeaState

RATE = 10.0  # [Hz]
SENSORS = (
    "sensor_type=LiDAR, sensor_location=0:0:-2",
    "sensor_type=DepthCamera, width=320, height=240",
)
VESSELS = 5
MAX_MEMORY = 500.0  # [MB]


def spent() -> float:
    """Return the processor time of this process [s]."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class Harbour:
    """A harbour with moving vessels, at any time."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.index, self.caster = scene, Index(scene), Caster(scene.standing())
        self._hulls = [Shape(hull(4.0 + 3.0 * k, 1.5 + k, 0.4, 0.8)) for k in range(VESSELS)]
        for k in range(VESSELS):
            self.index.add_contact(f"vessel_{k}")
        states = [SeaState("jonswap", 0.5, 4.0, direction=30.0, spreading="cos2s")]
        self.waters = Waters(Sea.of(states, 1), reach=100.0)
        self._water: tuple[float, HeightField | Plane] | None = None

    def view(self, t: float, device: Device) -> View:
        """Return what a sensor sees at a time [s], from a vessel that follows the lane."""
        position = np.array([2.0 * t, 0.0, -2.0])
        axes = rotation(3 * np.sin(t), np.cos(t), 10.0)
        first = len(self.index) - VESSELS
        moving = []
        for k, shape in enumerate(self._hulls):
            place = np.array([20.0 + 25.0 * k + 1.5 * t, -24.0 + 12.0 * k, 0.0])
            body = Body(first + k, shape, place, rotation(5 * np.sin(t + k), 0.0, 40.0 * k))
            moving.append(Moving(body))
        surface = self.surface(t)
        light = self.scene.light
        return View(self.caster, self.index, light, t, position, axes, moving, surface)

    def surface(self, t: float) -> HeightField | Plane:
        """Return the water surface, the same for all sensors of an instant."""
        if self._water is None or self._water[0] != t:
            self._water = t, self.waters.surface(t, 2.0 * t, 0.0)
        return self._water[1]


def run(harbour: Harbour, devices: list[Device], seconds: float) -> tuple[float, int, int]:
    """Measure; return the processor time [s], the number of rays, and of bytes packed."""
    rng = np.random.default_rng(1)
    rays = size = 0
    start = spent()
    for k in range(int(seconds * RATE)):
        for device in devices:
            for _, measurement in device.sense(harbour.view(k / RATE, device), lambda _: rng):
                size += len(pack(measurement))
            rays += 8000 if device.kind == "LiDAR" else 320 * 240
    return spent() - start, rays, size


def embree_rate(harbour: Harbour, devices: list[Device]) -> tuple[float, int]:
    """Return the rays per second of Embree's call only, and the number of triangles."""
    parts = []
    for thing in harbour.scene.standing():
        ends = thing.extent
        if ends is not None:  # each solid as the box about it
            low, high = ends
            parts.append(shapes.box(*(high - low).tolist()).moved(0.5 * (low + high)).corners)
    n, e = np.meshgrid(np.arange(-100.0, 101.0), np.arange(-100.0, 101.0), indexing="ij")
    sea = np.stack((n, e, 0.1 * np.sin(n) * np.cos(e)), -1)
    p, q, s, v = sea[:-1, :-1], sea[1:, :-1], sea[1:, 1:], sea[:-1, 1:]
    parts += [np.stack(some, -2).reshape(-1, 3, 3) for some in ((p, q, s), (p, s, v))]
    corners = np.concatenate(parts)
    structure = Structure(corners)
    ways = np.concatenate([device.directions for device in devices]).astype(np.float32)
    origins = np.tile(np.array([0.0, 0.0, -2.0], np.float32), (len(ways), 1))
    lengths = np.full(len(ways), 100.0, np.float32)
    structure.first(origins, ways, lengths)
    start = spent()
    for _ in range(10):
        structure.first(origins, ways, lengths)
    return 10 * len(ways) / (spent() - start), len(corners)


def memory() -> float:
    """Return the peak memory of this process [MB]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="simulated time [s] (20)")
    parser.add_argument(
        "--minutes", type=int, default=10, help="simulated time for memory [min] (10)"
    )
    options = parser.parse_args()
    seconds = options.seconds
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "harbour.yml"
        path.write_text(scene_text("harbour", 3), "utf-8")
        harbour = Harbour(load(path))
    reader = DeviceReader()
    for number, line in enumerate(SENSORS, 1):
        reader.line(line, f"sensors:{number}")
    devices = reader.finish()
    run(harbour, devices, 0.5)  # compiles
    for chosen in ([devices[0]], [devices[1]], devices):
        took, rays, size = run(harbour, chosen, seconds)
        names = " and ".join(device.kind for device in chosen)
        print(
            f"{names:24s} {seconds / took:5.1f} times real time, "
            f"{rays / took / 1e6:5.2f} M rays/s, {size / seconds / 1e6:5.2f} MB a second"
        )
    own, triangles = embree_rate(harbour, devices)
    print(f"Embree's call alone, {triangles} triangles: {own / 1e6:.2f} M rays/s")
    held = [memory()]
    for _ in range(options.minutes):
        run(harbour, devices, 60.0)
        held.append(memory())
    text = ", ".join(f"{one:.0f}" for one in held)
    print(f"memory at most, minute by minute [MB]: {text}; target {MAX_MEMORY:g}")


if __name__ == "__main__":
    main()
