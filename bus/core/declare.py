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
from typing import Any, NamedTuple, TypeVar

from steerageway.bus.core.config import Config, Entry, Parameter
from steerageway.bus.core.errors import ConfigError
from steerageway.bus.core.stamps import tick_period

OFF = "off"
REPEATABLE = "; repeatable"
_DECLARED = "declared"

Item = TypeVar("Item")
OptionsT = TypeVar("OptionsT", bound="Options")


class Declaration(NamedTuple):
    """Declaration of one parameter, held by a field.

    Attributes:
        default: as spelt in a mission file; "" when there is none.
        help: meaning, unit and legal values, in one line.
        read: reads the value from the block, given the parameter's names.
        name: as spelt in a mission file; "": the field's own name.
        aliases: its other names.
    """

    default: str
    help: str
    read: Callable[[Config, Sequence[str]], Any]
    name: str = ""
    aliases: tuple[str, ...] = ()


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
            rows.append(Parameter(first, declared.default, declared.help))
            rows += [
                Parameter(prefix + other, declared.default, f"another name of {first}")
                for other in declared.aliases
            ]
        return rows

    @classmethod
    def read(cls: type[OptionsT], config: Config) -> OptionsT:
        """Read the options from a block.

        Raises:
            ConfigError: a line is wrong.
        """
        return cls._read(config, "")

    @classmethod
    def _read(cls: type[OptionsT], config: Config, prefix: str) -> OptionsT:
        """Read the parameters whose names begin with a prefix."""
        values = []
        for name, declared in _declared(cls):
            if isinstance(declared, Group):
                read = declared.read
                if read is None:
                    values.append(declared.kind._read(config, prefix + declared.prefix))
                else:
                    # Marks the group's keys as known: its reader may iterate over the lines.
                    config.all(*(row.name for row in declared.kind._rows(prefix + declared.prefix)))
                    values.append(read(config))
            else:
                names = (name, *declared.aliases)
                values.append(declared.read(config, [prefix + one for one in names]))
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


def entries(meaning: str, *, name: str = "", aliases: tuple[str, ...] = ()) -> Any:
    """Declare a parameter whose lines are kept unparsed: a tuple of ``Entry``."""

    def read(config: Config, names: Sequence[str]) -> tuple[Entry, ...]:
        return tuple(config.all(*names))

    return custom(read, meaning + REPEATABLE, name=name, aliases=aliases)


def number(
    default: float | None,
    meaning: str,
    *,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    above: float | None = None,
    off: bool = False,
    example: bool = True,
    name: str = "",
    aliases: tuple[str, ...] = (),
) -> Any:
    """Declare a number.

    Args:
        default: None if it is optional.
        low: least legal value; high: greatest; above: it must be greater than this.
        off: whether the word off is legal; it stands for ``inf``.
        example: whether ``--example`` spells the default; if not, the meaning ends with it.
    """

    def read(config: Config, names: Sequence[str]) -> float | None:
        if off and config.text(*names).strip().lower() == OFF:
            return inf
        if default is None and config.entry(*names) is None:
            return None
        # Without a default there is a line, so that 0.0 is never used.
        return config.number(*names, default=default or 0.0, low=low, high=high, above=above)

    text = _said(meaning, unit, _range(low, high, above)) + ("; or off" if off else "")
    spelled = "" if default is None else OFF if isinf(default) else f"{default:.12g}"
    if not example:
        text, spelled = f"{text} ({spelled})", ""
    return _field(Declaration(spelled, text, read, name, aliases))


def whole(
    default: int,
    meaning: str,
    *,
    unit: str = "",
    low: int | None = None,
    high: int | None = None,
    name: str = "",
    aliases: tuple[str, ...] = (),
) -> Any:
    """Declare a whole number; see ``number``."""

    def read(config: Config, names: Sequence[str]) -> int:
        return config.whole(*names, default=default, low=low, high=high)

    text = _said(meaning, unit, _range(low, high, None))
    return _field(Declaration(str(default), text, read, name, aliases))


def flag(default: bool, meaning: str, *, name: str = "", aliases: tuple[str, ...] = ()) -> Any:
    """Declare a boolean; the meaning describes the value that is not the default."""

    def read(config: Config, names: Sequence[str]) -> bool:
        return config.flag(*names, default=default)

    return _field(Declaration(str(default).lower(), meaning, read, name, aliases))


def choice(
    default: str,
    among: Mapping[str, str],
    meaning: str = "",
    *,
    also: Mapping[str, str] = MappingProxyType({}),
    name: str = "",
    aliases: tuple[str, ...] = (),
) -> Any:
    """Declare one of a few words.

    Args:
        among: each word and its meaning; "" where it is obvious.
        also: other legal words, as those of older programs, each with the word it stands for.
    """

    def read(config: Config, names: Sequence[str]) -> str:
        word = config.choice(*names, default=default, among=(*among, *also))
        return also.get(word, word)

    words = [f"{word} ({sense})" if sense else word for word, sense in among.items()]
    listed = " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]
    text = f"{meaning}: {listed}" if meaning else listed
    return _field(Declaration(default, text, read, name, aliases))


def text(default: str, meaning: str, *, name: str = "", aliases: tuple[str, ...] = ()) -> Any:
    """Declare a text, taken as it stands without outer blanks."""

    def read(config: Config, names: Sequence[str]) -> str:
        return config.text(*names, default=default).strip()

    return _field(Declaration(default, meaning, read, name, aliases))


def word(
    default: str,
    meaning: str,
    *,
    refused: str = "",
    name: str = "",
    aliases: tuple[str, ...] = (),
) -> Any:
    """Declare a name without blanks, as that of a variable; "" without a line and a default.

    Args:
        refused: a name that is not allowed.
    """

    def parse(text: str) -> str:
        found = text.strip()
        if len(found.split()) != 1 or found.upper() == refused:
            others = f" other than {refused}" if refused else ""
            raise ValueError(f"expected a name without blanks{others}")
        return found

    def read(config: Config, names: Sequence[str]) -> str:
        entry = config.entry(*names)
        return default if entry is None else _parsed(entry, parse)

    return _field(Declaration(default, meaning, read, name, aliases))


def words(default: str, meaning: str, *, name: str = "", aliases: tuple[str, ...] = ()) -> Any:
    """Declare names or patterns, separated by commas, in any number of lines: a tuple.

    Args:
        default: the words used if the lines contain none.
    """

    def read(config: Config, names: Sequence[str]) -> tuple[str, ...]:
        found = [part for entry in config.all(*names) for part in _split(entry.value)]
        return tuple(found or _split(default))

    text = _said(meaning, "", ", by commas") + REPEATABLE
    return _field(Declaration(default, text, read, name, aliases))


def rate(meaning: str, *, name: str = "", aliases: tuple[str, ...] = ()) -> Any:
    """Declare a rate of posts [Hz]; its value is a period, see ``tick_period``, or None.

    Without a line it is None: the app posts every tick.
    """

    def read(config: Config, names: Sequence[str]) -> tuple[int, int] | None:
        config.number(*names, default=1.0, above=0.0)
        entry = config.entry(*names)
        return None if entry is None else tick_period(str(Decimal(entry.value.strip())))

    text = _said(meaning, "Hz", _range(None, None, 0.0))
    return _field(Declaration("", f"{text} (every tick)", read, name, aliases))


def value(
    default: str,
    parse: Callable[[str], Any],
    meaning: str,
    *,
    name: str = "",
    aliases: tuple[str, ...] = (),
) -> Any:
    """Declare a parsed value; without a line it is the parsed default, or None.

    Args:
        parse: parses the text; its ``ValueError`` says what was expected.
    """

    def read(config: Config, names: Sequence[str]) -> Any:
        entry = config.entry(*names)
        if entry is None:
            return parse(default) if default else None
        return _parsed(entry, parse)

    return _field(Declaration(default, meaning, read, name, aliases))


def lines(
    parse: Callable[[str], Item],
    meaning: str,
    *,
    lenient: bool = False,
    name: str = "",
    aliases: tuple[str, ...] = (),
) -> Any:
    """Declare a repeatable parameter; its value is a tuple, one item a line.

    Args:
        parse: parses a line; its ``ValueError`` says what was expected.
        lenient: whether an unreadable line is left out with a warning instead of an error.
    """

    def read(config: Config, names: Sequence[str]) -> tuple[Item, ...]:
        if lenient:
            return tuple(config.readable(*names, read=lambda entry: _parsed(entry, parse)))
        return tuple(_parsed(entry, parse) for entry in config.all(*names))

    return _field(Declaration("", meaning + REPEATABLE, read, name, aliases))


def line(meaning: str, *, default: str = "", name: str = "", aliases: tuple[str, ...] = ()) -> Any:
    """Declare a parameter whose line the app parses later; its value is an ``Entry`` or None.

    Args:
        default: as spelt in a mission file, for the documentation.
    """
    return custom(
        lambda config, names: config.entry(*names),
        meaning,
        default=default,
        name=name,
        aliases=aliases,
    )


def custom(
    read: Callable[[Config, Sequence[str]], Any],
    meaning: str,
    *,
    default: str = "",
    name: str = "",
    aliases: tuple[str, ...] = (),
) -> Any:
    """Declare a parameter with a custom reader, for lines that are read together or warned of.

    Args:
        read: reads the value from the block, given the parameter's names; must ask for all of them.
        default: as spelt in a mission file, for the documentation.
    """
    return _field(Declaration(default, meaning, read, name, aliases))


def _parsed(entry: Entry, parse: Callable[[str], Item]) -> Item:
    try:
        return parse(entry.value)
    except ConfigError:
        raise
    except ValueError as error:
        raise Config.error(entry, str(error)) from error


def _split(text: str) -> list[str]:
    return [part for piece in text.split(",") if (part := piece.strip())]


def _said(meaning: str, unit: str, legal: str) -> str:
    """Insert unit and legal values after the first clause of a meaning."""
    sense, *rest = meaning.split("; ", 1)
    return "; ".join([f"{sense} [{unit}]{legal}" if unit else sense + legal, *rest])


def _range(low: float | None, high: float | None, above: float | None) -> str:
    """Return the text of the legal range."""
    if above is not None:
        return f", > {above:g}" + (f" and up to {high:g}" if high is not None else "")
    if low is not None and high is not None:
        return f", {low:g} to {high:g}"
    if low is not None:
        return f", >= {low:g}"
    return f", up to {high:g}" if high is not None else ""
