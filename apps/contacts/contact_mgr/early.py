"""Early warnings of the contact manager: flags for contacts within a range or closing fast."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from steerageway.apps.contacts.alerts import Alert
from steerageway.apps.shared.block_readers import color
from steerageway.apps.shared.flags import PostFlag, bracketed, flags
from steerageway.bus import Options, declare
from steerageway.geometry.encounter import Track, closest_approach, closure, separation
from steerageway.helm.contact import Contact
from steerageway.moos.values import Value, trimmed
from steerageway.moos.view import look

CEASE_FACTOR = 1.05  # a warning ends beyond this multiple of the range at which it was posted


@dataclass(frozen=True)
class EarlyOptions(Options):
    """Parameters of early warnings. A time, range or speed below 0 disables the criterion."""

    time: float = declare.number(
        -1, "time before an alert at which a warning is posted", unit="s", name="early_warning_time"
    )
    range: float = declare.number(
        -1,
        "range within which a warning is posted; -1: none",
        unit="m",
        name="early_warning_range",
        aliases=("early_warning_rng",),
    )
    ref_speed: float = declare.number(
        -1,
        "closing speed above which early_warning_range grows in proportion",
        unit="m/s",
        name="early_warning_ref_spd",
    )
    radii: bool = declare.flag(
        False, "true: draw a circle of early_warning_range", name="early_warning_radii"
    )
    ewarn_radii_color: str = color("green", "colour of this circle")
    early_warning_flag: tuple[PostFlag, ...] = flags("with each early warning")
    cease_warning_flag: tuple[PostFlag, ...] = flags("when an early warning ends")


class EarlyWarnings:
    """Contacts under warning. Flags may use $[CONTACT], $[RNG], $[RNG_EXT], $[CPA], $[ROC]."""

    def __init__(self, options: EarlyOptions, horizon: float) -> None:
        self._options = options
        self._horizon = horizon
        self._warned: dict[str, float] = {}  # contact -> range at its warning [m]

    def remove(self, name: str) -> None:
        """Remove a contact, so that it may be warned of again."""
        self._warned.pop(name, None)

    def check(
        self, own: Track, tracks: Iterable[tuple[Contact, Track]], alerts: Iterable[Alert]
    ) -> Iterator[tuple[str, Value]]:
        """Check every contact; yield the flags to post."""
        if self._options.range <= 0.0 and self._options.time <= 0.0:
            return
        widest = max((alert.near for alert in alerts), default=0.0)
        for contact, track in tracks:
            name, away = contact.name, separation(own, track)
            if name not in self._warned:
                soon = self._is_soon(own, track, away, widest)
                if not soon and not self._is_due(own, track, away):
                    continue
                self._warned[name] = away
                posted = self._options.early_warning_flag
            elif away > CEASE_FACTOR * self._warned[name]:
                del self._warned[name]
                posted = self._options.cease_warning_flag
            else:
                continue
            flag_macros = self._macros(name, own, track, away)
            yield from ((flag.variable, flag.expanded(flag_macros)) for flag in posted)

    def circle(self, own: Track, vessel: str) -> str | None:
        """Return the circle of the range as ``VIEW_CIRCLE``; None if it is not drawn."""
        if not self._options.radii or self._options.range <= 0.0:
            return None
        where = f"x={trimmed(own.x, 2)},y={trimmed(own.y, 2)}"
        drawn = look(label=f"ewarn_{vessel}", edge_color=self._options.ewarn_radii_color)
        return f"{where},radius={trimmed(self._options.range, 2)},{drawn}"

    def _is_soon(self, own: Track, track: Track, away: float, alert_range: float) -> bool:
        """Whether it will be within an alert range in ``early_warning_time`` at present speeds."""
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
        # the range of warnings grows in proportion to the closing speed
        if away >= options.range * fast / options.ref_speed:
            return False
        return closest_approach(own, track, self._horizon).range < options.range

    def _macros(self, name: str, own: Track, track: Track, away: float) -> dict[str, str | float]:
        cpa = closest_approach(own, track, self._horizon).range
        numbers = {"RNG": away, "RNG_EXT": away, "CPA": cpa, "ROC": closure(own, track)}
        return bracketed({"CONTACT": name} | {key: trimmed(n, 2) for key, n in numbers.items()})
