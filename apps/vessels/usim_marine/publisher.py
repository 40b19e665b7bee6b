"""Posts of a vessel's navigation: position, attitude, latitude and longitude."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from steerageway.geometry.geodesy import TOO_FAR, Projection
from steerageway.geometry.marine import angle360, psi
from steerageway.moos.values import trimmed
from steerageway.vessel.model import Motion

POSITION = ("X", "Y", "HEADING", "SPEED", "DEPTH", "HEADING_OVER_GROUND", "SPEED_OVER_GROUND")
GLOBAL_POSITION = ("LAT", "LONG")
ATTITUDE = ("Z", "PITCH", "YAW")
WITH_ATTITUDE = ("SIMULATION_MODE", "TRUE_X", "TRUE_Y")
NAVPOS = "USM_NAVPOS_SUMMARY"

PostFunction = Callable[[str, object], None]
PostAllFunction = Callable[[Sequence[str], Sequence[object]], None]


@dataclass(frozen=True, slots=True)
class Form:
    """The posted variables and their names.

    Attributes:
        prefix: of the navigation variables, with its underscore.
        projection: converts to latitude and longitude; None: neither is posted.
        attitude: post Z, pitch, yaw and related variables.
        dual_state: post the true state too, as ``<prefix>GT_*``.
        navpos: post USM_NAVPOS_SUMMARY.
        speed: converts a speed [m/s] to its post; None: unchanged.
    """

    prefix: str = "USM_"
    projection: Projection | None = None
    attitude: bool = True
    dual_state: bool = False
    navpos: bool = False
    speed: Callable[[float], float] | None = None

    @property
    def truth_prefix(self) -> str:
        """The prefix of the true state's variables, with a dual state."""
        return f"{self.prefix}GT_"

    def names(self) -> list[str]:
        """Return every variable that may be posted."""
        prefixes = [self.prefix, self.truth_prefix] if self.dual_state else [self.prefix]
        return [
            *(name for prefix in prefixes for name in self.record(prefix, altitude=True)),
            *(WITH_ATTITUDE if self.attitude else ()),
            *([NAVPOS] if self.navpos else ()),
        ]

    def record(self, prefix: str, *, altitude: bool) -> tuple[str, ...]:
        """Return the variables of one state, in the order in which they are posted."""
        kinds = (
            *POSITION,
            *(["ALTITUDE"] if altitude else ()),
            *(ATTITUDE if self.attitude else ()),
            *(GLOBAL_POSITION if self.projection is not None else ()),
        )
        return tuple(f"{prefix}{kind}" for kind in kinds)


class Publisher:
    """Posts a vessel's motion in a given form; warns when it is too far from the datum."""

    def __init__(self, form: Form, post_all: PostAllFunction, warn: Callable[[str], None]) -> None:
        self.form = form
        self._post_all = post_all
        self._warn = warn
        self._names = {
            (prefix, altitude): form.record(prefix, altitude=altitude)
            for prefix in (form.prefix, form.truth_prefix)
            for altitude in (False, True)
        }

    def post(self, motion: Motion, truth: Motion, water_depth: float | None) -> None:
        """Post the navigation, and with a dual state the true state.

        Args:
            motion, truth: the two states; the same without a dual state.
            water_depth: [m]; None: unknown, and no altitude is posted.
        """
        form = self.form
        position = self._post_record(form.prefix, motion, water_depth)
        if form.dual_state:
            self._post_record(form.truth_prefix, truth, water_depth)
        if form.attitude:
            self._post_all(WITH_ATTITUDE, ("TRUE", truth.x, truth.y))
        if form.navpos:
            self._post_all((NAVPOS,), (_summary(motion, position),))

    def _post_record(
        self, prefix: str, motion: Motion, water_depth: float | None
    ) -> tuple[float, float] | None:
        """Post one state; return its latitude and longitude if they are known."""
        form, position = self.form, None
        names = self._names[prefix, water_depth is not None]
        x, y, heading, speed, depth, pitch, course, over_ground, *_ = motion
        values = [x, y, heading, self._speed(speed), depth, course, over_ground]
        if water_depth is not None:
            values.append(max(0.0, water_depth - depth))
        if form.attitude:
            values += (-depth, pitch, -psi(heading))
        if form.projection is not None:
            try:
                position = form.projection.to_latlon(x, y)
                values += position
            except ValueError:
                self._warn(TOO_FAR)
                names = names[: -len(GLOBAL_POSITION)]
        self._post_all(names, values)
        return position

    def _speed(self, speed: float) -> float:
        """Return a speed as it is posted."""
        return speed if self.form.speed is None else self.form.speed(speed)


def stern_first(motion: Motion) -> Motion:
    """Return a motion as it is posted in reverse mode: heading and speed of the stern.

    A controller of heading and speed then need not know which end goes first.
    """
    return motion._replace(heading=angle360(motion.heading + 180), speed=-motion.speed)


def _summary(motion: Motion, position: tuple[float, float] | None) -> str:
    text = f"x={trimmed(motion.x, 3)},y={trimmed(motion.y, 3)}"
    if position is None or 0.0 in position:
        return text
    return f"{text},lat={trimmed(position[0], 7)},lon={trimmed(position[1], 7)}"
