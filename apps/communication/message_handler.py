"""``uFldMessageHandler``: posts the variable and value that a node message contains.

It runs in every vessel that receives messages.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from steerageway.apps.shared import heard
from steerageway.apps.shared.flags import PostFlag, bracketed, parse_flag
from steerageway.bus import App, Message, Options, declare, variables
from steerageway.moos.node_message import ALL, NodeMessage, NodeMessageError, parse_node_message

NODE, NODE_AND_APP = "node", "node+app"
SUMMARY_EVERY = 100  # iterations between summaries without messages
SHOWN = 5  # messages of each kind in the appcast
VALID, INVALID, REJECTED = "valid", "invalid", "rejected"


@dataclass(frozen=True)
class HandlerOptions(Options):
    """Parameters of the configuration block."""

    strict_addressing: bool = declare.flag(
        False, "true: accept only messages that name this vessel"
    )
    aux_info: str = declare.choice(
        NODE, {NODE: "", NODE_AND_APP: ""}, "sender in the source-aux of a post"
    )
    msg_flag: tuple[PostFlag, ...] = declare.lines(
        parse_flag, "VAR=value, posted with each accepted message"
    )
    bad_msg_flag: tuple[PostFlag, ...] = declare.lines(
        parse_flag, "VAR=value, posted with each rejected message"
    )
    appcast_trunc_msg: int = declare.whole(
        75, "maximum characters of a message in the appcast; 0: no limit", low=0
    )


class MessageHandler(App):
    """Accepts the node messages addressed to this vessel and posts their contents."""

    last_wins = True
    keeps_quotes = True
    publications = variables.published("""
        UMH_SUMMARY_MSGS | text | | | after messages, each 100 ticks | `total=3,valid=2,rejected=1`
    """)
    subscriptions = (heard.NODE_MESSAGE,)
    parameters = HandlerOptions.parameters()

    def configure(self) -> None:
        options = HandlerOptions.read(self.config)
        self._strict, self._aux = options.strict_addressing, options.aux_info
        self._flags = {VALID: options.msg_flag, REJECTED: options.bad_msg_flag}
        self._width = options.appcast_trunc_msg
        self._counts: Counter[str] = Counter()
        self._last: dict[str, deque[str]] = {
            kind: deque(maxlen=SHOWN) for kind in (VALID, INVALID, REJECTED)
        }
        self._senders: dict[str, tuple[int, float, str]] = {}
        self._has_changed = True
        # A message names the variable to post, so any may be.
        self.publishes = (*self.publishes, "*")

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Parse messages, and post the contents of those for this vessel."""
        for message in mail:
            self._has_changed = True
            text = str(message.value)
            try:
                kind = self._take(parse_node_message(text))
            except NodeMessageError as error:
                kind = INVALID
                self._counts[INVALID] += 1
                self.run_warning(f"NODE_MESSAGE: {error}")
            self._last[kind].append(text)

    def _take(self, message: NodeMessage) -> str:
        """Post the contents of a message for this vessel; return VALID or REJECTED."""
        # Valid concerns the syntax: a message for another vessel is valid, too.
        self._counts[VALID] += 1
        if not self._is_for_us(message):
            self._counts[REJECTED] += 1
            self._post_flags(self._flags[REJECTED])
            return REJECTED
        count, _, _ = self._senders.get(message.source, (0, 0.0, ""))
        text = f"{message.variable} = {message.value}"
        self._senders[message.source] = count + 1, self.time, text
        names_app = self._aux == NODE_AND_APP and message.app
        aux = f"{message.source}+{message.app}" if names_app else message.source
        self.post(message.variable, message.value, aux=aux)
        self._post_flags(self._flags[VALID])
        return VALID

    def _is_for_us(self, message: NodeMessage) -> bool:
        names = message.addressees
        if self.community.lower() in names:
            return True
        return not self._strict and (not names or ALL in names)

    def _post_flags(self, flags: Iterable[PostFlag]) -> None:
        values = {
            "CTR": float(self._total),
            "GOOD_CTR": float(self._counts[VALID]),
            "BAD_CTR": float(self._counts[REJECTED]),
        }
        for flag in flags:
            self.post(flag.variable, flag.expanded(bracketed(values)))

    @property
    def _total(self) -> int:
        return self._counts[VALID] + self._counts[INVALID]

    def iterate(self) -> None:
        """Post a summary after messages, and every ``SUMMARY_EVERY`` iterations."""
        if self._has_changed or self.iteration % SUMMARY_EVERY == 1:
            self._has_changed = False
            valid, rejected = self._counts[VALID], self._counts[REJECTED]
            self.post("UMH_SUMMARY_MSGS", f"total={self._total},valid={valid},rejected={rejected}")

    def report(self) -> Iterable[str]:
        """Yield the counts, each sender's latest message, and the latest messages of each kind."""
        yield f"messages: {self._total}, of these valid: {self._counts[VALID]}"
        yield f"not for this vessel: {self._counts[REJECTED]}"
        for sender, (count, when, text) in self._senders.items():
            yield f"{sender}: {count} messages, {self.time - when:.1f} s ago: {text}"
        for kind, texts in self._last.items():
            yield from (f"{kind}: {self._cut(text)}" for text in texts)

    def _cut(self, text: str) -> str:
        return f"{text[: self._width]}..." if 0 < self._width < len(text) else text
