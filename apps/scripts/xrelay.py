"""``pXRelay``: counts the messages of one variable and posts the count in another.

Two of them, each subscribed to the other, are MOOS-IvP's first example of communicating apps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from steerageway.bus import App, Message, Options, declare, variables

FIRST_MOMENT = 0.01  # seconds added to the period of a rate, as in MOOS-IvP


def _name(text: str) -> str:
    if " " in text:
        raise ValueError("expected a variable's name, without blanks")
    return text


@dataclass(frozen=True)
class RelayOptions(Options):
    """Parameters of the configuration block."""

    incoming: str | None = declare.value(
        "", _name, "variable whose messages are counted; default: none", name="INCOMING_VAR"
    )
    outgoing: str | None = declare.value(
        "", _name, "variable of the count, and prefix of the rates' variables", name="OUTGOING_VAR"
    )


class XRelay(App):
    """Counts the messages of a variable, and posts the count and rates."""

    publications = variables.published("""
        OUTGOING_VAR | number | | > 0 | on each message received | number of messages; the parameter
            names the variable
        OUTGOING_VAR_ITER_HZ | number | Hz | >= 0 | | iterations a second
        OUTGOING_VAR_POST_HZ | number | Hz | >= 0 | tick with posts | posts per second
    """)
    subscriptions = (
        variables.heard(
            "INCOMING_VAR", what="messages to count; the parameter names the variable", kind="any"
        ),
    )
    parameters = RelayOptions.parameters()

    def configure(self) -> None:
        options = RelayOptions.read(self.config)
        self._incoming, out = options.incoming or "", options.outgoing or ""
        self._outgoing, self._iterate_rate, self._post_rate = (
            out,
            f"{out}_ITER_HZ",
            f"{out}_POST_HZ",
        )
        self.publishes = (out, self._iterate_rate, self._post_rate) if out else ()
        if not out:
            self.config_warning("OUTGOING_VAR is not set: nothing is posted")
        self._received = self._sent = 0
        self._first_iteration: float | None = None
        self._first_post: float | None = None

    def on_start(self) -> None:
        if self._incoming:
            self.register(self._incoming)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Count the messages."""
        self._received += len(mail)

    def iterate(self) -> None:
        """Post one count for each message received, and the rates."""
        if not self._outgoing:
            return
        received = self._received - self._sent
        for _ in range(received):
            self._sent += 1
            self.post(self._outgoing, float(self._sent))
        self._first_iteration = self._rate(
            self._first_iteration, self._iterate_rate, self.iteration
        )
        if received:
            self._first_post = self._rate(self._first_post, self._post_rate, self._sent)

    def _rate(self, first: float | None, name: str, count: int) -> float:
        """Post a rate since a first time, unless this is that time; return the first time."""
        if first is None:
            return self.time
        self.post(name, count / (self.time - first + FIRST_MOMENT))
        return first

    def report(self) -> Iterable[str]:
        """Yield the counts of received and posted messages."""
        yield f"{self._incoming or 'nothing'} heard: {self._received}"
        yield f"{self._outgoing or 'nothing'} posted: {self._sent}"


class XRelayTest(XRelay):
    """The same app, under the name of MOOS-IvP's example in moos-ivp-extend."""
