"""The console's commands that control time: pause, resume, step, run until, warp, case, stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import TypeVar

from steerageway.apps.consoles.poke.lines import LineError, Order
from steerageway.apps.shared.board import Board, ending
from steerageway.apps.shared.display import began, case_time
from steerageway.bus import WARP, ControlError, NoAnswer, sleep
from steerageway.declarations import Number, Whole, read
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.moos.values import trimmed

T = TypeVar("T")

TIMED = ("step", "run")  # commands that let time run until they are complete
POLL_INTERVAL = 0.02  # polling interval [wall s]

Steer = Callable[[Board, Order], object]


def steer(board: Board, order: Order) -> None:
    """Execute a command that controls time.

    Raises:
        LineError: its arguments are invalid.
        ControlError: the run rejects it; the text says why.
    """
    STEERING[order.name](board, order)


def wait_for_rest(board: Board, order: Order) -> None:
    """Wait until ``step`` or ``run until`` is complete, and the run is paused.

    Raises:
        ControlError: the run ended before, or another client controlled time.
        NoAnswer: the broker has not replied for long.
    """
    while not board.status["paused"]:
        if order.name == "run" and board.status["until"] is None:
            raise ControlError(f"run {order.text}: another client has changed this")
        sleep(POLL_INTERVAL)
        try:
            board.sync()
        except NoAnswer:
            if not board.ended:
                raise
            raise ControlError(f"{order.name} {order.text}: {ending(board)}") from None


def _plain(board: Board, order: Order) -> object:
    return board.control(order.name)


def _step(board: Board, order: Order) -> object:
    count = _read(order, order.args[0], Whole(low=1)) if order.args else 1
    return board.control("step", float(count))


def _run_until(board: Board, order: Order) -> object:
    if order.args[0] != "until":
        raise LineError(f"run {order.text}: expected run until T, or resume")
    board.sync()
    time, now = _read(order, order.args[1], Number()), case_time(board.status)
    if time < now:
        raise LineError(f"run {order.text}: expected a later time than {trimmed(now, 2)} s")
    return board.control("run_until", time + began(board.status))


def _warp(board: Board, order: Order) -> object:
    (text,) = order.args
    warp = _read(order, text, WARP)
    return board.control("warp", "max" if warp == inf else warp)


def _case(board: Board, order: Order) -> object:
    return board.control("reset", *(_read(order, text, Whole(low=0)) for text in order.args))


def _read(order: Order, text: str, reader: Callable[[str], T]) -> T:
    found = read(reader, text, key=f"{order.name} {order.text}")
    if isinstance(found, Diagnostic):
        raise LineError(str(replace(found, value="")))
    return found


STEERING: dict[str, Steer] = {
    "pause": _plain,
    "resume": _plain,
    "step": _step,
    "run": _run_until,
    "warp": _warp,
    "case": _case,
    "stop": _plain,
}
