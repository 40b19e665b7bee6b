"""Line output of the scope, for dumb terminals, pipes and files."""

from __future__ import annotations

from steerageway.apps.consoles.board import ending
from steerageway.apps.consoles.scope.scoping import Scope
from steerageway.apps.consoles.scope.view import Mode
from steerageway.bus import sleep

POLL_INTERVAL = 0.1  # polling interval [wall s]


def report(scope: Scope) -> None:
    """Print the whole table, then the lines that change, until the run ends.

    In mode streaming, and for a history, all lines are printed every time.
    """
    print(*scope.lines, sep="\n", flush=True)
    shown = _cells(scope)
    while not scope.board.ended:
        sleep(max(POLL_INTERVAL, scope.view.interval))
        if not scope.look():
            continue
        before, shown = shown, _cells(scope)
        lines = dict(zip(scope.chosen, scope.lines[1:], strict=False))
        news = [line for name, line in lines.items() if shown[name] != before.get(name)]
        if scope.view.mode == Mode.STREAMING or scope.view.history:
            news = scope.lines
        if news:
            print(f"-- {scope.board.status['time']:.2f} s", *news, sep="\n", flush=True)
    print(ending(scope.board))


def _cells(scope: Scope) -> dict[str, list[str]]:
    """Return the words of each line, independent of the column widths."""
    lines = zip(scope.chosen, scope.lines[1:], strict=False)
    return {name: line.split() for name, line in lines}
