"""Contact alerts: flags posted when a contact enters an alert range, and when it leaves it.

    id=avd,on_flag=NEAR=name=$[VNAME] # contact=$[VNAME],alert_range=80,cpa_range=120

An alert is on while the range is at most ``cpa_range``, and is at most ``alert_range`` or will be
at the closest point of approach. Without a ``cpa_range``, only the present range matters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from steerageway.apps.shared.flags import PostFlag, bracketed, parse_flag
from steerageway.apps.shared.limited import Limited
from steerageway.declarations import truth
from steerageway.geometry.encounter import Track
from steerageway.helm.contact import Contact
from steerageway.helm.contact_filter import RULES, ContactFilter
from steerageway.moos.values import (
    Value,
    auto_value,
    by_key,
    fixed,
    number_of,
    pairs,
    split_outside,
    trimmed,
    trimmed360,
)
from steerageway.moos.view import color_of, look

AnyAlert = TypeVar("AnyAlert")

MOST_ALERTS, MOST_PARTS = 200, 100
_OLDER = re.compile(r"\s*(var|val|pattern)\s*=", re.IGNORECASE)
_RANGES = ("alert_range", "cpa_range")
_COLORS = ("alert_range_color", "cpa_range_color")
_FLAGS = ("on_flag", "onflag", "off_flag", "offflag")
_LOWER = ("VNAME", "VTYPE", "GROUP")  # macros that %[NAME] gives in lower case
_KEYS = ("id", *_RANGES, *_COLORS, *_FLAGS, "var", "val", "pattern", "strict_ignore", *RULES)


@dataclass(frozen=True, slots=True)
class Defaults:
    """Defaults of an alert: its range [m], and the colours of its circles."""

    range: float
    color: str
    watch_color: str


@dataclass(frozen=True, slots=True)
class Alert:
    """An alert.

    Attributes:
        name: its id; later lines with the same id add to it, see ``AlertBook``.
        near: ``alert_range``: it is on within this range [m].
        watch: ``cpa_range``: it is on within this range if the CPA range is within ``near`` [m].
        near_color, watch_color: of their circles.
        on, off: flags posted when it turns on and off.
        filter: selects the contacts it applies to.
        warning: a warning about its ranges, or a field that is not read; "" for none.
    """

    name: str
    near: float
    watch: float
    near_color: str
    watch_color: str
    on: tuple[PostFlag, ...] = ()
    off: tuple[PostFlag, ...] = ()
    filter: ContactFilter = field(default_factory=ContactFilter)
    warning: str = ""

    def is_due(self, away: float, closest: Callable[[], float]) -> bool:
        """Whether it is on for a contact.

        Args:
            away: range to it now [m].
            closest: returns the range at the closest point of approach [m].
        """
        return away <= self.watch and (away <= self.near or closest() <= self.near)


def parse_alert(text: str, defaults: Defaults) -> Alert:
    """Read an alert.

    Raises:
        ValueError: what was expected.
    """
    fields = [(key.lower(), value) for key, value in pairs(text)]
    unknown = [key for key, _ in fields if key not in _KEYS]
    if unknown:
        raise ValueError(f"expected fields among {', '.join(_KEYS)}, found {unknown[0]}")
    values = dict(fields)
    near, watch, warning = _ranges(fields, defaults.range)
    on = [parse_flag(value) for key, value in fields if key in ("on_flag", "onflag")]
    off = [parse_flag(value) for key, value in fields if key in ("off_flag", "offflag")]
    if values.get("var"):
        text = values.get("val") or values.get("pattern", "")
        on.append(PostFlag(values["var"], auto_value(text)))
    return Alert(
        values.get("id") or "no_id",
        near,
        watch,
        _color(values, "alert_range_color", defaults.color),
        _color(values, "cpa_range_color", defaults.watch_color),
        tuple(dict.fromkeys(on)),
        tuple(dict.fromkeys(off)),
        _filter(fields, values),
        warning,
    )


def readable_part(parse: Callable[[str], AnyAlert], text: str) -> tuple[AnyAlert, str, str]:
    """Parse an alert up to its first field that is wrong: MOOS-IvP's managers read no further.

    Returns: the alert, the fields that count, and a warning about the others, or "".
    Raises:
        ValueError: there is no such field, and what was expected.
    """
    try:
        return parse(text), text, ""
    except ValueError as error:
        fields, reason = split_outside(text, ","), error
    while fields:
        key = fields.pop().partition("=")[0].strip()
        # The older flag, of var and pattern, is made at the end of the line.
        part = ",".join(one for one in fields if not _OLDER.match(one))
        try:
            return parse(part), part, f"{reason}; it is read up to {key}, and no further"
        except ValueError as error:
            reason = error
    raise reason


class AlertBook:
    """Alerts by name. Lines of one name are parts of one alert: their flags and rules accumulate,
    and their last range and colour is used."""

    def __init__(self, defaults: Defaults) -> None:
        self._defaults = defaults
        self._parts = Limited[list[str]](MOST_ALERTS)

    def add(self, text: str) -> Alert:
        """Add a line; return the whole alert it is a part of.

        Raises:
            ValueError: what was expected; the line is then ignored.
        """

        def parse(part: str) -> Alert:
            return parse_alert(",".join([*parts, part]), self._defaults)

        text = text.strip().rstrip(",")
        name = by_key(text).get("id") or "no_id"
        parts = [part for part in self._parts.get(name, []) if part != text]
        if len(parts) >= MOST_PARTS:
            raise ValueError(f"expected an alert of at most {MOST_PARTS} lines")
        alert, read, warning = readable_part(parse, text)
        self._parts[name] = [*parts, read]
        return replace(alert, warning=warning) if warning else alert


def macros(contact: Contact, track: Track) -> dict[str, Value]:
    """Return the flag macros of a contact at its present track."""
    record = contact.record
    values = {
        "VNAME": contact.name,
        "X": trimmed(track.x, 2),
        "Y": trimmed(track.y, 2),
        "LAT": "" if record.lat is None else trimmed(record.lat, 8),
        "LON": "" if record.lon is None else trimmed(record.lon, 8),
        "HDG": trimmed360(track.heading, 2),
        "SPD": trimmed(track.speed, 2),
        "DEP": trimmed(record.depth or 0.0, 2),
        "VTYPE": record.type,
        "UTIME": fixed(contact.seen, 2),
        "GROUP": record.group,
    }
    return bracketed(values) | {f"%[{name}]": str(values[name]).lower() for name in _LOWER}


def circles(alerts: Iterable[Alert], vessel: str, own: Track) -> dict[str, str]:
    """Return circles of the alerts' ranges around a vessel: label -> ``VIEW_CIRCLE``."""
    found: dict[str, str] = {}
    drawn = [one for one in alerts if one.near > 0]
    if not drawn:
        return found
    where = f"x={trimmed(own.x, 2)},y={trimmed(own.y, 2)}"
    for alert in drawn:
        for kind, radius, color in (
            ("alert", alert.near, alert.near_color),
            ("cpa", alert.watch, alert.watch_color),
        ):
            label = f"{vessel}_{alert.name}_{kind}"
            found[label] = (
                f"{where},radius={trimmed(radius, 2)},{look(label=label, edge_color=color)}"
            )
    return found


def _ranges(fields: list[tuple[str, str]], default: float) -> tuple[float, float, str]:
    """Read both ranges; the one set last adjusts the other, so that near <= watch.

    Args:
        default: of alert_range [m].
    Returns: near, watch [m], and a warning or "".
    """
    near, watch, warning = default, -1.0, ""
    for key, text in fields:
        if key not in _RANGES:
            continue
        far = _range(key, text)
        if key == "cpa_range":
            near, watch, drawn = min(near, far), far, far < near
        else:
            near, drawn = far, 0 <= watch < far
            watch = far if drawn or far == 0 else watch
        if drawn:
            warning = f"cpa_range is less than alert_range: {trimmed(far)} m counts for both"
    return near, max(near, watch), warning


def _range(key: str, text: str) -> float:
    if text.strip().lower() == "off":
        return 0.0
    found = number_of(text)
    if found is None or found < 0:
        raise ValueError(f"expected a range in metres for {key}, 0 or more, or off")
    return found


def _color(values: Mapping[str, str], key: str, default: str) -> str:
    try:
        return color_of(values.get(key, default))
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None


def _filter(fields: list[tuple[str, str]], values: Mapping[str, str]) -> ContactFilter:
    strict = truth(values.get("strict_ignore", "true"))
    if strict is None:
        raise ValueError("expected true or false for strict_ignore")
    made = ContactFilter(strict=strict)
    for key, value in fields:
        if key in RULES:
            made = made.having(key, value)
    return made
