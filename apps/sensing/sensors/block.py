"""Reads a vessel's instruments: ``sensors.yml``, and the lines of the block of ``uSensors``."""

from __future__ import annotations

from dataclasses import dataclass, replace

from steerageway.apps.framework.datum import read_datum
from steerageway.apps.framework.registry import imported
from steerageway.apps.sensing.sensor_lines import read_lines, sensors_file
from steerageway.apps.sensing.simulator_block import Simulator, read_vessel
from steerageway.bus import Config, Entry, Options, Setting, declare
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.frame import frame_of
from steerageway.vessel.sensors.reading import CLASSES, Reader, actuators_of, classes_of
from steerageway.vessel.sensors.sensor import Aboard, Sensor
from steerageway.world.constants import GRAVITY


@dataclass(frozen=True)
class SensorsOptions(Options):
    """Parameters of the configuration block."""

    sensor: tuple[Entry, ...] = declare.entries("KEY=VALUE,..: a sensor, see docs/sensors.md")
    sensors_file: Entry | None = declare.line(
        "file of sensors; default: the vessel's sensors.yml, if any"
    )
    sensor_class: tuple[Entry, ...] = declare.entries(
        "module:ClassName of a user-defined type of sensor"
    )
    datum_height: float = declare.number(
        0, "height of the local plane above the ellipsoid", unit="m"
    )


def read_sensors(setting: Setting, simulator: Simulator) -> tuple[Reader, float]:
    """Return the reader with the sensors, and gravity [m/s²].

    Raises:
        ConfigError: a line, or a file it names, is wrong.
    """
    options = SensorsOptions.read(setting.config)
    own = [_own_kind(entry) for entry in options.sensor_class]
    vessel = read_vessel(simulator, setting.places)
    projection = read_datum(setting.globals)
    aboard = Aboard(projection, options.datum_height, None)
    gravity = GRAVITY
    if vessel is not None and simulator.vessel is not None:
        try:
            frame, actuators = frame_of(vessel["geometry"]), actuators_of(vessel)
            gravity = vessel["vessel"].positive("gravity", GRAVITY)
        except InvalidValue as error:
            raise Config.error(simulator.vessel, str(error)) from None
        aboard = replace(aboard, actuators=actuators, frame=frame)
    reader = Reader(aboard, own)
    named = sensors_file(options.sensors_file, simulator, vessel, setting.places)
    if named is not None:
        entry, path = named
        try:
            reader.add_kinds(_own_kind(Entry(CLASSES, *line)) for line in classes_of(path))
            reader.file(path)
        except InvalidValue as error:
            raise Config.error(entry, str(error)) from None
    read_lines(options.sensor, named, reader.line, reader.finish)
    return reader, gravity


def _own_kind(entry: Entry) -> type[Sensor]:
    """Return the sensor class that a line names."""
    module_name, _, class_name = entry.value.strip().partition(":")
    if not all(part.isidentifier() for part in (*module_name.split("."), class_name)):
        raise Config.error(entry, "expected module:ClassName")
    try:
        kind = getattr(imported(module_name), class_name, None)
    except ImportError as error:
        raise Config.error(entry, str(error)) from error
    if not (isinstance(kind, type) and issubclass(kind, Sensor) and hasattr(kind, "kind")):
        raise Config.error(entry, "expected a subclass of vessel.sensors.Sensor with a kind")
    return kind
