"""``pEchoVar``: repeats variables under other names, and rearranges lists of fields.

Echo = DEPLOY -> DEPLOY_ALL
Echo = DEPLOY !-> RETURN                        // true becomes false
Flip:1 = source_variable = NODE_REPORT
Flip:1 = dest_variable = PLACE
Flip:1 = TYPE == kayak                          // no lists where it is another
Flip:1 = X -> EAST                              // the field and its new name
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from steerageway.apps.framework.conditions import read_conditions
from steerageway.apps.scripts.echo_var.mappings import Echo, Flip, cycle
from steerageway.bus import App, Entry, Message, Parameter, Value
from steerageway.moos.values import bite

_ECHO = "expected A -> B, or A !-> B"
_FLIP = (
    "expected source_variable = A, dest_variable = B, source_separator = C, dest_separator = D, "
    "FIELD == VALUE or OLD -> NEW"
)
_SETTINGS = ("source_variable", "dest_variable", "source_separator", "dest_separator")


class EchoVar(App):
    """A repeater of variables under other names."""

    last_wins = True
    keeps_quotes = True
    publishes: Sequence[str] = ()
    parameters: ClassVar[Sequence[Parameter]] = (
        Parameter("Echo", "", "A -> B repeats A as B; A !-> B swaps true and false; repeatable"),
        Parameter("Flip:KEY", "", "one line of the rearrangement KEY of a list of fields"),
        Parameter("condition", "", "echo only while this holds; repeatable"),
        Parameter("hold_messages", "true", "keep what comes while a condition does not hold"),
        Parameter("echo_latest_only", "false", "of several messages of a variable echo the last"),
    )

    def configure(self) -> None:
        """Read the block."""
        echoes = dict.fromkeys(self._echo(entry) for entry in self.config.all("Echo"))
        self._mappings: list[Echo | Flip] = [*echoes, *self._flips()]
        self._holds_back = self.config.flag("hold_messages", default=True)
        self._latest_only = self.config.flag("echo_latest_only", default=False)
        self._conditions = read_conditions(self.config)
        circle = cycle(self._mappings)
        if circle:
            self.config_warning(f"{' -> '.join(circle)} would never end: nothing is echoed")
            self._mappings = []
        self._values: dict[str, Value] = {}
        self._waiting: list[Message] = []
        self._echoed: dict[str, int] = {}
        self.publishes = tuple(dict.fromkeys(mapping.target for mapping in self._mappings))

    def _echo(self, entry: Entry) -> Echo:
        inverted = "!->" in entry.value
        source, target = bite(entry.value, "!->" if inverted else "->")
        if not source or not target or " " in source + target:
            raise self.config.error(entry, _ECHO)
        return Echo(source, target, inverted)

    def _flips(self) -> list[Flip]:
        """Read the rearrangements, each from its lines."""
        keys = dict.fromkeys(entry.key.lower() for entry in self.config)
        return [self._flip(self.config.all(key)) for key in keys if key.startswith("flip")]

    def _flip(self, lines: list[Entry]) -> Flip:
        settings = dict.fromkeys(_SETTINGS, "")
        components: dict[str, str] = {}
        filters: dict[str, str] = {}
        for entry in lines:
            text = entry.value
            for prefix in ("filter", "component"):
                key, rest = bite(text, "=")
                text = rest if key.lower() == prefix else text
            name, value = bite(text, "=")
            if "->" in text:
                components.update([bite(text, "->")])
            elif "==" in text:
                filters.update([bite(text, "==")])
            elif name.lower() in _SETTINGS and value:
                settings[name.lower()] = value.strip('"')
            else:
                raise self.config.error(entry, _FLIP)
        source, target, apart, joint = settings.values()
        if not (source and target and components):
            raise self.config.error(lines[0], _FLIP)
        return Flip(source, target, apart or ",", joint or ",", components, filters)

    def on_start(self) -> None:
        """Register."""
        variables = [mapping.source for mapping in self._mappings]
        variables += [name for condition in self._conditions for name in condition.variables]
        self.register(*dict.fromkeys(variables))

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Keep what is to be echoed."""
        self._values.update((message.name, message.value) for message in mail)
        self._waiting += mail

    def iterate(self) -> None:
        """Echo, if the conditions hold."""
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
        """Give the mappings and how often each was used."""
        for mapping in self._mappings:
            yield f"{mapping.source} -> {mapping.target}: {self._echoed.get(mapping.target, 0)}"
        yield f"waiting: {len(self._waiting)}"
