"""The parameters of ``pEchoVar``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from steerageway.apps.framework.conditions import read_conditions
from steerageway.apps.scripts.echo_var.mappings import Echo, Flip
from steerageway.bus import Config, Entry, Options, declare
from steerageway.moos.condition import Condition
from steerageway.moos.values import split_first

_EXPECTED = (
    "expected source_variable = A, dest_variable = B, source_separator = C, dest_separator = D, "
    "FIELD == VALUE or OLD -> NEW"
)
_SETTINGS = ("source_variable", "dest_variable", "source_separator", "dest_separator")


def parse_echo(text: str) -> Echo:
    """Parse ``A -> B`` or ``A !-> B``.

    Raises:
        ValueError: the text has another form.
    """
    inverted = "!->" in text
    source, target = split_first(text, "!->" if inverted else "->")
    if not source or not target or " " in source + target:
        raise ValueError("expected A -> B, or A !-> B")
    return Echo(source, target, inverted)


def read_flips(config: Config, names: Sequence[str]) -> tuple[Flip, ...]:
    """Read the rearrangements, each from the lines of its own key, which starts with Flip.

    Raises:
        ConfigError: a line is invalid, or missing.
    """
    config.all(*names)  # marks the keys as known, for the hint at a misspelt one
    keys = dict.fromkeys(entry.key.lower() for entry in config)
    return tuple(_flip(config.all(key)) for key in keys if key.startswith("flip"))


def _flip(lines: list[Entry]) -> Flip:
    settings = dict.fromkeys(_SETTINGS, "")
    components: dict[str, str] = {}
    filters: dict[str, str] = {}
    for entry in lines:
        text = entry.value
        for prefix in ("filter", "component"):
            key, rest = split_first(text, "=")
            text = rest if key.lower() == prefix else text
        name, value = split_first(text, "=")
        if "->" in text:
            components.update([split_first(text, "->")])
        elif "==" in text:
            filters.update([split_first(text, "==")])
        elif name.lower() in _SETTINGS and value:
            settings[name.lower()] = value.strip('"')
        else:
            raise Config.error(entry, _EXPECTED)
    source, target, apart, joint = settings.values()
    if not (source and target and components):
        raise Config.error(lines[0], _EXPECTED)
    return Flip(source, target, apart or ",", joint or ",", components, filters)


@dataclass(frozen=True)
class EchoOptions(Options):
    """Parameters of the configuration block."""

    echo: tuple[Echo, ...] = declare.lines(
        parse_echo, "A -> B: republish A as B; A !-> B: with true and false swapped", name="Echo"
    )
    flips: tuple[Flip, ...] = declare.custom(
        read_flips, "a line of the rearrangement KEY of a list of fields", name="Flip:KEY"
    )
    condition: list[Condition] = declare.custom(
        read_conditions, "condition for echoing; repeatable"
    )
    hold_messages: bool = declare.flag(True, "keep messages while a condition does not hold")
    echo_latest_only: bool = declare.flag(
        False, "echo only the latest of several messages of a variable"
    )
