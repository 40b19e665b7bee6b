"""Posts where the vessel is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from apps.usim_marine.conduct import Conduct
from moos.values import snap, trimmed
from vessel.geodesy import Projection
from vessel.marine import angle360, psi
from vessel.model import Motion

POSITION = ("X", "Y", "HEADING", "SPEED", "DEPTH", "HEADING_OVER_GROUND", "SPEED_OVER_GROUND")
GLOBAL_POSITION = ("LAT", "LONG")
ATTITUDE = ("Z", "PITCH", "YAW")
WITH_ATTITUDE = ("SIMULATION_MODE", "TRUE_X", "TRUE_Y")
NAVPOS = "USM_NAVPOS_SUMMARY"

PostFunction = Callable[[str, object], None]


@dataclass(frozen=True, slots=True)
class Form:
    """What is posted about the vessel, and under which names.

    Attributes:
        prefix: of the navigation variables, its underscore included.
        projection: gives latitude and longitude; None: neither is posted.
        attitude: post Z, pitch, yaw and what goes with them.
        dual_state: post the truth too, as ``<prefix>GT_*``.
        navpos: post USM_NAVPOS_SUMMARY.
        snaps_speed: post speeds in steps of 0.01 m/s.
        speed_cap: post no greater speed [m/s]; 0: no bound.
    """

    prefix: str = "USM_"
    projection: Projection | None = None
    attitude: bool = True
    dual_state: bool = False
    navpos: bool = False
    snaps_speed: bool = False
    speed_cap: float = 0.0

    def names(self) -> list[str]:
        """Give every variable that may be posted."""
        prefixes = [self.prefix, f"{self.prefix}GT_"] if self.dual_state else [self.prefix]
        kinds = [*POSITION, "ALTITUDE"]
        if self.projection is not None:
            kinds.extend(GLOBAL_POSITION)
        if self.attitude:
            kinds.extend(ATTITUDE)
        names = [f"{prefix}{kind}" for prefix in prefixes for kind in kinds]
        return [
            *names,
            *(WITH_ATTITUDE if self.attitude else ()),
            *([NAVPOS] if self.navpos else ()),
        ]


def underscored(text: str, conduct: Conduct) -> str:
    """Give a prefix its underscore."""
    return text if text.endswith("_") and not conduct.doubles_underscore else f"{text}_"


class Publisher:
    """Posts a vessel's motion in a given form."""

    def __init__(self, form: Form, post: PostFunction) -> None:
        self.form = form
        self._post = post
        self._nav = _Names.with_prefix(form.prefix)
        self._truth = _Names.with_prefix(f"{form.prefix}GT_")

    def post(self, motion: Motion, truth: Motion, water_depth: float) -> None:
        """Post the navigation record, and with a dual state the truth.

        Args:
            motion, truth: what is told of the two records; the same without a dual state.
            water_depth: [m]; 0: unknown, and no altitude is posted.
        """
        position = self._post_record(self._nav, motion, water_depth)
        if self.form.dual_state:
            self._post_record(self._truth, truth, water_depth)
        if self.form.attitude:
            self._post("SIMULATION_MODE", "TRUE")
            self._post("TRUE_X", truth.x)
            self._post("TRUE_Y", truth.y)
        if self.form.navpos:
            self._post(NAVPOS, _summary(motion, position))

    def _post_record(
        self, names: _Names, motion: Motion, water_depth: float
    ) -> tuple[float, float] | None:
        """Post one record; give its latitude and longitude where they are known."""
        post, form = self._post, self.form
        post(names.x, motion.x)
        post(names.y, motion.y)
        post(names.heading, motion.heading)
        post(names.speed, self._speed(motion.speed))
        post(names.depth, motion.depth)
        post(names.heading_over_ground, motion.heading_over_ground)
        post(names.speed_over_ground, motion.speed_over_ground)
        if water_depth > 0:
            post(names.altitude, max(0.0, water_depth - motion.depth))
        if form.attitude:
            post(names.z, -motion.depth)
            post(names.pitch, motion.pitch)
            post(names.yaw, -psi(motion.heading))
        if form.projection is None:
            return None
        lat, lon = form.projection.to_latlon(motion.x, motion.y)
        post(names.lat, lat)
        post(names.long, lon)
        return lat, lon

    def _speed(self, speed: float) -> float:
        """Give a speed as it is posted."""
        if self.form.snaps_speed:
            speed = snap(speed, 0.01)
        return min(speed, self.form.speed_cap) if self.form.speed_cap > 0 else speed


def stern_first(motion: Motion) -> Motion:
    """Give a motion as it is told in reverse mode: heading and speed are those of the stern.

    So whoever steers by heading and speed need not know which end goes first.
    """
    return motion._replace(heading=angle360(motion.heading + 180), speed=-motion.speed)


def _summary(motion: Motion, position: tuple[float, float] | None) -> str:
    text = f"x={trimmed(motion.x, 3)},y={trimmed(motion.y, 3)}"
    if position is None or 0.0 in position:
        return text
    return f"{text},lat={trimmed(position[0], 7)},lon={trimmed(position[1], 7)}"


@dataclass(frozen=True, slots=True)
class _Names:
    """The variables of one record."""

    x: str
    y: str
    heading: str
    speed: str
    depth: str
    heading_over_ground: str
    speed_over_ground: str
    altitude: str
    z: str
    pitch: str
    yaw: str
    lat: str
    long: str

    @classmethod
    def with_prefix(cls, prefix: str) -> _Names:
        return cls(**{name: prefix + name.upper() for name in cls.__slots__})
