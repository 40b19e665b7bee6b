"""``pEchoVar``: republishes variables under other names, and rearranges lists of fields.

Echo = DEPLOY -> DEPLOY_ALL
Echo = DEPLOY !-> RETURN                        // true becomes false
Flip:1 = source_variable = NODE_REPORT
Flip:1 = dest_variable = PLACE
Flip:1 = TYPE == kayak                          // only lists with this value
Flip:1 = X -> EAST                              // the field and its new name
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from steerageway.apps.shared.block_readers import read_conditions
from steerageway.bus import App, Config, Entry, Message, Options, Value, declare
from steerageway.moos.condition import Condition
from steerageway.moos.values import split_first, split_outside

_OPPOSITES = {"true": "false", "false": "true"}

_EXPECTED = (
    "expected source_variable = A, dest_variable = B, source_separator = C, dest_separator = D, "
    "FIELD == VALUE or OLD -> NEW"
)
_SETTINGS = ("source_variable", "dest_variable", "source_separator", "dest_separator")


@dataclass(frozen=True, slots=True)
class Echo:
    """Repeats a variable; inverted, ``true`` becomes ``false``, ``TRUE`` becomes ``FALSE``."""

    source: str
    target: str
    inverted: bool = False

    def apply(self, value: Value) -> Value | None:
        """Return the value to post."""
        if not self.inverted or not isinstance(value, str):
            return value
        opposite = _OPPOSITES.get(value.lower())
        if opposite is None:
            return value
        if value.isupper():
            return opposite.upper()
        return opposite.capitalize() if value[0].isupper() else opposite


@dataclass(frozen=True, slots=True)
class Flip:
    """Extracts fields of a list ``a=1,b=2`` and lists them in its order under other names.

    Attributes:
        components: old name -> new name.
        filters: field -> its required value, if the list has the field; case is ignored.
    """

    source: str
    target: str
    source_separator: str = ","
    target_separator: str = ","
    components: Mapping[str, str] = field(default_factory=dict)
    filters: Mapping[str, str] = field(default_factory=dict)

    def apply(self, value: Value) -> Value | None:
        """Return the value to post; None if a filter fails or no field is left."""
        if not isinstance(value, str):
            return None
        fields = [split_first(part, "=") for part in split_outside(value, self.source_separator)]
        required = {key.lower(): text.lower() for key, text in self.filters.items()}
        if any(required.get(key.lower(), text.lower()) != text.lower() for key, text in fields):
            return None
        found = [f"{self.components[key]}={text}" for key, text in fields if key in self.components]
        return self.target_separator.join(found) or None


def cycle(mappings: Iterable[Echo | Flip]) -> list[str]:
    """Return variables that form a cycle, the first repeated at the end; empty if there is none."""
    targets: dict[str, list[str]] = {}
    for mapping in mappings:
        targets.setdefault(mapping.source, []).append(mapping.target)
    for start in targets:
        paths = [[start]]
        while paths:
            path = paths.pop()
            for target in targets.get(path[-1], ()):
                if target == start:
                    return [*path, target]
                if target not in path:
                    paths.append([*path, target])
    return []


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


class EchoVar(App):
    """Republishes variables under other names, or fields of them rearranged."""

    last_wins = True
    keeps_quotes = True
    publishes: Sequence[str] = ()
    parameters = EchoOptions.parameters()

    def configure(self) -> None:
        options = EchoOptions.read(self.config)
        self._mappings: list[Echo | Flip] = [*dict.fromkeys(options.echo), *options.flips]
        self._holds_back, self._latest_only = options.hold_messages, options.echo_latest_only
        self._conditions = options.condition
        circle = cycle(self._mappings)
        if circle:
            self.config_warning(f"{' -> '.join(circle)} would never end: nothing is echoed")
            self._mappings = []
        self._values: dict[str, Value] = {}
        self._waiting: list[Message] = []
        self._echoed: dict[str, int] = {}
        self.publishes = tuple(dict.fromkeys(mapping.target for mapping in self._mappings))

    def on_start(self) -> None:
        variables = [mapping.source for mapping in self._mappings]
        variables += [name for condition in self._conditions for name in condition.variables]
        self.register(*dict.fromkeys(variables))

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Queue the messages to be echoed."""
        self._values.update((message.name, message.value) for message in mail)
        self._waiting += mail

    def iterate(self) -> None:
        """Echo the queue if the conditions hold."""
        if all(c.holds(self._values.get, self.utc) for c in self._conditions):
            self._echo_waiting()
        elif not self._holds_back:
            self._waiting.clear()

    def _echo_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        if self._latest_only:
            waiting = list({message.name: message for message in waiting}.values())
        for message in waiting:
            for mapping in self._mappings:
                value = mapping.apply(message.value) if mapping.source == message.name else None
                if value is not None:
                    self.post(mapping.target, value)
                    self._echoed[mapping.target] = self._echoed.get(mapping.target, 0) + 1

    def report(self) -> Iterable[str]:
        """Yield the mappings and how often each was used."""
        for mapping in self._mappings:
            yield f"{mapping.source} -> {mapping.target}: {self._echoed.get(mapping.target, 0)}"
        yield f"waiting: {len(self._waiting)}"
