"""``pXRelay``: answers each message of one variable with a count in another.

Two of them, each listening to the other, are MOOS-IvP's first example of processes at work.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from steerageway.bus import App, Message, Parameter, variables

FIRST_MOMENT = 0.01  # seconds added to the time that a rate is taken over, as in MOOS-IvP


class XRelay(App):
    """A relay from one variable to another, with its rates."""

    publications = (
        variables.number(
            "OUTGOING_VAR",
            "count of messages; the block names the variable",
            range="> 0",
            when="on each message heard",
        ),
        variables.number("OUTGOING_VAR_ITER_HZ", "iterations a second", unit="Hz", range=">= 0"),
        variables.number(
            "OUTGOING_VAR_POST_HZ",
            "posts a second",
            unit="Hz",
            range=">= 0",
            when="tick with posts",
        ),
    )
    publishes: Sequence[str] = variables.names(publications)
    subscriptions = (
        variables.heard("INCOMING_VAR", what="counted; the block names the variable", kind="any"),
    )
    subscribes = ("INCOMING_VAR",)
    parameters: ClassVar[Sequence[Parameter]] = (
        Parameter("INCOMING_VAR", "", "variable whose messages are counted; none: none are"),
        Parameter("OUTGOING_VAR", "", "variable the count is posted as, and start of the rates'"),
    )

    def configure(self) -> None:
        """Read the block."""
        self._incoming = self._name("INCOMING_VAR")
        out = self._name("OUTGOING_VAR")
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

    def _name(self, key: str) -> str:
        entry = self.config.entry(key)
        if entry is None:
            return ""
        if " " in entry.value:
            raise self.config.error(entry, "expected a variable's name, without blanks")
        return entry.value

    def on_start(self) -> None:
        """Register."""
        if self._incoming:
            self.register(self._incoming)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Count."""
        self._received += len(mail)

    def iterate(self) -> None:
        """Post one count for each message that came, and the rates."""
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
        """Post a rate since a first time, unless this is that time; give the first time."""
        if first is None:
            return self.time
        self.post(name, count / (self.time - first + FIRST_MOMENT))
        return first

    def report(self) -> Iterable[str]:
        """Give what came and what went."""
        yield f"{self._incoming or 'nothing'} heard: {self._received}"
        yield f"{self._outgoing or 'nothing'} posted: {self._sent}"


class XRelayTest(XRelay):
    """The same, under the name that MOOS-IvP's tree for programs of one's own builds it by."""


if __name__ == "__main__":
    from steerageway.apps.framework.shell import main

    main(XRelay)
