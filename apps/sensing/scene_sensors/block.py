"""Reads the configuration block of ``uSceneSensors``: scene and exteroceptive sensors."""

from __future__ import annotations

from dataclasses import dataclass, replace

from steerageway.apps.sensing.sensor_lines import read_lines, sensors_file
from steerageway.apps.sensing.simulator_block import Simulator, read_vessel
from steerageway.bus import Entry, Options, Setting, at_line, declare
from steerageway.vessel.fossen.frame import frame_of
from steerageway.vessel.perception.device import Device
from steerageway.vessel.perception.reading import DeviceReader
from steerageway.vessel.sensors.sensor_base import DRAWN_IN_BODY
from steerageway.vessel.tools.place import file_of
from steerageway.world.constants import GRAVITY
from steerageway.world.errors import WorldError
from steerageway.world.rays import embree
from steerageway.world.scene.document import bottom_of, load
from steerageway.world.scene.model import Scene


@dataclass(frozen=True)
class SceneOptions(Options):
    """Parameters of the configuration block."""

    scene: Entry | None = declare.line(
        "file of the scene, see steerageway help scenes; default: only water"
    )
    sensor: tuple[Entry, ...] = declare.entries(
        "KEY=VALUE,..: a sensor, see steerageway help scenes"
    )
    sensors_file: Entry | None = declare.line(
        "file of sensors; default: the vessel's sensors.yml, if any"
    )
    obstacles: bool = declare.flag(False, "whether each KNOWN_OBSTACLE is added to the scene")
    obstacle_height: float = declare.number(
        3, "height of such obstacles above the water", unit="m", low=0.01
    )


def read_scene(options: SceneOptions, setting: Setting, simulator: Simulator) -> Scene:
    """Read the scene; without a bottom, it gets that of the simulator's environment.

    Raises:
        ConfigError: the line, or the file it names, is wrong.
    """
    entry = options.scene
    scene = Scene()
    if entry is not None:
        with at_line(entry, WorldError):
            scene = load(file_of(entry.value, setting.places))
            if scene.triangles or scene.craft:
                embree.check()
    bottom = bottom_of(scene, simulator.environment)
    return scene if bottom is None else replace(scene, items=(*scene.items, bottom))


def read_devices(
    options: SceneOptions, setting: Setting, simulator: Simulator
) -> tuple[list[Device], float]:
    """Return the sensors, and gravity [m/s²].

    Raises:
        ConfigError: a line, or a file it names, is wrong.
    """
    vessel = read_vessel(simulator, setting.places)
    frame, gravity = DRAWN_IN_BODY, GRAVITY
    if vessel is not None and simulator.vessel is not None:
        with at_line(simulator.vessel):
            frame = frame_of(vessel["geometry"])
            gravity = vessel["vessel"].positive("gravity", GRAVITY)
    reader = DeviceReader(frame)
    named = sensors_file(options.sensors_file, simulator, vessel, setting.places)
    if named is not None:
        entry, path = named
        with at_line(entry):
            reader.file(path)
    read_lines(options.sensor, named, reader.line, reader.finish)
    return reader.devices, gravity
