"""Declarations of an app's parameters as typed fields: default, range, unit and meaning.

    @dataclass(frozen=True)
    class GuardOptions(Options):
        limit: float = declare.number(1.5, "the fastest it may go", unit="m/s", above=0.0)
        policy: str = declare.choice("warn", {"warn": "", "stop": "all-stop, too"}, "what then")

    class Guard(App):
        parameters = GuardOptions.parameters()

        def configure(self):
            self.options = GuardOptions.read(self.config)

The block is read and checked by these declarations; ``--example``, ``--help`` and the parameter
tables of the documentation are generated from them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from math import inf, isinf
from types import MappingProxyType
from typing import Any, NamedTuple, TypedDict, TypeVar, Unpack

from steerageway.bus.core.config import Config
from steerageway.bus.core.errors import ConfigError
from steerageway.bus.core.stamps import tick_period
from steerageway.declarations import (
    Choice,
    Declaration,
    Number,
    Parameter,
    Whole,
    finite,
    tolerant,
    words_of,
)

OFF = "off"
REPEATABLE = "; repeatable"
_DECLARED = "declared"

OptionsT = TypeVar("OptionsT", bound="Options")


class Names(TypedDict, total=False):
    """Names of a parameter: as spelt in a mission file, if not as the field; and its others."""

    name: str
    aliases: tuple[str, ...]


@dataclass(frozen=True)
class Options:
    """Base class of an app's options: the values of its parameters."""

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return the parameters for the documentation, each followed by its aliases."""
        return tuple(cls._rows(""))

    @classmethod
    def _rows(cls, prefix: str) -> list[Parameter]:
        rows = []
        for name, declared in _declared(cls):
            if isinstance(declared, Group):
                rows += declared.kind._rows(prefix + declared.prefix)
                continue
            first = prefix + name
            rows.append(Parameter(first, declared.default, declared.meaning))
            rows += [
                Parameter(prefix + other, declared.default, f"another name of {first}")
                for other in declared.aliases
            ]
        return rows

    @classmethod
    def read(cls: type[OptionsT], config: Config) -> OptionsT:
        """Read the options from a block.

        Raises:
            ConfigError: a line is wrong; ``ConfigErrors`` if several are.
        """
        return cls._read(config, "")

    @classmethod
    def _read(cls: type[OptionsT], config: Config, prefix: str) -> OptionsT:
        """Read the parameters whose names begin with a prefix."""
        values, errors = [], []
        for name, declared in _declared(cls):
            try:
                values.append(_value_at(config, declared, prefix, name))
            except ConfigError as error:
                errors.append(error)
        if errors:
            raise config.together(errors)
        return cls(*values)


class Group(NamedTuple):
    """Declaration of a group of parameters, held by one field.

    Attributes:
        kind: the class that declares them.
        prefix: prefix of their names.
        read: reads the value, where it is not an instance of ``kind``.
    """

    kind: type[Options]
    prefix: str
    read: Callable[[Config], Any] | None = None
    name: str = ""


def _declared(kind: type[Options]) -> list[tuple[str, Declaration | Group]]:
    """Return each field's declaration with its parameter's name, in order."""
    found = [(one.name, one.metadata[_DECLARED]) for one in fields(kind)]
    return [(declared.name or name, declared) for name, declared in found]


def _value_at(config: Config, declared: Declaration | Group, prefix: str, name: str) -> Any:
    """Read the value of a field whose parameters' names begin with a prefix."""
    if not isinstance(declared, Group):
        return _value(config, declared, [prefix + one for one in (name, *declared.aliases)])
    if declared.read is None:
        return declared.kind._read(config, prefix + declared.prefix)
    # Marks the group's keys as known: its reader may iterate over the lines.
    config.all(*(row.name for row in declared.kind._rows(prefix + declared.prefix)))
    return declared.read(config)


def _value(config: Config, declared: Declaration, names: Sequence[str]) -> Any:
    """Read the value of a parameter from the lines of its names."""
    if declared.together is not None:
        return declared.together(config, names)
    if declared.lenient:
        return tuple(config.readable(*names, read=lambda entry: config.read(entry, declared.read)))
    if declared.repeats:
        return tuple(config.read(entry, declared.read) for entry in config.all(*names))
    config.warn_of_lost(*names)
    if config.entry(*names) is None and declared.absent is None and declared.default:
        return declared.read(declared.default)
    return config.value(declared.read, *names, default=declared.absent)


def _field(declared: Declaration | Group) -> Any:
    return field(metadata={_DECLARED: declared})


def group(
    kind: type[Options], prefix: str = "", *, read: Callable[[Config], Any] | None = None
) -> Any:
    """Declare a group of parameters; the field's value is an instance of ``kind``.

    Args:
        prefix: prefix of their names in the file.
        read: reads another value from the block, for lines that are read together, in file order.
    """
    return _field(Group(kind, prefix, read))


def entries(meaning: str, **names: Unpack[Names]) -> Any:
    """Declare a parameter whose lines are kept unparsed: a tuple of ``Entry``."""
    return custom(lambda config, keys: tuple(config.all(*keys)), meaning + REPEATABLE, **names)


def number(
    default: float | None,
    meaning: str,
    *,
    unit: str = "",
    low: float = -inf,
    high: float = inf,
    above: float = -inf,
    off: bool = False,
    minus: bool = False,
    example: bool = True,
    **names: Unpack[Names],
) -> Any:
    """Declare a number.

    Args:
        default: None if it is optional.
        low: least legal value; high: greatest; above: it must be greater than this.
        off: whether the word off is legal; it stands for ``inf``.
        minus: whether a number below 0, by which missions mean none, gives the default, with a
            warning, as in MOOS-IvP.
        example: whether ``--example`` spells the default; if not, the meaning ends with it.
    """
    read = Number(low, high, above, {OFF: inf} if off else {})
    text = _said(meaning, unit, _range(read)) + ("; or off" if off else "")
    spelled = "" if default is None else OFF if isinf(default) else f"{default:.12g}"
    if not example:
        text, spelled = f"{text} ({spelled})", ""
    absent = None if default is None else float(default)
    taken = tolerant(read, lambda one: _if_below_0(read, one, absent)) if minus else read
    return _field(Declaration(spelled, text, taken, absent=absent, **names))


def _if_below_0(read: Number, text: str, default: float | None) -> float | None:
    """Return the default for a number below 0.

    Raises:
        ValueError: the text is another one.
    """
    if (finite(text) or 0.0) >= 0.0:
        raise ValueError(read.expected)
    return default


def limit(default: float | None, meaning: str, *, unit: str = "", **names: Unpack[Names]) -> Any:
    """Declare a limit of 0 or more; 0, in a file, stands for None: there is no limit."""
    read = Number(low=0.0)
    text = f"{_said(meaning, unit, _range(read))}; 0: no limit"
    return _field(Declaration(f"{default or 0:.12g}", text, lambda one: read(one) or None, **names))


def whole(
    default: int,
    meaning: str,
    *,
    unit: str = "",
    low: float = -inf,
    high: float = inf,
    **names: Unpack[Names],
) -> Any:
    """Declare a whole number; see ``number``."""
    read = Whole(low, high)
    text = _said(meaning, unit, _range(read))
    return _field(Declaration(str(default), text, read, absent=default, **names))


def flag(default: bool, meaning: str, **names: Unpack[Names]) -> Any:
    """Declare a boolean; the meaning describes the value that is not the default."""

    def read(config: Config, keys: Sequence[str]) -> bool:
        config.warn_of_lost(*keys)
        return config.flag(*keys, default=default)

    return custom(read, meaning, default=str(default).lower(), **names)


def choice(
    default: str,
    among: Mapping[str, str],
    meaning: str = "",
    *,
    also: Mapping[str, str] = MappingProxyType({}),
    **names: Unpack[Names],
) -> Any:
    """Declare one of a few words.

    Args:
        among: each word and its meaning; "" where it is obvious.
        also: other legal words, as those of older programs, each with the word it stands for.
    """
    read = Choice(*among, *also)
    words = [f"{word} ({sense})" if sense else word for word, sense in among.items()]
    listed = " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]
    text = f"{meaning}: {listed}" if meaning else listed

    def meant(text: str) -> str:
        return also.get(word := read(text), word)

    return _field(Declaration(default, text, meant, absent=default, **names))


def text(default: str, meaning: str, **names: Unpack[Names]) -> Any:
    """Declare a text, taken as it stands without outer blanks."""
    return _field(Declaration(default, meaning, str.strip, absent=default, **names))


def word(default: str, meaning: str, *, refused: str = "", **names: Unpack[Names]) -> Any:
    """Declare a name without blanks, as that of a variable; "" without a line and a default.

    Args:
        refused: a name that is not allowed.
    """

    def read(text: str) -> str:
        found = text.strip()
        if len(found.split()) != 1 or found.upper() == refused:
            others = f" other than {refused}" if refused else ""
            raise ValueError(f"expected a name without blanks{others}")
        return found

    return _field(Declaration(default, meaning, read, absent=default, **names))


def words(default: str, meaning: str, **names: Unpack[Names]) -> Any:
    """Declare names or patterns, separated by commas, in any number of lines: a tuple.

    Args:
        default: the words used if the lines contain none.
    """

    def read(config: Config, keys: Sequence[str]) -> tuple[str, ...]:
        found = [part for entry in config.all(*keys) for part in words_of(entry.value)]
        return tuple(found or words_of(default))

    text = _said(meaning, "", ", by commas") + REPEATABLE
    return custom(read, text, default=default, **names)


def rate(meaning: str, **names: Unpack[Names]) -> Any:
    """Declare a rate of posts [Hz]; its value is a period, see ``tick_period``, or None.

    Without a line it is None: the app posts every tick.
    """
    frequency = Number(above=0.0)

    def read(text: str) -> tuple[int, int]:
        frequency(text)
        return tick_period(str(Decimal(text.strip())))

    text = _said(meaning, "Hz", _range(frequency))
    return _field(Declaration("", f"{text} (every tick)", read, **names))


def value(default: str, parse: Callable[[str], Any], meaning: str, **names: Unpack[Names]) -> Any:
    """Declare a parsed value; without a line it is the parsed default, or None.

    Args:
        parse: parses the text; its ``ValueError`` says what was expected.
    """
    return _field(Declaration(default, meaning, parse, **names))


def lines(
    parse: Callable[[str], Any], meaning: str, *, lenient: bool = False, **names: Unpack[Names]
) -> Any:
    """Declare a repeatable parameter; its value is a tuple, one item a line.

    Args:
        parse: parses a line; its ``ValueError`` says what was expected.
        lenient: whether an unreadable line is left out with a warning instead of an error.
    """
    text = meaning + REPEATABLE
    return _field(Declaration("", text, parse, repeats=True, lenient=lenient, **names))


def line(meaning: str, *, default: str = "", **names: Unpack[Names]) -> Any:
    """Declare a parameter whose line the app parses later; its value is an ``Entry`` or None.

    Args:
        default: as spelt in a mission file, for the documentation.
    """
    return custom(lambda config, keys: config.entry(*keys), meaning, default=default, **names)


def custom(
    read: Callable[[Config, Sequence[str]], Any],
    meaning: str,
    *,
    default: str = "",
    **names: Unpack[Names],
) -> Any:
    """Declare a parameter with a custom reader, for lines that are read together or warned of.

    Args:
        read: reads the value from the block, given the parameter's names; must ask for all of them.
        default: as spelt in a mission file, for the documentation.
    """
    return _field(Declaration(default, meaning, together=read, **names))


def _said(meaning: str, unit: str, legal: str) -> str:
    """Insert unit and legal values after the first clause of a meaning."""
    sense, *rest = meaning.split("; ", 1)
    return "; ".join([f"{sense} [{unit}]{legal}" if unit else sense + legal, *rest])


def _range(read: Number) -> str:
    """Return the text of the legal range."""
    low, high = f"{read.low:g}", f"{read.high:g}"
    if read.above > -inf:
        return f", > {read.above:g}" + (f" and up to {high}" if read.high < inf else "")
    if read.low > -inf:
        return f", {low} to {high}" if read.high < inf else f", >= {low}"
    return f", up to {high}" if read.high < inf else ""
