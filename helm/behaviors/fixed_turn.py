"""``BHV_FixedTurn``: turn by an angle with a course at a constant offset from the heading.

Source: BHV_FixedTurn of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from math import radians
from typing import Any, ClassVar, NamedTuple

from steerageway.declarations import (
    Choice,
    Number,
    boolean,
    finite,
    tolerant,
    variables,
    word,
)
from steerageway.helm.behaviors.base import NAVIGATION, Behavior
from steerageway.helm.behaviors.turning import Way, steer
from steerageway.helm.flags import Flag, flag
from steerageway.helm.geometry import turn
from steerageway.helm.settings import CommonSettings, parameter, posted_in, repeated
from steerageway.ivp import Function
from steerageway.moos.values import pairs, trimmed

SIDES = ("port", "star", "starboard")


def turn_speed(text: str) -> float | None:
    """Read a speed; None for auto."""
    return None if text.lower() == "auto" else Number(low=0, words={"auto": 0.0})(text)


def limit(text: str) -> float | None:
    """Read a time; None below 0."""
    seconds = Number()(text)
    return None if seconds < 0 else seconds


@dataclass(frozen=True, slots=True)
class Spec:
    """A turn of the schedule: values that replace the parameters; None for the parameter.

    Attributes:
        clear: discard the turns of earlier lines.
        is_turn: it is a turn; False for a line that only discards others.
    """

    spd: float | None = None
    mhdg: float | None = None
    fix: float | None = None
    turn: str | None = None
    timeout: float | None = None
    flags: tuple[Flag, ...] = ()
    key: str = ""
    clear: bool = False
    is_turn: bool = True

    def changed(self, later: Spec) -> Spec:
        """Return this turn with the values of a later line of the same key."""
        what = ("spd", "mhdg", "fix", "turn", "timeout")
        new = {name: getattr(later, name) for name in what if getattr(later, name) is not None}
        return replace(self, flags=self.flags + later.flags, **new)


def _own(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a reader of a turn's value: None (the parameter) for auto, rand and numbers <= 0."""

    def reader(text: str) -> Any:
        value = finite(text)
        if text.lower() in ("auto", "rand") or (value is not None and value <= 0):
            return None
        return read(text)

    return reader


_READERS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "spd": ("spd", _own(Number())),
    "mhdg": ("mhdg", _own(Number())),
    "fix": ("fix", _own(Number())),
    "fhdg": ("fix", _own(Number())),
    "turn": ("turn", _own(Choice(*SIDES))),
    "tdir": ("turn", _own(Choice(*SIDES))),
    "timeout": ("timeout", _own(Number())),
    "key": ("key", word),
}


def spec(text: str) -> Spec:
    """Read spd=,mhdg=,fix=,turn=,timeout=,flag=VAR=value,key=; clear may precede it or be alone."""
    first, comma, rest = text.partition(",")
    clear = first.strip().lower() in ("clear", "clearall")
    if clear and not comma:
        return Spec(clear=True, is_turn=False)
    found: dict[str, Any] = {}
    posts: list[Flag] = []
    for key, value in pairs(rest if clear else text):
        if key.lower() == "flag":
            posts.append(flag(value))
            continue
        if key.lower() not in _READERS:
            raise ValueError(f"expected {', '.join(_READERS)}, flag, found {key}")
        name, read = _READERS[key.lower()]
        found[name] = read(value)
    return Spec(**found, flags=tuple(posts), clear=clear)


@dataclass
class FixedTurnSettings(CommonSettings):
    """The behavior's parameters."""

    without_effect: ClassVar[Mapping[str, str]] = {
        **CommonSettings.without_effect,
        "visual_hints": "nothing is drawn",
        "i_understand_this_behavior_is_deprecated": "there is one behavior of both names",
    }
    fix_turn: float = parameter(
        "0", Number(low=0), "angle to turn by [deg]; 0: until the timeout, if there is one"
    )
    mod_hdg: float = parameter(
        "20",
        tolerant(Number(above=0, high=180), Number()),
        "offset of the desired course from the heading [deg]",
    )
    turn_dir: str = parameter("port", Choice(*SIDES), "side to turn to: port or star")
    speed: float | None = parameter(
        "1", turn_speed, "desired speed [m/s], or auto: the speed at the start of the turn"
    )
    timeout: float | None = parameter(
        "-1", limit, "maximum time of the turn, after the delay [s]; below 0: unlimited"
    )
    turn_delay: float | None = parameter(
        "-1", limit, "time to hold the heading before the turn [s]; below 0: none"
    )
    turn_spec: tuple[Spec, ...] = repeated(
        spec,
        "spd=,mhdg=,fix=,turn=,timeout=,flag=VAR=value,key=: values of the first turn, the second, "
        "and so on; a line modifies that of the same key; clear: discard earlier ones; repeatable",
    )
    schedule_repeat: bool = parameter(
        "false", boolean, "true: repeat the turn_specs from the first after the last"
    )
    stale_nav_thresh: float = parameter(
        "5", Number(above=0), "no objective function while NAV_HEADING is older than this [s]"
    )
    radius_rep_var: str | None = posted_in("variable in which the turn's mean radius is posted [m]")


class Turn(NamedTuple):
    """The turn in progress: its settings, and the side (1: starboard, -1: port)."""

    speed: float
    mod_hdg: float
    fix_turn: float
    side: float
    timeout: float | None
    flags: tuple[Flag, ...]


class FixedTurn(Behavior[FixedTurnSettings]):
    """Prefers a course offset to one side of the heading until the vessel has turned far enough.

    On completion it posts `FT_REPORT`: `spd=,mod_hdg=,rudder_avg=,avg_rad=`, with the mean of
    `DESIRED_RUDDER` (or `DESIRED_RUDDERX`), and the radius as distance over angle. Macros:
    `TURN_DIST` `TURN_TIME` distance [m] and time [s] since the turn began, `TURN_RAD` the radius
    of the last turn [m] (-1: none).
    """

    publications = variables.published("""
        FT_REPORT | text | m/s, deg, %, m | | at the end of a FixedTurn |
            `spd=,mod_hdg=,rudder_avg=,avg_rad=`
    """)
    settings_class = FixedTurnSettings
    needs = ("course", "speed")

    def on_creation(self) -> None:
        self._turn: Turn | None = None
        self._done = 0  # number of turns completed
        self._way, self._begun, self._waits = Way(), 0.0, False
        self._radius = -1.0  # of the last turn [m]

    def configured(self, fields: frozenset[str]) -> None:
        by_key: dict[str, Spec] = {}
        for number_, one in enumerate(self.settings.turn_spec):
            if one.clear:
                by_key.clear()
            key = one.key or f"#{number_}"
            if one.is_turn:
                by_key[key] = by_key[key].changed(one) if key in by_key else one
        self._schedule = tuple(by_key.values())
        s = self.settings
        ends = s.fix_turn > 0 or s.timeout is not None
        if not ends and not any((one.fix or 0) > 0 for one in self._schedule):
            self.warn("fix_turn is 0, and there is no timeout: it completes at once")

    def on_run_to_idle(self) -> None:
        self._turn = None

    def run(self) -> Function | None:
        world, ship = self.world, self.world.ownship
        age = world.age("NAV_HEADING")
        if age is None or age > self.settings.stale_nav_thresh:
            self.post("BHV_WARNING", f"{self.settings.name}: NAV_HEADING is stale")
            return None
        now = self._turn or self._begin()
        if self._waits:
            if world.time - self._begun < (self.settings.turn_delay or 0.0):
                return steer(world.domain, self._entry, now.speed)
            self._begin_to_turn()
        self._measure(now)
        turned = now.fix_turn <= self._turned and (now.fix_turn > 0 or now.timeout is None)
        late = now.timeout is not None and now.timeout <= world.time - self._begun
        if turned or late:
            self._end(now)
            return None
        return steer(world.domain, ship.heading + now.side * now.mod_hdg, now.speed)

    def _begin(self) -> Turn:
        s, ship = self.settings, self.world.ownship
        one, place = Spec(), self._done
        if self._schedule and (s.schedule_repeat or place < len(self._schedule)):
            one = self._schedule[place % len(self._schedule)]
        speed = s.speed if one.spd is None else one.spd
        side = -1.0 if (one.turn or s.turn_dir) == "port" else 1.0
        self._turn = Turn(
            self.capped(ship.speed if speed is None else speed),
            s.mod_hdg if one.mhdg is None else one.mhdg,
            s.fix_turn if one.fix is None else one.fix,
            side,
            s.timeout if one.timeout is None else one.timeout,
            one.flags,
        )
        self._entry = ship.heading
        self._begin_to_turn()
        self._waits = bool(s.turn_delay)
        return self._turn

    def _begin_to_turn(self) -> None:
        """Start the measurement of the turn's angle, distance and time."""
        ship = self.world.ownship
        self._begun, self._waits = self.world.time, False
        self._last, self._turned = ship.heading, 0.0
        self._way = Way(ship.place)
        self._rudders: list[float] = []

    def _measure(self, now: Turn) -> None:
        ship = self.world.ownship
        # accumulated, as a turn may exceed half a circle
        self._turned += now.side * turn(self._last, ship.heading)
        self._last = ship.heading
        self._way.move(ship.place)
        rudder = self.world.number("DESIRED_RUDDER")
        if rudder is None:
            rudder = self.world.number("DESIRED_RUDDERX")
        if rudder is not None:
            self._rudders.append(rudder)

    def _end(self, now: Turn) -> None:
        rudder = sum(self._rudders) / len(self._rudders) if self._rudders else 0.0
        radius = self._way.made / radians(self._turned) if self._turned > 0 else 0.0
        text = (
            f"spd={trimmed(now.speed, 2)},mod_hdg={trimmed(now.mod_hdg, 2)},"
            f"rudder_avg={trimmed(rudder, 1)},avg_rad={trimmed(radius, 2)}"
        )
        self.post_always("FT_REPORT", text)
        if self.settings.radius_rep_var:
            self.post_always(self.settings.radius_rep_var, radius)
        self._turn, self._radius = None, radius
        self._done += 1
        self.complete()
        self.post_flags(now.flags)

    def publishes(self, settings: FixedTurnSettings) -> Iterable[str]:
        yield from super().publishes(settings)
        for one in settings.turn_spec:
            yield from (each.variable for each in one.flags if each.here)
            yield from ("NODE_MESSAGE_LOCAL" for each in one.flags if each.destination)

    def listens(self, settings: FixedTurnSettings) -> Iterable[str]:
        return (*NAVIGATION, "DESIRED_RUDDER", "DESIRED_RUDDERX")

    def own_macros(self) -> dict[str, Callable[[], str]]:
        return {
            "TURN_DIST": lambda: trimmed(self._way.made, 1),
            "TURN_TIME": lambda: trimmed(self.world.time - self._begun, 2),
            "TURN_RAD": lambda: trimmed(self._radius, 2),
        }
