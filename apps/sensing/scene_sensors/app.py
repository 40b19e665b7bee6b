"""``uSceneSensors``: exteroceptive sensors in a scene: LiDAR, cameras, sonar.

They see the objects of the scene, other vessels at their true poses, and the water, from the true
pose of the own vessel. Each measurement is posted as bytes, see ``docs/wire.md``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from steerageway.apps.sensing.scene_sensors.poses import POSE, Pose, Poses
from steerageway.apps.sensing.scene_sensors.surroundings import Surroundings
from steerageway.apps.sensing.sensor_lines import read_lines, sensors_file
from steerageway.apps.sensing.simulator_block import Simulator, read_simulator, read_vessel
from steerageway.apps.sensing.state_mail import CHANGE, DEPTHS, DRIFT, STATES, WIND, Inbox
from steerageway.apps.shared.datum import read_datum
from steerageway.bus import NANO, App, Entry, Message, Options, Setting, at_line, declare, variables
from steerageway.helm.contact import REPORTS
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.frame import frame_of
from steerageway.vessel.perception.device import Device
from steerageway.vessel.perception.measurement import pack
from steerageway.vessel.perception.reading import DeviceReader
from steerageway.vessel.sensors.sensor_base import DRAWN_IN_BODY
from steerageway.vessel.sensors.suite import Suite
from steerageway.vessel.tools.place import file_of
from steerageway.world.constants import GRAVITY
from steerageway.world.errors import WorldError
from steerageway.world.rays import embree
from steerageway.world.scene.document import bottom_of, load
from steerageway.world.scene.model import Scene
from steerageway.world.scene.warm import warm

SENSORS, INDEX = "SCENE_SENSORS", "SCENE_INDEX"
OBSTACLES = ("KNOWN_OBSTACLE", "KNOWN_OBSTACLE_CLEAR")
ANY = (
    *("LIDAR_*", "DEPTH_*", "RGB_*", "SEMANTIC_*", "INSTANCE_*", "COLOURED_*", "CAMERA_INFO_*"),
    *("SONAR_*", "ECHOES_*", "/*"),
)


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


@dataclass
class Mounted:
    """A sensor aboard, and its measurements that are not posted yet.

    Attributes:
        device: the sensor.
        last: the time up to which it has measured [ns]; None before the first measurement.
        waiting: time [ns], variable and bytes of each measurement not posted yet.
        posted, lost: numbers of measurements.
    """

    device: Device
    last: int | None = None
    waiting: list[tuple[int, str, bytes]] = field(default_factory=list)
    posted: int = 0
    lost: int = 0


class SceneSensors(App):
    """Simulates LiDAR, cameras and sonar that look into a scene."""

    last_wins = True
    publications = variables.published("""
        SCENE_SENSORS | text | m, rad, Hz | | once | list of the sensors, as JSON: name, type,
            place, rate, range, variables
        SCENE_INDEX | text | | | once, and when an obstacle appears | visible objects, as JSON:
            instance, name, class, obstacle, contact
        SCENE_POSE | text | s, m, deg, m/s, NED | | |
            `NAME=ben,TIME=12.3,N=1,E=2,D=0,ROLL=0,PITCH=0,YAW=0,VN=1,VE=0,VD=0`: true pose of the
            vessel, for other vessels' sensors
        LIDAR_* | bytes | m, sensor's axes | | each measurement | a point cloud: x, y, z, intensity,
            ring
        DEPTH_* | bytes | m along the camera's axis | | each measurement | a depth image
        RGB_* | bytes | 0 to 255 | | each measurement | a colour image
        SEMANTIC_* | bytes | number of the class | | each measurement | an image of classes, with
            boxes
        INSTANCE_* | bytes | instance | | each measurement | an image of instances, with boxes
        COLOURED_* | bytes | m, sensor's axes | | each measurement | a point cloud: x, y, z, r, g, b
        CAMERA_INFO_* | text | pixels | | once | ROS' CameraInfo as JSON
        SONAR_* | bytes | dB re 1 µPa | | each measurement | an image: range bins by beams
        ECHOES_* | bytes | rad, m | | each measurement, with `echoes` | a list: azimuth, range,
            elevation of each beam's nearest echo
    """)
    publishes: Sequence[str] = (SENSORS, INDEX, POSE, *ANY)
    subscribes = (STATES, "USM_*", DRIFT, WIND, CHANGE, *DEPTHS, POSE, *REPORTS, *OBSTACLES)
    parameters = SceneOptions.parameters()

    def configure(self) -> None:
        """Read the scene and the sensors."""
        setting = self.setting
        simulator = read_simulator(setting)
        options = SceneOptions.read(setting.config)
        scene = read_scene(options, setting, simulator)
        devices, gravity = read_devices(options, setting, simulator)
        if devices:
            warm()
        else:
            self.config_warning("there is no sensor: only the vessel's pose is posted")
        self._mounted = [Mounted(device) for device in devices]
        self._suite = Suite((), gravity, lambda sensor, stream: 0)
        self._inbox = Inbox(simulator, self._suite, self.run_warning)
        self._poses = Poses(setting.community, read_datum(setting.globals), setting.epoch)
        self._obstacles = options.obstacles
        height = options.obstacle_height
        reach = max((device.far for device in devices), default=0.0)
        self._around = Surroundings(scene, self._poses, reach, height)
        self._streams: dict[str, np.random.Generator] = {}
        self._constants = {
            name: text for device in devices for name, text in device.constants().items()
        }
        names = [
            name
            for device in devices
            for variable in device.variables()
            for name in self._names(device, variable)
        ]
        self.publishes = (SENSORS, INDEX, POSE, *self._constants, *dict.fromkeys(names))

    def on_start(self) -> None:
        """Register the subscriptions; post the sensors, the index of the scene and constants."""
        obstacles = OBSTACLES if self._obstacles else ()
        self.register(*self._inbox.subscriptions, POSE, *REPORTS, *obstacles)
        descriptions = [one.device.description() for one in self._mounted]
        self.post(SENSORS, json.dumps(descriptions, separators=(",", ":")))
        self._post_index()
        for name, text in self._constants.items():
            self.post(name, text)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Process the simulator's and other vessels' mail; measure up to the newest state."""
        states = [message for message in mail if not self._take_others(message)]
        self._inbox.take(states)
        track = self._suite.track
        if track.start is None or track.end is None or track.end == track.start:
            return
        for one in self._mounted:
            after = track.start - 1 if one.last is None else one.last
            self._measure(one, one.device.times(after, track.end))
            one.last = track.end
        self._suite.around.forget(track.end)

    def iterate(self) -> None:
        """Post the own vessel's pose, and the measurements whose latency has passed."""
        track = self._suite.track
        if track.end is not None and track.end != track.start:
            truth = track.at(np.array([track.end]), self._suite.around, 0.0)
            velocity = truth.R_nb[0] @ truth.velocity[0]
            pose = Pose(track.end / NANO, truth.position[0], velocity, truth.R_nb[0])
            self.post(POSE, pose.text(self.setting.community), time=pose.time)
        for one in self._mounted:
            limit = self.instant - one.device.latency
            due = [row for row in one.waiting if row[0] <= limit]
            one.waiting = one.waiting[len(due) :]
            for time, variable, value in due:
                for name in self._names(one.device, variable):
                    self.post(name, value, time=time / NANO)
            one.posted += len({time for time, _, _ in due})

    def _take_others(self, message: Message) -> bool:
        """Process a message about other vessels or obstacles; return whether it was one."""
        name = message.name
        try:
            if name == POSE or name in REPORTS:
                self._poses.take(message, self.utc)
            elif name == "KNOWN_OBSTACLE":
                count = len(self._around.index)
                self._around.take_obstacle(str(message.value))
                if len(self._around.index) != count:
                    self._post_index()
            elif name == "KNOWN_OBSTACLE_CLEAR":
                self._around.clear_obstacles(str(message.value))
            else:
                return False
        except InvalidValue as error:
            self.run_warning(f"{name} = {str(message.value)[:200]!r}: {error}")
        return True

    def _measure(self, one: Mounted, times: list[int]) -> None:
        """Measure at times [ns] within the newest part of the track; store the results."""
        track = self._suite.track
        if not times:
            return
        covered = track.covered(np.array(times, np.int64))
        if covered is not None:
            times = [t for t, inside in zip(times, covered.tolist(), strict=True) if inside]
        if not times:
            return
        truth = track.at(np.array(times, np.int64), self._suite.around, 0.0)
        device = one.device
        for k, time in enumerate(times):
            lost = device.dropout and self._rng(device, "dropout").random() < device.dropout
            if lost:
                one.lost += 1
                continue
            view = self._around.view(time / NANO, device.pose(truth, k), self._suite.around.weather)
            outputs = device.sense(view, lambda stream: self._rng(device, stream))
            one.waiting += [(time, name, pack(measured)) for name, measured in outputs]

    def _rng(self, device: Device, stream: str) -> np.random.Generator:
        """Return the random generator of one of a sensor's streams."""
        name = f"{device.name}.{stream}"
        if name not in self._streams:
            bits = np.random.PCG64(self.random(name).getrandbits(64))
            self._streams[name] = np.random.Generator(bits)
        return self._streams[name]

    def _names(self, device: Device, variable: str) -> tuple[str, ...]:
        """Return the variables of an output: its own and, for the first output, the topic."""
        first = variable == device.variables()[0] and device.topic
        return (variable, device.topic) if first else (variable,)

    def _post_index(self) -> None:
        rows = [
            {
                "instance": entry.number + 1,
                "name": entry.name,
                "class": entry.kind,
                "obstacle": entry.obstacle,
                "contact": entry.contact,
            }
            for entry in self._around.index
        ]
        self.post(INDEX, json.dumps(rows, separators=(",", ":")))

    def report(self) -> Iterable[str]:
        """Return rate, posted and lost measurements of each sensor."""
        for one in self._mounted:
            rate = one.device.publish_rate
            yield f"{one.device.name}: {rate:g} Hz, {one.posted} posted, {one.lost} lost"
