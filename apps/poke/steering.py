"""The commands of the console that steer time."""

from __future__ import annotations

from collections.abc import Callable

from apps.board import Board
from apps.poke.lines import LineError, Order

Steer = Callable[[Board, Order], object]


def steer(board: Board, order: Order) -> None:
    """Obey a command of time.

    Raises:
        LineError: its arguments are wrong.
        ControlError: the run cannot do it; the text says why.
    """
    STEERING[order.name](board, order)


def _plain(board: Board, order: Order) -> object:
    return board.control(order.name)


def _step(board: Board, order: Order) -> object:
    return board.control("step", _number(order, order.args[0]) if order.args else 1.0)


def _run_until(board: Board, order: Order) -> object:
    if order.args[0] != "until":
        raise LineError(f"run {order.text}: expected run until T, or resume")
    return board.control("run_until", _number(order, order.args[1]))


def _warp(board: Board, order: Order) -> object:
    (warp,) = order.args
    return board.control("warp", warp if warp == "max" else _number(order, warp))


def _case(board: Board, order: Order) -> object:
    for text in order.args:
        if not text.isdecimal():
            raise LineError(f"case {text}: expected a seed, a whole number")
    return board.control("reset", *map(int, order.args))


def _number(order: Order, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise LineError(f"{order.name} {order.text}: expected a number, not {text}") from None


STEERING: dict[str, Steer] = {
    "pause": _plain,
    "resume": _plain,
    "step": _step,
    "run": _run_until,
    "warp": _warp,
    "case": _case,
    "stop": _plain,
}
