"""uQueryDB: command line and exit codes."""

from __future__ import annotations

import signal
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from itertools import groupby
from pathlib import Path

from steerageway.apps.shared.board import Board, News, ending
from steerageway.apps.shared.display import near
from steerageway.apps.shared.runs import WHICH, add_run_arguments, named_run
from steerageway.apps.shared.terminal import end_by_signals, say
from steerageway.bus import NANO, BusError, NoAnswer, Value, is_pattern, matches, sleep, wall
from steerageway.declarations import Number, write_whole
from steerageway.declarations.arguments import Parser, add_options
from steerageway.moos.condition import ConditionError, parse_typed_condition
from steerageway.moos.errors import FormatError
from steerageway.moos.values import trimmed

PROGRAM = "python -m apps.query"
YES, NO, WRONG = 0, 1, 2
POLL_INTERVAL = 0.02  # polling interval [wall s]
CHECKED = Path(".checkvars")

EXIT_CODES = """\
exit: 0 every --condition holds, and no --fail_condition
      1 otherwise, or a variable was never posted, or the run ended before
      2 an option is invalid, or there is no such run"""
_SEPARATORS = {"csv": ",", "esv": "=", "wsv": " "}


class Verdict(Enum):
    """Result of the conditions."""

    HOLDS = auto()
    FAILS = auto()  # final: waiting cannot change it
    NOT_YET = auto()


class Question:
    """Conditions that must hold, and conditions that must not.

    Attributes:
        names: all variables used, including those only to be printed: names, or patterns with * and
            ?.
    """

    def __init__(
        self, required: Sequence[str], forbidden: Sequence[str], shown: Sequence[str]
    ) -> None:
        """Parse the conditions.

        Raises:
            ConditionError: a condition does not follow the grammar.
        """
        self._required = [parse_typed_condition(text) for text in required]
        self._forbidden = [parse_typed_condition(text) for text in forbidden]
        looked_at = [n for c in (*self._required, *self._forbidden) for n in c.variables]
        self.names = list(dict.fromkeys((*looked_at, *shown)))

    def judge(self, values: Mapping[str, Value], utc: float) -> Verdict:
        """Evaluate the conditions.

        Args:
            values: of the variables that have been posted.
            utc: the present time [s], for conditions on elapsed times.
        """
        if any(condition.holds(values.get, utc) for condition in self._forbidden):
            return Verdict.FAILS
        known = all(matching(name, values) for name in self.names)
        holds = all(condition.holds(values.get, utc) for condition in self._required)
        return Verdict.HOLDS if known and holds else Verdict.NOT_YET


def matching(name: str, values: Mapping[str, Value]) -> list[str]:
    """Return the posted variables that a name or a pattern matches."""
    if is_pattern(name):
        return sorted(one for one in values if matches(name, one))
    return [name] if name in values else []


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Evaluate the conditions, and return the exit code."""
    command = parser(prog)
    options = command.parse_args(arguments)
    if not (options.condition or options.fail_condition or options.check_var):
        hint_text = f', as --condition "{options.run}"' if set(options.run) & set("=<>") else ""
        command.error(f"expected a --condition, a --fail_condition or a --check_var{hint_text}")
    end_by_signals()
    try:
        question = Question(options.condition, options.fail_condition, options.check_var)
        run = named_run(options.run, options)
        with Board(run, "uQueryDB", [run.community]) as board:
            return _evaluate(question, board, options)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except (BusError, FormatError, ConditionError) as error:
        say(str(error), to=sys.stderr)
        return WRONG


def _evaluate(question: Question, board: Board, options: Namespace) -> int:
    for client in board.clients.values():
        client.register(*question.names)
    board.sync()
    values = {name: message.value for (_, name), message in board.last.items()}
    verdict = question.judge(values, board.status["time"] + board.about["epoch"])
    news: list[News] = []
    board.on_news = news.extend
    deadline = wall() + options.wait
    while verdict == Verdict.NOT_YET and wall() < deadline and not board.ended:
        sleep(POLL_INTERVAL)
        board.poll()
        verdict = _verdict(question, values, news, board)
        news.clear()
    _print_values(options, values)
    _warn_unknown([name for name in question.names if not matching(name, values)], board)
    if board.ended:
        say(ending(board), to=sys.stderr)
    return YES if verdict == Verdict.HOLDS else NO


def _verdict(
    question: Question, values: dict[str, Value], news: Sequence[News], board: Board
) -> Verdict:
    """Evaluate after each instant with new messages, and at the present time; update the values."""
    epoch = board.about["epoch"]
    for instant, group in groupby(news, key=lambda one: one.message.instant):
        values.update((one.message.name, one.message.value) for one in group)
        verdict = question.judge(values, instant / NANO + epoch)
        if verdict != Verdict.NOT_YET:
            return verdict
    return question.judge(values, board.status["time"] + epoch)


def _warn_unknown(names: Sequence[str], board: Board) -> None:
    """Print the variables that were never posted, with a similar name."""
    try:
        known = board.names() if names and not board.ended else ()
    except NoAnswer:
        known = ()
    for name in names:
        say(f"{name}: never posted{near(name, known)}", to=sys.stderr)


def _print_values(options: Namespace, values: dict[str, Value]) -> None:
    """Print the requested variables, or write them to a file in the selected format."""
    names = [name for asked in options.check_var for name in matching(asked, values)]
    known = {name: _written(values[name]) for name in names}
    if options.form is None:
        for name, value in known.items():
            say(f"{name}={value}")
    elif options.form == "vo":
        write_whole(CHECKED, "".join(f"{value}\n" for value in known.values()))
    else:
        between = _SEPARATORS[options.form]
        write_whole(CHECKED, "".join(f"{n}{between}{value}\n" for n, value in known.items()))


def _written(value: Value) -> str:
    if isinstance(value, bytes):
        return value.hex()
    return value if isinstance(value, str) else trimmed(value)


def parser(prog: str = PROGRAM) -> ArgumentParser:
    """Return the argument parser."""
    command = Parser(
        prog=prog,
        description="Evaluate conditions on a running mission.",
        epilog=EXIT_CODES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    command.add_argument("run", nargs="?", default="", help=WHICH)
    add_options(
        command,
        """
            --condition, --pass_condition COND ...: condition that must hold, as \
                "(NAV_X > 10) and (MODE = done)"; repeatable
            --fail_condition COND ...: condition that must not hold; repeatable
            --wait S: maximum wall time to wait [s] (0)
            --check_var VAR ...: variable to print; NAV_*: several
        """,
        wait=(Number(low=0.0), 0.0),
    )
    forms = command.add_mutually_exclusive_group()
    shapes = {"csv": "as VAR,value", "esv": "as VAR=value", "wsv": "as VAR value"}
    for form, shape in shapes.items():
        what = f"write the values to {CHECKED}, {shape}"
        forms.add_argument(f"--{form}", dest="form", action="store_const", const=form, help=what)
    what = f"write only the values to {CHECKED}"
    forms.add_argument("--vo", dest="form", action="store_const", const="vo", help=what)
    add_run_arguments(command)
    return command
