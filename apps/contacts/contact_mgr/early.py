"""Early warnings: flags when a contact comes within a range, or is about to and closes fast."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from steerageway.apps.framework.flags import PostFlag, bracketed, read_flags
from steerageway.bus import Config, Parameter
from steerageway.moos.values import Value, trimmed
from steerageway.moos.view import look
from steerageway.vessel.encounter import Track, closest_approach, closure, separation

CEASED = 1.05  # a warning ends beyond so many times the range at which it was given
PARAMETERS = (
    Parameter("early_warning_time", "-1", "warned of so long before it comes to an alert [s]"),
    Parameter("early_warning_range", "-1", "a contact within it is warned of [m]; -1: none is"),
    Parameter("early_warning_rng", "-1", "another name of early_warning_range"),
    Parameter("early_warning_ref_spd", "-1", "one who closes faster is seen further off [m/s]"),
    Parameter("early_warning_radii", "false", "true: a circle of early_warning_range is drawn"),
    Parameter("early_warning_flag", "", "VAR=value posted with each such warning; repeatable"),
    Parameter("cease_warning_flag", "", "VAR=value posted when it ends; repeatable"),
)


@dataclass(frozen=True, slots=True)
class EarlyOptions:
    """What the block says; see ``PARAMETERS``. A time, range or speed below 0 is none."""

    time: float
    range: float
    ref_speed: float
    radii: bool
    flags: tuple[PostFlag, ...]
    cease_flags: tuple[PostFlag, ...]


def read_early(config: Config) -> EarlyOptions:
    """Read the block.

    Raises:
        ConfigError: a line is wrong.
    """
    return EarlyOptions(
        config.number("early_warning_time", default=-1.0),
        config.number("early_warning_range", "early_warning_rng", default=-1.0),
        config.number("early_warning_ref_spd", default=-1.0),
        config.flag("early_warning_radii", default=False),
        read_flags(config, "early_warning_flag"),
        read_flags(config, "cease_warning_flag"),
    )


class EarlyWarnings:
    """Who was warned of. Flags may use $[CONTACT], $[RNG], $[RNG_EXT], $[CPA] and $[ROC]."""

    def __init__(self, options: EarlyOptions, horizon: float) -> None:
        self._options = options
        self._horizon = horizon
        self._warned: dict[str, float] = {}  # contact -> range when it was warned of [m]

    def forget(self, name: str) -> None:
        """Let a contact be warned of again."""
        self._warned.pop(name, None)

    def look(
        self, own: Track, tracks: Iterable[tuple[str, Track]], alert_range: float
    ) -> Iterator[tuple[str, Value]]:
        """Look at every contact; give what is to be posted. ``alert_range``: the widest [m]."""
        if self._options.range <= 0.0 and self._options.time <= 0.0:
            return
        for name, track in tracks:
            away = separation(own, track)
            if name not in self._warned:
                soon = self._is_soon(own, track, away, alert_range)
                if not soon and not self._is_due(own, track, away):
                    continue
                self._warned[name] = away
                flags = self._options.flags
            elif away > CEASED * self._warned[name]:
                del self._warned[name]
                flags = self._options.cease_flags
            else:
                continue
            flag_macros = self._macros(name, own, track, away)
            yield from ((flag.variable, flag.expanded(flag_macros)) for flag in flags)

    def circle(self, own: Track, vessel: str) -> str | None:
        """Give the circle of the range as ``VIEW_CIRCLE``, if it is drawn."""
        if not self._options.radii or self._options.range <= 0.0:
            return None
        where = f"x={trimmed(own.x, 2)},y={trimmed(own.y, 2)}"
        drawn = look(label=f"ewarn_{vessel}", edge_color="gray50")
        return f"{where},radius={trimmed(self._options.range, 2)},{drawn}"

    def _is_soon(self, own: Track, track: Track, away: float, alert_range: float) -> bool:
        """Whether it comes within the range of an alert in time, as the two move now."""
        until = self._options.time
        return until > 0.0 and away - until * max(closure(own, track), 0.0) < alert_range

    def _is_due(self, own: Track, track: Track, away: float) -> bool:
        options = self._options
        if options.range <= 0.0:
            return False
        if away < options.range:
            return True
        fast = closure(own, track)
        if not 0.0 < options.ref_speed <= fast:
            return False
        if away >= options.range * fast / options.ref_speed:
            return False
        return closest_approach(own, track, self._horizon).range < options.range

    def _macros(self, name: str, own: Track, track: Track, away: float) -> dict[str, str | float]:
        cpa = closest_approach(own, track, self._horizon).range
        numbers = {"RNG": away, "RNG_EXT": away, "CPA": cpa, "ROC": closure(own, track)}
        return bracketed({"CONTACT": name} | {key: trimmed(n, 2) for key, n in numbers.items()})
