"""The scope's command line and exit codes."""

from __future__ import annotations

import sys
from argparse import (
    ArgumentParser,
    ArgumentTypeError,
    BooleanOptionalAction,
    Namespace,
    RawDescriptionHelpFormatter,
)
from collections.abc import Sequence
from itertools import cycle

from steerageway.apps.consoles.scope.scoping import Scope
from steerageway.apps.consoles.scope.view import (
    BLOCK,
    COLORS,
    Colored,
    Mode,
    ScopeOptions,
    View,
    read_colored,
    use_colors,
    view_of_mission,
)
from steerageway.apps.shared.board import Board, ending
from steerageway.apps.shared.display import near
from steerageway.apps.shared.runs import (
    WHICH,
    add_run_arguments,
    mission_file,
    named_run,
    names_run,
)
from steerageway.apps.shared.shell import block_text
from steerageway.apps.shared.terminal import end_by_signals, has_screen, ignoring_closed_pipe, say
from steerageway.bus import BusError, matches, sleep
from steerageway.declarations import Number, Whole, words_of
from steerageway.declarations.arguments import Parser, add_options
from steerageway.moos.errors import FormatError

PROGRAM = "python -m apps.scope"
POLL_INTERVAL = 0.1  # of the line output [wall s]
DONE, MISSING, WRONG = 0, 1, 2
SHOWN = {"s": "source", "t": "time", "c": "community", "a": "aux"}

EXIT_CODES = """\
exit: 0 done, or the run has ended
      1 --once: a variable was never posted
      2 an option is invalid, or there is no such run"""


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Show the requested variables; return the exit code."""
    options = parser(prog).parse_intermixed_args(arguments)
    end_by_signals()
    try:
        with ignoring_closed_pipe():
            return _work(options)
    except (BusError, FormatError) as error:
        print(error, file=sys.stderr)
        return WRONG
    except KeyboardInterrupt:
        return DONE
    return DONE


def _work(options: Namespace) -> int:
    if options.example:
        print(block_text(BLOCK, ScopeOptions.parameters()))
        return DONE
    target, names = _split_words(options.words)
    view = _view(options, target, names)
    run = named_run(target, options)
    communities = [run.community] if run.community else run.communities
    with Board(run, BLOCK, communities) as board:
        scope = Scope(board, view)
        if options.once:
            say(*scope.lines)
            return MISSING if _print_missing(scope) else DONE
        if has_screen():
            from steerageway.apps.consoles.scope.screen import Screen

            screen = Screen(scope, colors=use_colors(options.colors))
            print(screen.run() or "left; the run continues")
        else:
            _report(scope)
    return DONE


def _report(scope: Scope) -> None:
    """Print the whole table, then the lines that change, until the run ends.

    In mode streaming, and for a history, all lines are printed every time.
    """
    say(*scope.lines)
    shown = _words_of_lines(scope)
    while not scope.board.ended:
        sleep(max(POLL_INTERVAL, scope.view.interval))
        if not scope.look():
            continue
        before, shown = shown, _words_of_lines(scope)
        lines = dict(zip(scope.chosen, scope.lines[1:], strict=False))
        news = [line for name, line in lines.items() if shown[name] != before.get(name)]
        if scope.view.mode == Mode.STREAMING or scope.view.history:
            news = scope.lines
        if news:
            say(f"-- {scope.board.status['time']:.2f} s", *news)
    print(ending(scope.board))


def _words_of_lines(scope: Scope) -> dict[str, list[str]]:
    """Return the words of each line, independent of the column widths."""
    lines = zip(scope.chosen, scope.lines[1:], strict=False)
    return {name: line.split() for name, line in lines}


def _print_missing(scope: Scope) -> bool:
    """Print each requested variable that was never posted, with a similar name."""
    missing = scope.missing()
    known = scope.board.names() if missing else ()
    for name in missing:
        _, _, variable = name.rpartition(":")
        reason = f"never posted{near(variable, known)}"
        if any(matches(variable, one) for one in known):
            reason = f"not posted by {', '.join(scope.view.sources) or 'any app'}"
        say(f"{name}: {reason}", to=sys.stderr)
    return bool(missing)


def _split_words(words: Sequence[str]) -> tuple[str, list[str]]:
    """Split the words into the run, which comes first (a file, an address), and the variables."""
    if words and names_run(words[0]):
        return words[0], list(words[1:])
    return "", list(words)


def _view(options: Namespace, target: str, names: Sequence[str]) -> View:
    """Return the view: the mission's block, overridden by the command line."""
    view, warnings = view_of_mission(mission_file(target))
    for warning in warnings:
        print(f"warning: {warning}", file=sys.stderr)
    view.names = [] if options.all else list(names) or view.names
    view.sources = options.src or view.sources
    view.history = options.history or view.history
    view.mode = Mode(options.mode or view.mode)
    view.width = options.trunc or view.width
    view.interval = options.interval or view.interval
    view.virgins = view.virgins and not options.novirgins
    view.filter = options.filter
    colored = zip(options.colorany, cycle(COLORS), strict=False)
    view.colored = [*options.colormap, *colored, *view.colored]
    if options.show is not None:
        for column in SHOWN.values():
            setattr(view, column, column in options.show)
    return view


def parser(prog: str = PROGRAM) -> ArgumentParser:
    """Return the argument parser."""
    command = Parser(
        prog=prog,
        description="Show the variables of a running mission, live; h explains the keys.",
        epilog=EXIT_CODES,
        formatter_class=RawDescriptionHelpFormatter,
        usage="%(prog)s [RUN] [VAR ...] [options]",
    )
    command.add_argument(
        "words",
        nargs="*",
        metavar="RUN, VAR",
        help=f"RUN: {WHICH}. VAR: names, or patterns with * and ?; henry:NAV_*: of one "
        "community; default: the file's uXMS block, or all",
    )
    add_options(
        command,
        f"""
            --once: print the table once and exit
            --example, -e: print an example {BLOCK} block and exit
            --all, -a: all variables, ignoring the file's selection
            --src APP,...: show only posts of these apps
            --filter TEXT: show only names that contain this
            --history VAR: show the past values of one variable
            --show s,t,c,a: columns: source, time, community, aux (s,t)
            --mode: when to update the view (events)
            --interval S: wall time between reports [s] (0.6)
            --trunc N: maximum characters of a value (all)
            --novirgins, -g: hide variables that were never posted
            --colormap NAME,COLOUR ...: colour of a variable, source or community; repeatable
            --colorany NAME,...: assign each a colour
            --colour=colors, --color: colours, and bold for new values (default: on a screen, \
                unless NO_COLOR is set)
        """,
        src={"type": words_of, "default": []},
        show={"type": _columns},
        mode={"choices": [mode.value for mode in Mode]},
        interval=Number(above=0.0),
        trunc=(Whole(low=0), 0),
        colormap={"type": _colored},
        colorany={"type": words_of, "default": []},
        colors={"action": BooleanOptionalAction},
    )
    add_run_arguments(command)
    return command


def _colored(text: str) -> Colored:
    try:
        return read_colored(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r}: {error}") from None


def _columns(text: str) -> list[str]:
    try:
        return [SHOWN[word[0].lower()] for word in words_of(text)]
    except KeyError:
        raise ArgumentTypeError(f"{text!r}: expected some of {', '.join(SHOWN.values())}") from None
