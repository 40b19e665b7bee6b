"""Reads which sensors a vessel has: its ``sensors.yml``, and the lines of the app's block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from steerageway.apps.datum import read_datum
from steerageway.apps.registry import imported
from steerageway.apps.simulator_block import Simulator, read_vessel
from steerageway.bus import Config, Entry, Parameter, Setting
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.frame import frame_of
from steerageway.vessel.restoring import GRAVITY
from steerageway.vessel.sensors.reading import CLASSES, FILE, Reader, actuators_of, classes_of
from steerageway.vessel.sensors.sensor import Aboard, Sensor
from steerageway.vessel.tools.place import file_of

PARAMETERS = (
    Parameter("sensor", "", "KEY=VALUE,..: a sensor, see docs/sensors.md; one a line"),
    Parameter("sensors_file", "", "file of sensors; default: sensors.yml of the vessel, if any"),
    Parameter("sensor_class", "", "module:ClassName of a kind of sensors of one's own; repeatable"),
    Parameter("datum_height", "0", "height of the local plane above the ellipsoid [m]"),
)


def read_sensors(setting: Setting, simulator: Simulator) -> tuple[Reader, float]:
    """Read the sensors, and gravity [m/s²].

    Raises:
        ConfigError: a line, or a file it names, is wrong.
    """
    config = setting.config
    own = [_own_kind(entry) for entry in config.all("sensor_class")]
    vessel = read_vessel(simulator, setting.places)
    projection = read_datum(setting.globals)
    aboard = Aboard(projection, config.number("datum_height", default=0.0), None)
    gravity = GRAVITY
    if vessel is not None and simulator.vessel is not None:
        try:
            frame, actuators = frame_of(vessel["geometry"]), actuators_of(vessel)
            gravity = vessel["vessel"].positive("gravity", GRAVITY)
        except InvalidValue as error:
            raise Config.error(simulator.vessel, str(error)) from None
        aboard = replace(aboard, actuators=actuators, frame=frame)
    reader = Reader(aboard, own)
    _read_file(reader, config, simulator, vessel, setting.places)
    lines = config.all("sensor")
    for entry in lines:
        try:
            reader.line(entry.value, entry.where)
        except InvalidValue as error:
            message = str(error).removeprefix(f"{entry.where}:").removeprefix("1:")
            raise Config.error(entry, message.strip()) from None
    try:
        reader.finish()
    except InvalidValue as error:
        blamed = lines[-1] if lines else config.entry("sensors_file") or simulator.vessel
        assert blamed is not None
        raise Config.error(blamed, str(error)) from None
    return reader, gravity


def _read_file(
    reader: Reader,
    config: Config,
    simulator: Simulator,
    vessel: Folder | None,
    places: Sequence[Path],
) -> None:
    """Read the file the block names, or the one of the vessel if it has any."""
    entry = config.entry("sensors_file")
    if entry is not None:
        path = file_of(entry.value, places)
        if not path.is_file():
            raise Config.error(entry, f"no such file in {places[0]}, nor in the folders above")
    elif vessel is not None and (vessel.path / FILE).is_file():
        entry, path = simulator.vessel, vessel.path / FILE
    else:
        return
    assert entry is not None
    try:
        reader.know(_own_kind(Entry(CLASSES, *said)) for said in classes_of(path))
        reader.file(path)
    except InvalidValue as error:
        raise Config.error(entry, str(error)) from None


def _own_kind(entry: Entry) -> type[Sensor]:
    """Give the class a line names."""
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
