"""``uMayFinish``: command line, configuration block and exit codes."""

from __future__ import annotations

import signal
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf

from steerageway.apps.shared.block_readers import parse_variable
from steerageway.apps.shared.board import Board, News, ending
from steerageway.apps.shared.display import near
from steerageway.apps.shared.runs import WHICH, add_run_arguments, mission_file, named_run
from steerageway.apps.shared.terminal import end_by_signals, say
from steerageway.bus import BusError, Config, Entry, NoAnswer, Value, parsed, sleep
from steerageway.declarations.arguments import Parser
from steerageway.moos.errors import FormatError
from steerageway.moos.lines import unquote
from steerageway.moos.mission import read_mission
from steerageway.moos.values import auto_value

PROGRAM = "python -m apps.may_finish"
FINISHED, TOO_LATE, WRONG = 0, 1, 2
POLL_INTERVAL = 0.02  # polling interval [wall s]
BLOCK = "uMayFinish"
COMMAND_LINE = "command line"

EXIT_CODES = """\
exit: 0 the variable has had the value
      1 max_time was reached before, or the run ended
      2 an option or a line is invalid, or there is no such run

The block of uMayFinish in the mission file may set max_time, finish_var and finish_val;
options take precedence."""


@dataclass(frozen=True, slots=True)
class Finish:
    """The condition to wait for.

    Attributes:
        variable, value: a variable and its final value.
        max_time: simulated time limit [s].
    """

    variable: str
    value: Value
    max_time: float


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Wait, and return the exit code."""
    options = parser(prog).parse_args(arguments)
    end_by_signals()
    try:
        finish = read_finish(_lines(options))
        run = named_run(options.run, options)
        with Board(run, BLOCK, [run.community]) as board:
            return _wait(finish, board)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except (BusError, FormatError) as error:
        say(str(error), to=sys.stderr)
        return WRONG


def read_finish(lines: Config) -> Finish:
    """Read the condition to wait for.

    Raises:
        ConfigError: a line is invalid.
    """
    variable, value = lines.entry("finish_var"), lines.text("finish_val", default="true")
    max_time = lines.number("max_time", default=inf, above=0.0)
    for entry in lines.unread():
        say(f"warning: {lines.unknown_key(entry)}", to=sys.stderr)
    return Finish(
        parsed(variable, parse_variable) if variable else "MISSION_EVALUATED",
        auto_value(value),
        max_time,
    )


def _lines(options: Namespace) -> Config:
    """Return the options, followed by the block of the named mission file."""
    given = {"max_time": options.max_time, "finish_var": options.finish_var}
    given["finish_val"] = options.finish_val
    lines = [Entry(key, value, COMMAND_LINE) for key, value in given.items() if value is not None]
    file = mission_file(options.run)
    block = read_mission(file).block(BLOCK) if file is not None and file.is_file() else None
    lines += (
        [Entry(key, unquote(value), where) for key, value, where in block.lines] if block else []
    )
    return Config(lines, known=("AppTick", "CommsTick"))


def _wait(finish: Finish, board: Board) -> int:
    seen: list[News] = []  # every value is checked, also one that is replaced at once
    wanted = finish.variable, finish.value
    board.on_news = lambda news: seen.extend(
        one for one in news if (one.message.name, one.message.value) == wanted
    )
    for client in board.clients.values():
        client.register(finish.variable)
    board.sync()
    _print_similar(finish.variable, board)
    while True:
        if seen:
            return FINISHED
        if board.ended:
            say(ending(board), to=sys.stderr)
            if missing := _missing(finish.variable, board):
                say(f"{finish.variable}: {missing}", to=sys.stderr)
            return TOO_LATE
        if board.status["time"] > finish.max_time:
            late = f"{finish.variable}: not yet after {finish.max_time:g} s"
            missing = _missing(finish.variable, board)
            say(f"{late}: {missing}" if missing else late, to=sys.stderr)
            return TOO_LATE
        sleep(POLL_INTERVAL)
        board.poll()


def _print_similar(variable: str, board: Board) -> None:
    """Warn if the variable was not posted so far and another one has a similar name."""
    if _missing(variable, board) and not board.ended:
        with suppress(NoAnswer):  # the run may end during the request
            alike = near(variable, board.names())
            if alike:
                say(f"warning: {variable}: not posted so far{alike}", to=sys.stderr)


def _missing(variable: str, board: Board) -> str:
    """Return a note that a variable was never posted, with a similar name; else ""."""
    known = {name for _, name in board.last}
    return "" if variable in known else f"never posted{near(variable, known)}"


def parser(prog: str = PROGRAM) -> ArgumentParser:
    """Return the argument parser."""
    command = Parser(
        prog=prog,
        description="Wait until a running mission is judged.",
        epilog=EXIT_CODES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    command.add_argument("run", nargs="?", default="", help=WHICH)
    command.add_argument("--max_time", metavar="S", help="simulated time limit (none)")
    command.add_argument(
        "--finish_var", metavar="VAR", help="variable posted at the end (MISSION_EVALUATED)"
    )
    command.add_argument("--finish_val", metavar="VALUE", help="its final value (true)")
    add_run_arguments(command)
    return command
