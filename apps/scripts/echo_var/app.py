"""``pEchoVar``: republishes variables under other names, and rearranges lists of fields.

Echo = DEPLOY -> DEPLOY_ALL
Echo = DEPLOY !-> RETURN                        // true becomes false
Flip:1 = source_variable = NODE_REPORT
Flip:1 = dest_variable = PLACE
Flip:1 = TYPE == kayak                          // only lists with this value
Flip:1 = X -> EAST                              // the field and its new name
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from steerageway.apps.scripts.echo_var.mappings import Echo, Flip, cycle
from steerageway.apps.scripts.echo_var.options import EchoOptions
from steerageway.bus import App, Message, Value


class EchoVar(App):
    """Republishes variables under other names, or fields of them rearranged."""

    last_wins = True
    keeps_quotes = True
    publishes: Sequence[str] = ()
    parameters = EchoOptions.parameters()

    def configure(self) -> None:
        """Read the parameters."""
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
        """Register."""
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
