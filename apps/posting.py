"""Posts a value and says what it was before, or why it was refused."""

from __future__ import annotations

from collections.abc import Callable

from steerageway.apps.board import EVERY, Board
from steerageway.apps.shown import near, shown_source, shown_value
from steerageway.bus import BusError, Message, NoAnswer, PostRefused, Value
from steerageway.moos.values import fixed, is_number


def post(board: Board, home: str, name: str, value: Callable[[float], Value]) -> str:
    """Post, and wait until the run has taken it.

    Args:
        board: of the run.
        home: the community.
        name: the variable.
        value: told the UTC [s], gives what to post.
    Returns: what was posted, and what there was.
    Raises:
        PostRefused: the run does not take it; the text says what would be right.
        ValueRefused: the bus does not carry it.
    """
    client = board.clients[home]
    before = board.last.get((home, name))
    was = _was(board, home, name, before)
    said = value(board.status["time"] + board.about["epoch"])
    client.post(name, said)
    _await_answer(board, home)
    if board.refused:
        complaint, *_ = board.refused
        board.refused.clear()
        raise PostRefused(f"{complaint}{_remedy(name, said, before)}")
    if board.ended and not _is_back(board, home, name, said):
        raise BusError(f"{name}: not posted, the run has ended: {board.ended}")
    where = f"{home}:{name}" if len(board.about["communities"]) > 1 else name
    standing = "; it waits for time to go on" if board.status["paused"] else ""
    return f"{where} = {shown_value(said)} ({was}{standing})"


def _await_answer(board: Board, home: str) -> None:
    """Wait until the run has answered, or has ended: the post itself may be what ends it."""
    try:
        board.sync(home)
    except NoAnswer:
        if not board.ended:
            raise
        board.poll()


def _is_back(board: Board, home: str, name: str, said: Value) -> bool:
    """Whether a post has come to who listens, as we do."""
    last = board.last.get((home, name))
    return last is not None and (last.value, last.source) == (said, board.clients[home].name)


def _was(board: Board, home: str, name: str, before: Message | None) -> str:
    if before is not None:
        source = shown_source(before)
        return f"was {shown_value(before.value)}, {source}, {fixed(before.time, 2)} s"
    known = {n.message.name for n in board.rows(f"{home}:{EVERY}")}
    return f"new: nobody had posted it{near(name, known)}"


def _remedy(name: str, said: Value, before: Message | None) -> str:
    """Say how to type what would be taken, if it is only the type that is wrong."""
    was = None if before is None else before.value
    if isinstance(said, float) and isinstance(was, str):
        return f"; {name}:={shown_value(said)} posts text"
    if isinstance(said, str) and isinstance(was, float) and is_number(said):
        return f"; {name}={said} posts a number"
    return ""
