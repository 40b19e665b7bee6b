"""What a viewer asks of ``pRealm``: one process's variables as a table, or some variables alone."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.moos.values import by_key, is_number


class BadRequest(ValueError):
    """A text is no request; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request.

    Attributes:
        client: who asks; a later request of the same client replaces this one.
        channel: a process or a scope set, asked for as a table; "" for variables alone.
        variables: asked for alone, in alphabetical order.
        duration: how long to answer [s].
        source, community, subscriptions: whether the table has them.
        masked: whether the table leaves out variables that were never posted.
        wrap, truncate: whether long values are broken into lines, or cut.
        utc: whether times are UTC; otherwise since the start of the process.
        force: whether unchanged variables are told again.
    """

    client: str
    channel: str
    variables: tuple[str, ...]
    duration: float
    source: bool
    community: bool
    subscriptions: bool
    masked: bool
    wrap: bool
    truncate: bool
    utc: bool
    force: bool

    @property
    def content(self) -> str:
        """What is asked for, in a word."""
        return self.channel or "vars=" + ",".join(self.variables)


_VALUES = ("client", "channel", "duration", "vars")
_FLAGS = ("nosrc", "nocom", "nosubs", "mask", "wrap", "trunc", "utc", "force")


def parse_request(text: str) -> Request:
    """Read ``client=X,channel=pHelmIvP,duration=3,nosrc,..`` or ``client=X,vars=A:B,duration=3``.

    Raises:
        BadRequest: an unknown field, or no client, content or duration.
    """
    fields = by_key(text)
    for key in fields:
        if key not in _VALUES and key not in _FLAGS:
            raise BadRequest(f"{key}: expected one of {', '.join((*_VALUES, *_FLAGS))}")
    variables = tuple(sorted({name for name in fields.get("vars", "").split(":") if name}))
    channel, duration = fields.get("channel", ""), fields.get("duration", "")
    if not fields.get("client") or not (channel or variables):
        raise BadRequest("expected client= and channel= or vars=")
    if not is_number(duration) or float(duration) <= 0:
        raise BadRequest("expected duration= a number of seconds above 0")
    return Request(
        client=fields["client"],
        channel=channel,
        variables=variables,
        duration=float(duration),
        source="nosrc" not in fields,
        community="nocom" not in fields,
        subscriptions="nosubs" not in fields,
        masked="mask" in fields,
        wrap="wrap" in fields,
        truncate="trunc" in fields,
        utc="utc" in fields,
        force="force" in fields,
    )
