"""Tables of topics: which messages of ROS go out and come in, by lines of a block or ready-made."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, pi
from typing import Any

from rosbags.interfaces import Nodetype

from steerageway.bridges.ros.messages import STORE, message, whole_kind
from steerageway.bus import Value, is_name
from steerageway.declarations import finite
from steerageway.diagnostics.nearest import hint

OWN = "own"  # the table of what goes out without another one
LONGEST = 65_536  # characters of a value that comes in
MOST_POINTS = 1000  # of a path
_TOPIC = re.compile(r"/?[A-Za-z_]\w*(/[A-Za-z_]\w*)*", re.ASCII)
_NAMES = {"sensor_msgs/msg/JointState": "name", "interfaces/msg/Actuator": "actuator_names"}
_DEGREES = 180.0 / pi

Path = tuple[str, ...]


class NotTaken(ValueError):
    """A message is not taken; the text says why."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message, or a member of it, that becomes a variable.

    Attributes:
        topic: its name; without a leading slash it is below the vessel's namespace.
        kind: of the message, as ``std_msgs/msg/Float64``.
        member: path to the member; () for the whole message, as text.
        variable: its name.
        factor: multiplies a number.
    """

    topic: str
    kind: str
    member: Path
    variable: str
    factor: float

    def value(self, content: Any) -> Value:
        """Return the variable's value.

        Raises:
            NotTaken: the message has no such member, or its value cannot be posted.
        """
        found = _at(content, self.member) if self.member else _WHOLE[self.kind](content)
        if isinstance(found, str):
            if len(found) > LONGEST:
                raise NotTaken("a text that is too long")
            return found
        if found.__class__.__name__ in ("bool", "bool_"):
            return str(bool(found)).lower()
        number = float(found) * self.factor
        if not isfinite(number):
            raise NotTaken("a number that is not finite")
        return number


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message that is published.

    Attributes:
        source: a made message in lower case, as ``imu``, or a variable.
        topic: as of ``Incoming``.
        kind: of the message; "" for a made one, and for a variable: Float64 or String.
        member: path to the member that takes the variable's value.
        factor: multiplies a number.
    """

    source: str
    topic: str
    kind: str
    member: Path
    factor: float

    @property
    def is_made(self) -> bool:
        """Whether the source is a made message."""
        return self.source.islower()

    def message(self, value: Value, header: Mapping[str, Any]) -> Any:
        """Return the message of a variable's value; the other members are 0 or empty.

        Raises:
            ValueError: the value does not fit the member.
        """
        scaled = value * self.factor if isinstance(value, float) else value
        members: dict[str, Any] = {}
        if any(name == "header" for name, _ in STORE.fielddefs[self.kind][1]):
            members["header"] = header
        inner = members
        for step in self.member[:-1]:
            inner = inner.setdefault(step, {})
        inner[self.member[-1]] = scaled
        return message(self.kind, members)


def parse_incoming(text: str) -> Incoming:
    """Read ``TOPIC [TYPE [MEMBER]] : VARIABLE [* FACTOR]``.

    Raises:
        ValueError: it has another form, or there is no such type or member.
    """
    left, _, right = text.partition(" : ")
    words = left.split()
    variable, factor = _scaled(right)
    if not 1 <= len(words) <= 3 or not is_name(variable):
        raise ValueError("expected TOPIC [TYPE [MEMBER]] : VARIABLE [* FACTOR]")
    topic, kind, member = _typed(words, "std_msgs/msg/Float64")
    if not member and kind not in _WHOLE:
        raise ValueError(f"expected a MEMBER behind {words[1]}, as {_example(kind)}")
    return Incoming(topic, kind, member, variable, factor)


def parse_outgoing(text: str) -> Outgoing:
    """Read ``MESSAGE : TOPIC`` or ``VARIABLE : TOPIC [TYPE [MEMBER]] [* FACTOR]``.

    Raises:
        ValueError: it has another form, or there is no such type or member.
    """
    source, _, right = text.partition(" : ")
    source = source.strip()
    rest, factor = _scaled(right)
    words = rest.split()
    if not 1 <= len(words) <= 3 or not is_name(source):
        raise ValueError("expected MESSAGE : TOPIC or VARIABLE : TOPIC [TYPE [MEMBER]] [* FACTOR]")
    if source.islower() and len(words) > 1:
        raise ValueError(f"expected no type: {source} in lower case is a message that has its own")
    topic, kind, member = _typed(words, "")
    if kind and not member:
        raise ValueError(f"expected a MEMBER behind {words[1]}, as {_example(kind)}")
    return Outgoing(source, topic, kind, member, factor)


def _scaled(text: str) -> tuple[str, float]:
    """Split ``WORDS [* FACTOR]``."""
    words, star, number = text.partition("*")
    factor = finite(number) if star else 1.0
    if factor is None:
        raise ValueError("expected a number behind *")
    return words.strip(), factor


def _typed(words: Sequence[str], usual: str) -> tuple[str, str, Path]:
    """Return topic, type and member; a type with ``data`` alone needs no member."""
    topic, kind = words[0], usual
    if not _TOPIC.fullmatch(topic):
        raise ValueError(f"{topic}: expected a topic, as /wamv/odom or odom")
    if len(words) > 1:
        kind = whole_kind(words[1])
        if kind not in STORE.fielddefs:
            raise ValueError(f"expected a type of messages{hint(kind, STORE.fielddefs)}")
    if len(words) > 2:
        member = tuple(words[2].split("."))
        _check_member(kind, member)
    else:
        member = ("data",) if kind and _is_plain(kind, ("data",)) else ()
    return topic, kind, member


def _check_member(kind: str, member: Path) -> None:
    if not _is_plain(kind, member):
        names = [name for name, _ in STORE.fielddefs[kind][1]]
        raise ValueError(
            f"{'.'.join(member)}: expected a number or text in {kind}, whose members are"
            f" {', '.join(names)}"
        )


def _is_plain(kind: str, member: Path) -> bool:
    """Whether a path leads to one number or text; in an array a step is an index or a name."""
    definition: Any = (Nodetype.NAME, kind)
    for step in member:
        node, about = definition
        if node == Nodetype.NAME:
            fields = dict(STORE.fielddefs[about][1])
            if step not in fields:
                return False
            definition = fields[step]
        elif node in (Nodetype.ARRAY, Nodetype.SEQUENCE) and (step.isdecimal() or kind in _NAMES):
            definition = about[0]
        else:
            return False
    return bool(definition[0] == Nodetype.BASE)


def _example(kind: str) -> str:
    """Return the path of the first plain member of a type."""
    path: Path = ()
    while True:
        name, definition = STORE.fielddefs[kind][1][-1]
        node, about = definition
        path = (*path, name)
        if node != Nodetype.NAME:
            return ".".join(path) + (".0" if node in (Nodetype.ARRAY, Nodetype.SEQUENCE) else "")
        kind = str(about)


def _at(content: Any, member: Path) -> Any:
    """Return the member of a message."""
    found = content
    for step in member:
        if hasattr(found, step):
            found = getattr(found, step)
            continue
        names = _NAMES.get(getattr(content, "__msgtype__", ""), "")
        try:
            place = int(step) if step.isdecimal() else getattr(content, names).index(step)
            found = found[place]
        except (LookupError, ValueError, TypeError):
            raise NotTaken(f"a message without {'.'.join(member)}") from None
    return found


def _points(content: Any) -> str:
    """Return a path's points as a waypoint behavior takes them: x east, y north [m]."""
    if not 0 < len(content.poses) <= MOST_POINTS:
        raise NotTaken(f"a path without points, or with more than {MOST_POINTS}")
    places = [pose.pose.position for pose in content.poses]
    if not all(isfinite(place.x) and isfinite(place.y) for place in places):
        raise NotTaken("a number that is not finite")
    return "points = " + ":".join(f"{place.x:.12g},{place.y:.12g}" for place in places)


def _joints(content: Any) -> str:
    rows = (content.position, content.velocity, content.effort)
    return _commands(content.name, next((row for row in rows if len(row)), ()))


def _commands(names: Sequence[str], numbers: Sequence[float]) -> str:
    """Return commands of actuators, as ``ACTUATOR_CMD`` takes them."""
    if not names or len(names) != len(numbers):
        raise NotTaken("a command without a number for each name")
    if not all(name.isidentifier() for name in names) or not all(map(isfinite, numbers)):
        raise NotTaken("a command with a name or number that is not one")
    return ",".join(f"{n}={float(v):.12g}" for n, v in zip(names, numbers, strict=True))


_WHOLE: Mapping[str, Callable[[Any], str]] = {
    "nav_msgs/msg/Path": _points,
    "sensor_msgs/msg/JointState": _joints,
    "interfaces/msg/Actuator": lambda m: _commands(m.actuator_names, m.actuator_values),
}

_CMD_VEL = (  # ROS turns anticlockwise
    "cmd_vel geometry_msgs/Twist linear.x : DESIRED_SPEED",
    f"cmd_vel geometry_msgs/Twist angular.z : DESIRED_YAW_RATE * {-_DEGREES:.12g}",
)
TABLES: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    OWN: ((), ()),
    "cmd_vel": (_CMD_VEL, ()),
    "panisim": (
        ("actuator_cmd interfaces/Actuator : ACTUATOR_CMD",),
        ("pose : odometry_sim", "imu : imu/data", "gps : gps", "uwb : uwb"),
    ),
    "vrx": (  # for the vessel wamv: a fraction of 250 N, degrees to starboard
        (
            "/wamv/thrusters/left/thrust : th_1 * 0.004",
            "/wamv/thrusters/right/thrust : th_2 * 0.004",
            f"/wamv/thrusters/left/pos : az_1 * {-_DEGREES:.12g}",
            f"/wamv/thrusters/right/pos : az_2 * {-_DEGREES:.12g}",
        ),
        (
            "pose : /wamv/sensors/position/ground_truth_odometry",
            "imu : /wamv/sensors/imu/imu/data",
            "gps : /wamv/sensors/gps/gps/fix",
        ),
    ),
    "turtleboat": (  # for the vessel tito_neri: rpm and a fraction, radians to starboard
        (
            "reference/actuation sensor_msgs/JointState velocity.PS_aft_thruster_propeller : th_1",
            "reference/actuation sensor_msgs/JointState velocity.SB_aft_thruster_propeller : th_2",
            "reference/actuation sensor_msgs/JointState velocity.BOW_thruster_propeller : th_3",
            "reference/actuation sensor_msgs/JointState position.PS_aft_thruster_joint : az_1"
            f" * {_DEGREES:.12g}",
            "reference/actuation sensor_msgs/JointState position.SB_aft_thruster_joint : az_2"
            f" * {_DEGREES:.12g}",
        ),
        (
            "fix : telemetry/gnss/fix",
            f"NAV_HEADING : telemetry/heading std_msgs/Float32 * {1 / _DEGREES:.12g}",
            "imu : telemetry/imu",
        ),
    ),
    "unity_asv": (
        (
            *_CMD_VEL,
            "cmd_force geometry_msgs/Wrench force.x : TAU_X",
            "cmd_force geometry_msgs/Wrench force.y : TAU_Y * -1",
            "cmd_force geometry_msgs/Wrench torque.z : TAU_N * -1",
        ),
        ("pose : odom", "imu : imu"),
    ),
}
"""Topics in and out of ready-made tables, by name."""
