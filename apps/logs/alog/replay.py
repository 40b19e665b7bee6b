"""Replays a log: posts its messages to a running mission at the recorded times."""

from __future__ import annotations

from collections.abc import Iterable

from steerageway.apps.logs.alog.errors import ToolError
from steerageway.bus import Client, NoAnswer, Pacer, Value, nanoseconds, wall
from steerageway.moos.alog import Entry


def replay(recorded: Iterable[tuple[Entry, Value]], client: Client, warp: float) -> list[str]:
    """Post messages one after the other, each at its time, with the client as source.

    They are stamped with the bus's time, as log time may have another zero.

    Args:
        recorded: entries and their values; see ``moos.alog.messages``.
        client: an observer's connection.
        warp: seconds of the log per wall second, thus relative to the warp of the run; ``math.inf``
            does not wait.
    Returns:
        The bus's rejections, as texts.
    Raises:
        ToolError: the run ended before the log did.
        BusError: the bus does not reply, or does not accept the posts in time.
    """
    refused: list[str] = []
    client.on_refused = refused.append
    pacer, reached = Pacer(warp), None
    for entry, value in recorded:
        instant = nanoseconds(entry.time)
        if reached is None:
            pacer.rebase(instant)
        reached = max(instant, reached or instant)  # a stamp may be earlier than its post
        _wait(client, pacer.wait(reached))
        client.post(entry.name, value, aux=entry.source)
    try:
        client.control("status")  # its reply comes after those to the posts
    except NoAnswer:
        if not client.ended:  # the last post may end the run
            raise
    return refused


def _wait(client: Client, seconds: float) -> None:
    """Wait in wall time, while receiving the broker's replies."""
    until = wall() + seconds
    while seconds > 0 and not client.ended:
        client.fetch(seconds)
        seconds = until - wall()
    if client.ended:
        raise ToolError(f"the run ended before the log: {client.ended}")
