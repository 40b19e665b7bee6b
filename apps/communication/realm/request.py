"""Requests to ``pRealm`` (REALMCAST_REQ): a process's variables as a table, or single variables."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.declarations import Number, field_of
from steerageway.moos.values import by_key


class BadRequest(ValueError):
    """An invalid request; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request for realmcasts.

    Attributes:
        client: its name; a later request of the same client replaces this one.
        channel: a process or a scope set, shown as a table; "" for single variables.
        variables: the single variables, in alphabetical order.
        duration: time until the request expires [s].
        source, community, subscriptions: whether the table contains them.
        masked: whether the table omits variables that were never posted.
        wrap, truncate: whether long values are wrapped, or cut.
        utc: whether times are UTC; otherwise since the start of the process.
        force: whether unchanged variables are posted again.
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
        """The requested channel or variables, as text."""
        return self.channel or "vars=" + ",".join(self.variables)


_VALUES = ("client", "channel", "duration", "vars")
_FLAGS = ("nosrc", "nocom", "nosubs", "mask", "wrap", "trunc", "utc", "force")


def parse_request(text: str) -> Request:
    """Parse ``client=X,channel=pHelmIvP,duration=3,nosrc,..`` or ``client=X,vars=A:B,duration=3``.

    Raises:
        BadRequest: a field is unknown, or client, content or duration is missing.
    """
    fields = by_key(text)
    for key in fields:
        if key not in _VALUES and key not in _FLAGS:
            raise BadRequest(f"{key}: expected one of {', '.join((*_VALUES, *_FLAGS))}")
    variables = tuple(sorted({name for name in fields.get("vars", "").split(":") if name}))
    channel = fields.get("channel", "")
    if not fields.get("client") or not (channel or variables):
        raise BadRequest("expected client= and channel= or vars=")
    try:
        duration = field_of(fields, "duration", Number(above=0.0))
    except ValueError as error:
        raise BadRequest(str(error)) from None
    return Request(
        client=fields["client"],
        channel=channel,
        variables=variables,
        duration=duration,
        source="nosrc" not in fields,
        community="nocom" not in fields,
        subscriptions="nosubs" not in fields,
        masked="mask" in fields,
        wrap="wrap" in fields,
        truncate="trunc" in fields,
        utc="utc" in fields,
        force="force" in fields,
    )
