"""Reads which scene a vessel is in, and which of its sensors look outward."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from steerageway.apps.simulator_block import Simulator, read_vessel
from steerageway.bus import Config, Entry, Parameter, Setting
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.frame import frame_of
from steerageway.vessel.perception.device import Device
from steerageway.vessel.perception.reading import DeviceReader
from steerageway.vessel.restoring import GRAVITY
from steerageway.vessel.sensors.reading import FILE
from steerageway.vessel.sensors.sensor import DRAWN_IN_BODY
from steerageway.vessel.tools.place import file_of
from steerageway.world.errors import WorldError
from steerageway.world.rays import embree
from steerageway.world.scene.document import bottom_of, load
from steerageway.world.scene.model import Scene

PARAMETERS = (
    Parameter("scene", "", "file of the scene, see docs/scenes.md; without one there is water"),
    Parameter("sensor", "", "KEY=VALUE,..: a sensor, see docs/scenes.md; one a line"),
    Parameter("sensors_file", "", "file of sensors; default: sensors.yml of the vessel, if any"),
    Parameter("obstacles", "false", "whether KNOWN_OBSTACLE stands in the scene"),
    Parameter("obstacle_height", "3", "height of such obstacles above the water [m]"),
)


def read_scene(setting: Setting, simulator: Simulator) -> Scene:
    """Read the scene; one without a bottom has that of the simulator's environment.

    Raises:
        ConfigError: the line, or the file it names, is wrong.
    """
    entry = setting.config.entry("scene")
    scene = Scene()
    if entry is not None:
        try:
            scene = load(file_of(entry.value, setting.places))
            if scene.triangles or scene.craft:
                embree.check()
        except WorldError as error:
            raise Config.error(entry, str(error)) from None
    bottom = bottom_of(scene, simulator.environment)
    return scene if bottom is None else replace(scene, items=(*scene.items, bottom))


def read_devices(setting: Setting, simulator: Simulator) -> tuple[list[Device], float]:
    """Read the sensors, and gravity [m/s²].

    Raises:
        ConfigError: a line, or a file it names, is wrong.
    """
    config = setting.config
    vessel = read_vessel(simulator, setting.places)
    frame, gravity = DRAWN_IN_BODY, GRAVITY
    if vessel is not None and simulator.vessel is not None:
        try:
            frame = frame_of(vessel["geometry"])
            gravity = vessel["vessel"].positive("gravity", GRAVITY)
        except InvalidValue as error:
            raise Config.error(simulator.vessel, str(error)) from None
    reader = DeviceReader(frame)
    named = _file(config, simulator, None if vessel is None else vessel.path, setting)
    if named is not None:
        entry, path = named
        try:
            reader.file(path)
        except InvalidValue as error:
            raise Config.error(entry, str(error)) from None
    lines = config.all("sensor")
    for entry in lines:
        try:
            reader.line(entry.value, entry.where)
        except InvalidValue as error:
            message = str(error).removeprefix(f"{entry.where}:").removeprefix("1:")
            raise Config.error(entry, message.strip()) from None
    try:
        return reader.finish(), gravity
    except InvalidValue as error:
        blamed = lines[-1] if lines else named and named[0]
        assert blamed is not None
        raise Config.error(blamed, str(error)) from None


def _file(
    config: Config, simulator: Simulator, vessel: Path | None, setting: Setting
) -> tuple[Entry, Path] | None:
    """Give the file the block names, or the one of the vessel if it has any."""
    entry = config.entry("sensors_file")
    if entry is not None:
        path = file_of(entry.value, setting.places)
        if not path.is_file():
            expected = f"no such file in {setting.places[0]}, nor in the folders above"
            raise Config.error(entry, expected)
        return entry, path
    if simulator.vessel is not None and vessel is not None and (vessel / FILE).is_file():
        return simulator.vessel, vessel / FILE
    return None
