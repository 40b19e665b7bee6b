"""``pAutoPoke``: posts the flags that start a mission, once enough vessels are connected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from steerageway.apps.shared.flags import PostFlag, parse_flag
from steerageway.bus import App, Message, Options, declare

COUNT = "UFSB_NODE_COUNT"


@dataclass(frozen=True)
class PokeOptions(Options):
    """Parameters of the configuration block."""

    flag: tuple[PostFlag, ...] = declare.lines(
        parse_flag, "VAR=value, posted when they are connected"
    )
    required_nodes: int = declare.whole(0, "number of vessels to wait for", low=0)


class AutoPoke(App):
    """Posts flags once enough vessels are connected."""

    last_wins = True
    keeps_quotes = True
    publishes: Sequence[str] = ()
    subscribes = (COUNT,)
    parameters = PokeOptions.parameters()

    def configure(self) -> None:
        options = PokeOptions.read(self.config)
        self._flags, self._required = options.flag, options.required_nodes
        self._connected = 0.0
        self._posted = False
        self.publishes = tuple(dict.fromkeys(flag.variable for flag in self._flags))
        if not self._flags:
            self.config_warning("flag is not set: nothing will ever be posted")

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take the number of vessels."""
        for message in mail:
            if isinstance(message.value, float):
                self._connected = message.value

    def iterate(self) -> None:
        """Post the flags once there are enough vessels."""
        if self._posted or self._connected < self._required:
            return
        self._posted = True
        for flag in self._flags:
            self.post(flag.variable, flag.value)

    def report(self) -> Iterable[str]:
        """Yield the number of vessels, and the flags."""
        state = "posted" if self._posted else "not posted yet"
        yield f"vessels: {self._connected:g} of {self._required}, {state}"
        yield from (f"{flag.variable} = {flag.value}" for flag in self._flags)
