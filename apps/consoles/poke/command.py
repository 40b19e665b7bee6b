"""The console's command line and exit codes."""

from __future__ import annotations

import signal
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from steerageway.apps.consoles.poke.interpreter import Interpreter
from steerageway.apps.consoles.poke.joystick import RUDDER, THRUST, Joystick, read_axis
from steerageway.apps.consoles.poke.lines import (
    COMMANDS,
    HELP_SIGN,
    LineError,
    QuickKey,
    help_text,
    read_quick_keys,
    suggestion,
)
from steerageway.apps.consoles.poke.oneshot import OneShot
from steerageway.apps.shared.board import Board
from steerageway.apps.shared.runs import (
    WHICH,
    add_run_arguments,
    communities,
    mission_file,
    named_run,
    names_run,
)
from steerageway.apps.shared.terminal import end_by_signals, has_screen, say
from steerageway.bus import BusError, ControlError, PostRefused, ValueRefused
from steerageway.declarations.arguments import Parser, add_options
from steerageway.moos.errors import FormatError
from steerageway.moos.lines import cut_comment
from steerageway.moos.poke import FORM

PROGRAM = "python -m apps.poke"
NAME = "uPokeDB"
DONE, REFUSED, WRONG = 0, 1, 2
COMMENTS = ("#", "//")

EXIT_CODES = """\
exit: 0 done, or the run has ended
      1 the run rejected a post, or ended before a step or run until was complete
      2 a line or an option is invalid, or there is no such run"""


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Open the console, or execute the lines of the command line; return the exit code."""
    options = parser(prog).parse_intermixed_args(arguments)
    end_by_signals()
    try:
        return _work(options)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except (PostRefused, ValueRefused, ControlError) as error:
        code: int = REFUSED
        print(error, file=sys.stderr)
    except LineError as error:
        code = WRONG
        if error.done:
            say(error.done)
        print(error, file=sys.stderr)
    except (BusError, FormatError) as error:
        code = WRONG
        print(error, file=sys.stderr)
    return code


def _work(options: Namespace) -> int:
    if options.words and (options.words[0] == "help" or options.words[0].startswith(HELP_SIGN)):
        say(help_text(" ".join(options.words).lstrip(HELP_SIGN).removeprefix("help").strip()))
        return DONE
    target, texts = _split_words(options.words)
    job = OneShot.read(texts, _cache(target) if options.cache else None)
    if job.lines and (options.teleop or options.quick):
        raise LineError(
            f"{texts[0] if texts else '--cache'}: expected no --teleop or --quick with it"
        )
    if options.actuator and not options.teleop:
        raise LineError(f"--actuator {options.actuator}: expected together with --teleop")
    quick = read_quick_keys(options.quick) if options.quick else []
    joystick = (
        Joystick(read_axis(options.actuator), None)
        if options.actuator
        else Joystick(THRUST, RUDDER)
    )
    run = named_run(target, options)
    if job.lines:
        return job.run(run, NAME)
    if not run.community:
        run = replace(run, community=run.communities[0])
    others = (name for name in run.communities if name != run.community)
    with Board(run, NAME, [run.community, *others]) as board:
        if options.teleop:
            return _teleop(board, run.community, joystick)
        if not sys.stdin.isatty():
            return _script(Interpreter(board, run.community, waits=True))
        interpreter = Interpreter(board, run.community, [(key.shown, key.line) for key in quick])
        return _console(interpreter, quick)


def _cache(target: str) -> Path:
    file = mission_file(target)
    if file is None:
        raise LineError("--cache: expected a mission file")
    return file


def _console(interpreter: Interpreter, quick: Sequence[QuickKey]) -> int:
    from steerageway.apps.consoles.poke.console import Console, RunOver

    try:
        Console(interpreter, quick).run()
    except RunOver as error:
        print(error)
    return DONE


def _teleop(board: Board, community: str, joystick: Joystick) -> int:
    from steerageway.apps.consoles.poke.teleop import Teleop

    if not has_screen():
        raise LineError("--teleop: expected a terminal")
    print(Teleop(board, community, joystick).run())
    return DONE


def _script(interpreter: Interpreter) -> int:
    """Execute lines from a pipe or a file, except comments, up to the first that fails."""
    for line in sys.stdin:
        if line.lstrip().startswith(COMMENTS):
            continue
        answer = interpreter.do(_without_comment(line))
        if answer:
            say(answer)
        if interpreter.quitting or interpreter.board.ended:
            break
    return DONE


def _without_comment(line: str) -> str:
    """Cut off a comment that follows a blank: within a word ``//`` is part of an address."""
    cut = cut_comment(line)
    return cut if cut[-1:].isspace() else line


def _split_words(words: Sequence[str]) -> tuple[str, list[str]]:
    """Split the words into the run and the lines; a run comes first, is no command and has no "=".

    Raises:
        LineError: the first word is neither a run nor a line.
    """
    first = words[0] if words else ""
    if not first or "=" in first or first.split(" ")[0] in COMMANDS:
        return "", list(words)
    if names_run(first):
        return first, list(words[1:])
    values = words[1:2] if words[1:2] and not _is_line(words[1]) else []
    text = " ".join((first, *values))
    raise LineError(
        f"{text}: expected a run, {FORM} or a command"
        + suggestion(text, [*COMMANDS, *communities()])
    )


def _is_line(word: str) -> bool:
    return "=" in word or word.split(" ")[0] in COMMANDS


def parser(prog: str = PROGRAM) -> ArgumentParser:
    """Return the argument parser."""
    command = Parser(
        prog=prog,
        description="Poke a running mission: post variables, watch them, control time.",
        epilog=EXIT_CODES,
        formatter_class=RawDescriptionHelpFormatter,
        usage="%(prog)s [RUN] [[NAME:]VAR=VALUE or COMMAND ...] [options]",
    )
    command.add_argument(
        "words",
        nargs="*",
        metavar="RUN, LINE",
        help=f"RUN: {WHICH}. LINE: a post, or a command such as pause, step 5, run until 300: "
        "execute it, wait until it is complete, and exit; without a LINE the console opens. "
        "help lists all commands",
    )
    add_options(
        command,
        """
            --quick FILE: file of quick keys, as F2 = DEPLOY=true
            --cache: post the poke = lines of the file's uPokeDB block
            --teleop: steer by the arrow keys; zero commands 1 s after the last key
            --actuator VAR[:STEP[:LIMIT]]: with --teleop: variable to move instead of \
                DESIRED_THRUST, DESIRED_RUDDER (10, 100)
        """,
        quick=Path,
    )
    add_run_arguments(command)
    return command
