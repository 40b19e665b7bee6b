"""Posts a value to a run, and describes the result: the previous value, or the rejection."""

from __future__ import annotations

from collections.abc import Callable

from steerageway.apps.shared.board import EVERY, Board
from steerageway.apps.shared.display import near, shown_source, shown_value
from steerageway.bus import BusError, Message, NoAnswer, PostRefused, Value
from steerageway.diagnostics.slips import meant_by
from steerageway.moos.values import fixed, is_number


def post(board: Board, community: str, name: str, value: Callable[[float], Value]) -> str:
    """Post a value, and wait until the run has accepted it.

    Args:
        board: of the run.
        community: the destination.
        name: the variable.
        value: returns the value to post, given the UTC [s].
    Returns: the posted and the previous value, as text; a warning if it is probably misspelt.
    Raises:
        PostRefused: the run rejects it; the text says what is expected.
        ValueRefused: the bus does not carry such a value.
    """
    client = board.clients[community]
    before = board.last.get((community, name))
    was = _previous_text(board, community, name, before)
    posted = value(board.status["time"] + board.about["epoch"])
    client.post(name, posted)
    _await_answer(board, community)
    if board.refused:
        complaint, *_ = board.refused
        board.refused.clear()
        raise PostRefused(f"{complaint}{_retyped(name, posted, before)}")
    if board.ended and not _has_returned(board, community, name, posted):
        raise BusError(f"{name}: not posted, the run has ended: {board.ended}")
    where = f"{community}:{name}" if len(board.about["communities"]) > 1 else name
    state_text = "; delivered when time resumes" if board.status["paused"] else ""
    others = [before.value] if before is not None and isinstance(before.value, str) else []
    meant = meant_by(posted, others) if isinstance(posted, str) else ""
    warning = f"; probably misspelt, the nearest is {meant}" if meant else ""
    return f"{where} = {shown_value(posted)} ({was}{state_text}){warning}"


def _await_answer(board: Board, community: str) -> None:
    """Wait until the run has replied, or has ended: the post itself may end it."""
    try:
        board.sync(community)
    except NoAnswer:
        if not board.ended:
            raise
        board.poll()


def _has_returned(board: Board, community: str, name: str, posted: Value) -> bool:
    """Whether a post has come back to this observer."""
    last = board.last.get((community, name))
    return last is not None and (last.value, last.source) == (posted, board.clients[community].name)


def _previous_text(board: Board, community: str, name: str, before: Message | None) -> str:
    if before is not None:
        source = shown_source(before)
        return f"was {shown_value(before.value)}, {source}, {fixed(before.time, 2)} s"
    known = {n.message.name for n in board.rows(f"{community}:{EVERY}")}
    return f"new: never posted before{near(name, known)}"


def _retyped(name: str, posted: Value, before: Message | None) -> str:
    """Return how to type the value in the variable's type, if only the type is wrong."""
    was = None if before is None else before.value
    if isinstance(posted, float) and isinstance(was, str):
        return f"; {name}:={shown_value(posted)} posts text"
    if isinstance(posted, str) and isinstance(was, float) and is_number(posted):
        return f"; {name}={posted} posts a number"
    return ""
