"""A behavior's parameters: declared once, as the fields of a dataclass.

    @dataclass
    class Settings(CommonSettings):
        speed: float = parameter("0", Number(low=0), "speed to keep [m/s]")

The declaration gives the default, the reader, and the help text. Settings are plain data: an update
is tried on a copy, and taken as a whole or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

from steerageway.declarations import (
    Choice,
    Declaration,
    Number,
    Parameter,
    Whole,
    boolean,
    tolerant,
    unknown,
    word,
)
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.geometry.geodesy import check_local
from steerageway.helm import readers
from steerageway.helm.flags import Flag, flag
from steerageway.helm.readers import Renaming, Starvation, Trigger
from steerageway.moos.condition import MACRO, Condition
from steerageway.moos.values import trimmed

_LEADING = re.compile(r"([+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?)?", re.IGNORECASE | re.ASCII)
EXACT = "accepted, no effect: decisions are exact"
SPAWN, CLONE = "spawn", "clone"
_DECLARED = "declared"


class SettingError(ValueError):
    """A parameter or its value is invalid.

    Attributes: name, value, expected.
    """

    def __init__(self, name: str, value: str, expected: str) -> None:
        self.name, self.value, self.expected = name, value, expected
        super().__init__(str(Diagnostic("", name, value, expected)))


def parameter(
    default: str, read: Callable[[str], Any], text: str, *, aliases: tuple[str, ...] = ()
) -> Any:
    """Declare a parameter; without a default its value is None."""
    declared = Declaration(default, text, read, aliases=aliases)
    value = read(default) if default else None
    return field(default=value, metadata={_DECLARED: declared})


def repeated(read: Callable[[str], Any], text: str, *, aliases: tuple[str, ...] = ()) -> Any:
    """Declare a parameter whose lines accumulate in a tuple, () at first."""
    declared = Declaration("", text, read, aliases=aliases, repeats=True)
    return field(default=(), metadata={_DECLARED: declared})


def posted_name(text: str) -> str:
    """Return the name of a variable in which a behavior posts something; see ``word``."""
    return word(text)


def posted_in(text: str) -> Any:
    """Declare the name of a variable in which a behavior posts something, if it is set."""
    return parameter("", posted_name, text)


def redefined(kind: type[CommonSettings], name: str, default: str, text: str = "") -> Any:
    """Declare a parameter of another class with another default and perhaps another help text."""
    declared = declarations(kind)[name][1]
    new = replace(declared, default=default, meaning=text or declared.meaning)
    return field(default=declared.read(default), metadata={_DECLARED: new})


def same_as(kind: type[CommonSettings], name: str) -> Any:
    """Declare a parameter as in another class."""
    declared = next(one for one in fields(kind) if one.name == name)
    return field(default=declared.default, metadata=declared.metadata)


def flags(text: str, *names: str) -> Any:
    """Declare a kind of flags with alternative names."""
    return repeated(flag, f"{text}; repeatable", aliases=names)


def _places(value: object) -> Iterator[tuple[float, float]]:
    """Yield the points [m] of a point, a polygon, or a list of them; of others none."""
    points = getattr(value, "points", value)
    if not isinstance(points, tuple):
        return
    if [*map(type, points)] == [float, float]:
        yield points
    else:
        for one in points:
            yield from _places(one)


@dataclass
class CommonSettings:
    """The parameters of every behavior.

    Attributes:
        without_effect: MOOS-IvP's parameters that are accepted but have no effect here, and why.
        by_leading_number: parameters of which MOOS-IvP reads the number that a text begins with, 0
            for none, so that ``10 m`` is 10.
        default_for_others: parameters that keep their default when MOOS-IvP does not know a word.
        clipped: parameters of which MOOS-IvP takes any number, and limits it to the range.
        pairs: (least, most) of parameters of which a later line moves the other, as in MOOS-IvP.
    """

    without_effect: ClassVar[Mapping[str, str]] = {"us": "the community's name is the vessel's"}

    by_leading_number: ClassVar[tuple[str, ...]] = ()
    default_for_others: ClassVar[tuple[str, ...]] = ("perpetual",)
    clipped: ClassVar[tuple[str, ...]] = ()
    pairs: ClassVar[tuple[tuple[str, str], ...]] = ()

    name: str = parameter("", word, "unique name; default: the type", aliases=("descriptor",))
    pwt: float = parameter(
        "100",
        Number(low=0),
        "priority weight, 0 or more; 0: no influence on decisions",
        aliases=("priority", "priority_wt", "priwt"),
    )
    templating: str = parameter(
        "disallow",
        Choice("disallow", "disallowed", SPAWN, CLONE),
        "spawn: a template from which updates with a new name spawn behaviors; clone: it also "
        "runs itself; "
        "otherwise disallow (disallowed)",
    )
    max_spawnings: int = parameter(
        "0", Whole(low=0), "maximum number of behaviors spawned from it; 0: no limit"
    )
    condition: tuple[Condition, ...] = repeated(
        readers.condition, "run condition; repeatable, all must hold"
    )
    duration: float = parameter(
        "no-time-limit",
        readers.duration,
        "time from the first run after which it completes [s], or no-time-limit",
    )
    duration_idle_decay: bool = parameter(
        "true", boolean, "false: exclude idle time from the duration"
    )
    duration_status: str | None = parameter(
        "", word, "variable in which the remaining duration is posted [s]"
    )
    duration_reset: Trigger | None = parameter(  # noqa: RUF009
        "", readers.trigger, "VAR = value (or VAR): restarts the duration when posted"
    )
    perpetual: bool = parameter(
        "false",
        boolean,
        "true: it remains and may run again after completing; false: it is removed",
    )
    updates: str | None = parameter(
        "", word, "variable for updates of parameters, e.g. speed=2 # points=0,0:10,10"
    )
    nostarve: tuple[Starvation, ...] = repeated(
        readers.starvation,
        "VAR, VAR, seconds: a BHV_ERROR if one of them is older than this [s]; repeatable",
        aliases=("no_starve",),
    )
    post_mapping: tuple[Renaming, ...] = repeated(
        readers.renaming,
        "VAR, NEW_NAME or VAR, silent: renames or suppresses a posted variable; repeatable",
    )
    build_info: tuple[str, ...] = repeated(str, EXACT)
    precision: tuple[str, ...] = repeated(str, EXACT)
    comms_policy: str | None = parameter(
        "", Choice("open", "lean", "dire"), "open, lean or dire: accepted, no effect"
    )
    spawnflag: tuple[Flag, ...] = flags("posted when it is spawned by an update", "spawn_flag")
    spawnxflag: tuple[Flag, ...] = flags("posted at the end of its first iteration", "spawnx_flag")
    runflag: tuple[Flag, ...] = flags("posted when it begins to run", "run_flag")
    runxflag: tuple[Flag, ...] = flags("posted at each iteration it runs", "runx_flag")
    idleflag: tuple[Flag, ...] = flags(
        "posted when it becomes idle, also at the start", "idle_flag"
    )
    activeflag: tuple[Flag, ...] = flags("posted when it becomes active", "active_flag")
    inactiveflag: tuple[Flag, ...] = flags(
        "posted when it ceases to be active or becomes idle", "inactive_flag"
    )
    endflag: tuple[Flag, ...] = flags("posted when it completes", "end_flag")
    configflag: tuple[Flag, ...] = flags("posted at its start and after each update", "config_flag")

    def settle(self, assigned: frozenset[str]) -> None:
        """Derive fields that were not set from those that were.

        Args:
            assigned: the fields that the file, or an update, has just set.
        """

    def doubts(self, assigned: frozenset[str]) -> Iterator[tuple[str, str]]:
        """Yield warnings of lines that are not used as written: parameter, and why.

        Args:
            assigned: the fields that the file has set; ``settle`` has not been called yet.
        """
        for condition in self.condition:
            if MACRO.search(condition.text):
                yield "condition", "this behavior replaces no macro: it never holds"
        for name in sorted(assigned):
            try:
                for place in _places(getattr(self, name, None)):
                    check_local(*place)
            except ValueError as error:
                yield name, str(error)

    def keep_order(self, assigned: frozenset[str], least: str, most: str) -> None:
        """Adjust the bound that was not set, so that ``least`` <= ``most``."""
        low, high = getattr(self, least), getattr(self, most)
        if low > high and not {least, most} <= assigned:
            setattr(self, least, high if most in assigned else low)
            setattr(self, most, low if least in assigned else high)

    def keep_all_in_order(
        self, assigned: frozenset[str], least: str, middle: str, most: str
    ) -> None:
        """Adjust the bounds that were not set, so that ``least`` <= ``middle`` <= ``most``."""
        self.keep_order(assigned, least, middle)
        if most not in assigned:
            setattr(self, most, max(getattr(self, middle), getattr(self, most)))
        elif middle not in assigned:
            setattr(self, middle, min(getattr(self, middle), getattr(self, most)))
        self.keep_order(assigned | {middle}, least, middle)

    def check_order(self, least: str, most: str) -> None:
        """Check that ``least`` <= ``most``.

        Raises:
            SettingError: it is not.
        """
        low, high = getattr(self, least), getattr(self, most)
        if low > high:
            expected = f"expected at most {most}, which is {trimmed(high)}"
            raise SettingError(least, trimmed(low), expected)


AnySettings = TypeVar("AnySettings", bound=CommonSettings)

_known: dict[type[CommonSettings], dict[str, tuple[str, Declaration]]] = {}  # a cache


def declarations(kind: type[CommonSettings]) -> Mapping[str, tuple[str, Declaration]]:
    """Return each parameter of a class by each of its names: (field, declaration)."""
    known = _known.get(kind)
    if known is None:
        known = _known[kind] = {}
        for one in fields(kind):
            declared: Declaration = one.metadata[_DECLARED]
            for name in (one.name, *declared.aliases):
                known[name] = (one.name, declared)
    return known


def documented(kind: type[CommonSettings]) -> tuple[Parameter, ...]:
    """Return a class's parameters with default and help text."""
    return tuple(
        Parameter(one.name, one.metadata[_DECLARED].default, one.metadata[_DECLARED].meaning)
        for one in fields(kind)
    )


def all_flags(settings: CommonSettings) -> Iterator[Flag]:
    """Return the flags of every kind."""
    for name in _flag_fields(type(settings)):  # type: ignore[arg-type]
        yield from getattr(settings, name)


@lru_cache(maxsize=64)
def _flag_fields(kind: type[CommonSettings]) -> tuple[str, ...]:
    known = declarations(kind).items()
    return tuple(name for name, (one, read) in known if read.read is flag and name == one)


def posted_names(settings: CommonSettings) -> Iterator[str]:
    """Yield the variables that the settings name for something to be posted."""
    for one in fields(settings):
        if one.metadata[_DECLARED].read is posted_name and (name := getattr(settings, one.name)):
            yield name


def reader_of(settings: CommonSettings, place: str, declared: Declaration) -> Callable[[str], Any]:
    """Return the reader of a field, which takes what MOOS-IvP takes."""
    read = declared.read
    if place in settings.by_leading_number:
        return tolerant(read, lambda text: read(_leading_number(text)))
    if place in settings.default_for_others:
        return tolerant(read, lambda text: read(declared.default))
    if place in settings.clipped and isinstance(read, Number):
        low, high = read.low, read.high
        return tolerant(read, lambda text: min(max(Number()(text), low), high))
    return read


def _leading_number(text: str) -> str:
    found = _LEADING.match(text)
    return (found and found[0]) or "0"


def put(settings: CommonSettings, name: str, text: str) -> str:
    """Set a parameter from its text, and return the name of the field.

    Raises:
        SettingError: the parameter is unknown, or its value invalid.
    """
    known = declarations(type(settings))
    found = known.get(name.lower().removeprefix("_"))
    if found is None and name.lower() in settings.without_effect:
        return name.lower()
    if found is None:
        raise SettingError(name, text, unknown(name, known).expected)
    place, declared = found
    try:
        value = reader_of(settings, place, declared)(text.strip())
    except ValueError as error:
        raise SettingError(name, text, str(error)) from error
    setattr(settings, place, (*getattr(settings, place), value) if declared.repeats else value)
    for least, most in settings.pairs:
        if place in (least, most) and getattr(settings, least) > getattr(settings, most):
            setattr(settings, most if place == least else least, value)
    return place


def changed(
    settings: AnySettings, assignments: list[tuple[str, str]]
) -> tuple[AnySettings, frozenset[str]]:
    """Return a copy with several parameters set, and the names of the fields that were.

    Raises:
        SettingError: one of them is invalid; the given settings are unchanged.
    """
    new = copy(settings)
    assigned = frozenset(put(new, name, text) for name, text in assignments)
    new.settle(assigned)
    return new, assigned
