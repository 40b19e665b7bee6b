"""``uFldDelve``: reports the traffic shared between the shore and its vessels.

It counts the variables that ``uFldShoreBroker``, vessels and their ``pShare`` report as shared. The
results are in its appcast; it posts nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from steerageway.apps.shared.limited import Limited
from steerageway.apps.shared.routes import RouteError, read_outputs
from steerageway.bus import (
    App,
    Message,
    Options,
    any_matches,
    declare,
    is_pattern,
    matches,
    variables,
)
from steerageway.declarations import words_of
from steerageway.moos.values import trimmed

FROM_SHORE = ("UFSB_BRIDGE_VARS", "UFSB_QBRIDGE_VARS")
TO_SHORE = ("NODE_PSHARE_VARS", "PSHARE_NODE_VARS")
SHARED = "PSHARE_OUTPUT_SUMMARY"
COUNT = "UFSB_NODE_COUNT"
MACROS = ("$V", "$v", "$N")


@dataclass(frozen=True)
class DelveOptions(Options):
    """Parameters of the configuration block."""

    rate_frame: float = declare.number(10, "averaging time of rates [s]", above=0)


@dataclass(slots=True)
class Traffic:
    """The traffic of one variable.

    Attributes:
        messages, characters: counts.
        source: of the last message.
        recent: time [s] and characters of the messages within the averaging time.
    """

    messages: int = 0
    characters: int = 0
    source: str = ""
    recent: deque[tuple[float, int]] = field(default_factory=deque)

    def take(self, message: Message, frame: float) -> None:
        """Count a message; remove those older than the averaging time [s]."""
        value = message.value
        length = len(trimmed(value) if isinstance(value, float) else value)
        self.messages += 1
        self.characters += length
        self.source = message.source
        self.recent.append((message.time, length))
        self._drop_old(message.time - frame)

    def _drop_old(self, until: float) -> None:
        while self.recent and self.recent[0][0] <= until:
            self.recent.popleft()

    def rates(self, now: float, frame: float) -> tuple[float, float]:
        """Return messages and characters per second over the averaging time [s]."""
        self._drop_old(now - frame)
        return len(self.recent) / frame, sum(length for _, length in self.recent) / frame


class FieldDelve(App):
    """Counts the shared messages and characters of each variable."""

    may_lag = True
    publishes: Sequence[str] = ()
    subscriptions = variables.subscribed("""
        NODE_PSHARE_VARS, PSHARE_NODE_VARS | text | | | names of variables that vessels share with
            the shore
    """)
    subscribes = (*FROM_SHORE, *TO_SHORE, SHARED, COUNT, "the variables in these")
    parameters = DelveOptions.parameters()

    def configure(self) -> None:
        self._frame = DelveOptions.read(self.config).rate_frame
        self._shared = Limited[str]()
        self._traffic = Limited[Traffic]()
        self._vessels = 0.0

    def on_start(self) -> None:
        self.register(*FROM_SHORE, *TO_SHORE, SHARED, COUNT)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Count shared messages, and update the list of shared variables."""
        for message in mail:
            try:
                self._take(message)
            except ValueError as error:
                self.run_warning(f"{message.name}: {error}")

    def _take(self, message: Message) -> None:
        if any_matches(self._shared, message.name):
            self._traffic.setdefault(message.name, Traffic()).take(message, self._frame)
        if message.name == COUNT and isinstance(message.value, float):
            self._vessels = message.value
        elif message.name == SHARED and message.community != self.community:
            self._add_outputs(message)
        elif message.name in TO_SHORE:
            for name in _names(message):
                self._add(name, "to")
        elif message.name in FROM_SHORE:
            for name in _names(message):
                quick = message.name == "UFSB_QBRIDGE_VARS"
                for one in (f"{name}_ALL", f"{name}_*") if quick else (name,):
                    self._add(one, "from")

    def _add_outputs(self, message: Message) -> None:
        """Add the outputs of a vessel's ``pShare``."""
        try:
            outputs = read_outputs(str(message.value))
        except RouteError as error:
            self.run_warning(f"{message.name} of {message.community}: {error}")
            return
        for output in outputs:
            self._add(output.names_there, "to")

    def _add(self, name: str, way: str) -> None:
        if name and name not in self._shared:
            self._shared[name] = way
            self.register(name)

    def report(self) -> Iterable[str]:
        """Yield a line for every shared variable, by decreasing traffic."""
        yield f"vessels: {self._vessels:g}, rates over {self._frame:g} s"
        busiest = sorted(self._traffic.items(), key=lambda item: -item[1].characters)
        for name, traffic in busiest:
            messages, characters = traffic.rates(self.time, self._frame)
            yield (
                f"{self._way(name)} the shore: {name}: {traffic.messages} messages, "
                f"{traffic.characters} characters; {messages:.1f} and {characters:.1f} a second; "
                f"last by {traffic.source}"
            )

    def _way(self, name: str) -> str:
        """Return "to" or "from", by the most specific name that matches."""
        fitting = [one for one in self._shared if matches(one, name)]
        return self._shared[min(fitting, key=is_pattern)]


def _names(message: Message) -> Iterable[str]:
    """Return the names in a list of variables; macros for a vessel's name become ``*``."""
    text = str(message.value)
    for macro in MACROS:
        text = text.replace(macro, "*")
    return words_of(text)
