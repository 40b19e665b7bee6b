"""Command-line options of ``launch.py``: parser and ``Options``."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import NoReturn

from steerageway.bus import NANO, WARP, Placement
from steerageway.declarations import Choice, Number, Whole, unknown, words_of
from steerageway.declarations.arguments import Parser, add_options, argument
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.source_map import SourceMap
from steerageway.launcher.completion import offer
from steerageway.launcher.mission_names import mission_path, shipped_names
from steerageway.launcher.sweep.options import add_sweep_options, check_sweep_options

PROGRAM = "launch.py"
USAGE = "%(prog)s MISSION.moos[@NAME] ... [options] [-- ARGUMENTS]; see --help"
SWEEP_USAGE = "%(prog)s MISSION [FILE.yml] [options]"
ANY_PORT = 0
SERVER_PORT = "ServerPort"  # of --moosdb: that of each mission file
FOXGLOVE_PORT = 8765  # where the program Foxglove looks first
FAIL_ON = {"envelope": "USM_ENVELOPE_LEFT > 0", "behavior": 'BHV_ERROR != ""', "warning": ""}
"""Values of --fail-on -> condition that ends the run; "": evaluated after the run."""
_LATEST = 10**9  # limit of simulated time, some thirty years [s]
SEED = Whole(low=-(10**18), high=10**18)  # fits into 64 bits
PORT = Whole(low=1, high=65535, words={"auto": ANY_PORT})

_EPILOG = """\
exit codes:
  0  done               1  an app failed      2  a file or an option is not valid
  3  --for or --wall-limit came before --until held
  4  a condition of --fail-if or --fail-on held     130, 143  interrupted

steerageway help launching explains every option."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a launch; see ``parser`` for the meaning of each."""

    missions: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    warp: float | None = None
    placement: Placement = Placement.PROCESS
    free_run: bool = False
    until: tuple[str, ...] = ()
    fail_if: tuple[str, ...] = ()
    fail_on: tuple[str, ...] = ()
    stop_at: int | None = None
    pokes: tuple[str, ...] = ()
    config: tuple[str, ...] = ()
    as_moos: bool = False
    define: tuple[str, ...] = ()
    plug: tuple[str, ...] = ()
    path: tuple[Path, ...] = ()
    vessels: int = 0
    start: str = ""
    buttons: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    skip_missing: bool = False
    app: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    external: tuple[str, ...] = ()
    seed: int = 0
    epoch: str = ""
    inputs: Path | None = None
    restarts: int = 0
    grant_timeout: float = 10.0
    wall_limit: float = 0.0
    log: Path | None = None
    no_log: bool = False
    json: str = ""
    check: bool = False
    graph: bool = False
    strict: bool = False
    allow_unknown: bool = False
    quiet: bool = False
    no_code: bool = False
    appcasts: bool = False
    port: int | None = None
    host: str = "127.0.0.1"
    keys: Path | None = None
    open: bool = False
    attach: bool = False
    paused: bool = False
    view: int | None = None
    moosdb: int | str | None = None
    exec_path: tuple[Path, ...] = ()
    lockstep: bool = False
    foxglove: int | None = None
    sweep: Path | None = None
    case: int | None = None
    worst: int | None = None
    by: str = ""
    jobs: int = 0
    scheduler: str = ""
    results: Path | None = None
    table: str = ""
    memory_limit: int = 0
    log_budget: int = 1000
    find_failure: int | None = None
    made_from: Mapping[str, str] = field(default_factory=dict)  # written mission -> user's file
    warnings: Mapping[str, tuple[Diagnostic, ...]] = field(
        default_factory=dict
    )  # written mission -> warnings
    source_maps: Mapping[str, SourceMap] = field(default_factory=dict)  # by written mission
    stepped: bool = False  # by a script, which may post
    scripts: tuple[str, ...] = ()  # what is to be said of each launch script that was run


def parse_options(
    arguments: Sequence[str] | None = None,
    on_error: Callable[[str], NoReturn] | None = None,
    prog: str = PROGRAM,
) -> Options:
    """Read the command line.

    Args:
        arguments: without the program's name; None for those of this process.
        on_error: called with an error; by default it ends the program with exit code 2.
        prog: how the program was called.
    """
    command = copy(parser(prog))
    if on_error is not None:
        command.error = on_error  # type: ignore[method-assign,assignment]
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    end = arguments.index("--") if "--" in arguments else len(arguments)
    arguments, of_script = arguments[:end], arguments[end + 1 :]
    for problem in _unknown(command, arguments):
        command.error(problem)
    given = vars(command.parse_intermixed_args(arguments))
    if given["graph"] and not given["check"]:
        command.error("--graph: expected together with --check")
    if given["log"] and given["no_log"]:
        command.error("--log and --no-log: expected one of them")
    check_sweep_options(given, command.error)
    if of_script and given["sweep"] is not None:
        command.error(f"-- {' '.join(of_script)}: not with --sweep")
    if given["view"] is not None or given["foxglove"] is not None:
        given["attach"] = True
    lists = {key: tuple(value) for key, value in given.items() if isinstance(value, list)}
    return Options(**(given | lists), arguments=tuple(of_script))


def _unknown(command: ArgumentParser, arguments: Sequence[str]) -> Iterator[str]:
    """Return an error for each unknown option, with the nearest known one."""
    known = list(command._option_string_actions)
    for given in arguments:
        option = given.partition("=")[0]
        if option.startswith("--") and option not in known:
            yield str(unknown(option, known))


@cache
def parser(prog: str = PROGRAM) -> ArgumentParser:
    """Return the parser, which is made once: a sweep reads the options of each run."""
    command = Parser(
        prog=prog,
        usage=SWEEP_USAGE if prog.endswith(" sweep") else USAGE,
        description="Start a mission: a broker, the apps of its launch list, and simulated time.",
        epilog=_EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    missions = command.add_argument(
        "missions",
        nargs="+",
        type=mission_path,
        metavar="MISSION.moos[@NAME]",
        help="mission files, a folder with one, a shipped mission's name, a launch script, or"
        " Panisim's main file; @NAME: name of its community; ARGUMENTS: of the script",
    )
    offer(missions, shipped_names, files=True)
    _add_time(command)
    _add_ends(command)
    _add_changes(command)
    _add_fleet(command)
    _add_run(command)
    _add_observers(command)
    _add_programs(command)
    _add_results(command)
    add_sweep_options(command).add_argument(
        "--sweep",
        type=Path,
        metavar="FILE",
        help="run the cases of this file; see steerageway help sweeps",
    )
    return command


def sweep_help(prog: str) -> str:
    """Return the help of a sweep's own command: its file, and the options that matter to it."""
    command = ArgumentParser(
        prog=prog,
        usage=SWEEP_USAGE,
        description="Run a mission once for each case of a file, and write a table of the results.",
        epilog="All options of run apply to each case, but for those of a single run and its logs. "
        "steerageway help sweeps explains the file.",
    )
    command.add_argument("mission", metavar="MISSION", help="a mission file, folder, or name")
    command.add_argument(
        "file", metavar="FILE.yml", help="the cases (default: sweep.yml in the mission's folder)"
    )
    add_sweep_options(command)
    _add_ends(command)
    _add_changes(command)
    return command.format_help()


def _add_time(command: ArgumentParser) -> None:
    add_options(
        command.add_argument_group("time"),
        """
            --warp N|max: simulated seconds per wall second; max: as fast as possible (default: \
                MOOSTimeWarp)
            --free-run: follow the wall clock, for hardware in the loop
            --epoch now|ISO: UTC of simulated time zero (2026-01-01)
        """,
        warp=WARP,
    )


def _add_ends(command: ArgumentParser) -> None:
    add_options(
        command.add_argument_group("end of the run"),
        """
            --until [NAME|*:]COND ...: end the run once each of these conditions has held, in any \
                community, in NAME, or in all (*)
            --fail-if [NAME|*:]COND ...: end the run with exit code 4 if it holds
            --fail-on ...: end the run with exit code 4 if a vessel leaves its envelope or a \
                behavior reports an error; warning: exit code 4 at the end if an app has run \
                warnings
            --for=stop_at SECONDS: simulated duration [s]
            --wall-limit SECONDS: limit of the wall time [s]
        """,
        fail_on={"choices": FAIL_ON},
        stop_at=instant,
        wall_limit=(Number(above=0.0), 0.0),
    )


def _add_changes(command: ArgumentParser) -> None:
    add_options(
        command.add_argument_group("changes to the mission files"),
        """
            --set=pokes [@T:][NAME:]VAR=VALUE ...: post once every app has iterated once, or at T \
                seconds; := or quotes: as text
            --button=buttons [@T:][NAME:]LABEL ...: post the values of this button of the \
                pMarineViewer block, as --set does
            --config [NAME:]APP.KEY=VALUE ...: set a parameter of an app's configuration block; \
                replaces all lines of this key
            --as-moos: decide and move as MOOS-IvP's own programs do, their faults included: \
                AsMOOS = true
            --define [NAME:]KEY=VALUE ...: define a macro of template files
            --plug TEMPLATE=FILE[@NAME] ...: also expand this template of the mission's folder, to \
                FILE
            --path DIR ...: also search this folder for files that templates include
            --skip APP,APP: do not start these apps: names, or patterns with *; * alone: those \
                missing here
            --skip-missing: leave out apps and behaviors that do not exist here, each with a warning
            --app APP[=PROCESS] ...: start PROCESS instead of APP: an app, or \
                package.module:ClassName; [NAME:]APP alone: add this app to the launch list
            --only APP ...: start only APP
            --seed N: random seed (0)
            --inputs FILE: replay an earlier run's inputs: its file or folder
        """,
        path=_folder,
        skip={"action": "extend", "type": words_of, "default": []},
        seed=(SEED, 0),
        inputs=Path,
    )


def _add_fleet(command: ArgumentParser) -> None:
    add_options(
        command.add_argument_group("many vessels"),
        """
            --vessels N: launch the folder's meta_vehicle.moos for N vessels
            --start PATTERN[:METRES]|FILE: start positions: line, grid, ring, random (the \
                default), or a file of x,y,heading
        """,
        vessels=(Whole(low=1), 0),
    )


def _add_run(command: ArgumentParser) -> None:
    add_options(
        command.add_argument_group("execution"),
        """
            --placement process|community|one|cluster: which apps share a process; the results are \
                the same (process)
            --paused: start paused at 0 s
            --external NAME ...: an app of the launch list that is started by hand; simulated time \
                waits for it
            --restarts N: restarts of a failed app (0)
            --grant-timeout SECONDS: wall time that an activation of an app may take [s]; 0: \
                unlimited (10)
        """,
        placement=(lambda text: Placement(Choice(*Placement)(text)), Placement.PROCESS),
        restarts=(Whole(low=0), 0),
        grant_timeout=(Number(low=0.0), 10.0),
    )


def _add_observers(command: ArgumentParser) -> None:
    add_options(
        command.add_argument_group("observers"),
        """
            --port N|auto: port of the broker (default: ServerPort)
            --host ADDRESS: address at which the broker listens; other machines need --keys \
                (127.0.0.1)
            --keys DIR: CURVE keys of the broker and its clients
            --open: accept every user of this machine, also without the token in run.json
            --attach: accept observers with --placement one, too
            --view PORT: show the run in a browser at this port; prints the address (any free port)
            --foxglove PORT: show the run to Foxglove at this port (8765); with --open it may post \
                and control
        """,
        port=PORT,
        host=(str, "127.0.0.1"),
        keys=Path,
        view={"nargs": "?", "type": argument(PORT), "const": ANY_PORT},
        foxglove={"nargs": "?", "type": argument(PORT), "const": FOXGLOVE_PORT},
    )


def _add_programs(command: ArgumentParser) -> None:
    add_options(
        command.add_argument_group("programs of MOOS"),
        """
            --moosdb PORT|auto: let programs of MOOS connect as to a MOOSDB, at this port \
                (ServerPort)
            --exec-path DIR ...: start programs of this folder that the launch list names and that \
                are no apps here
            --lockstep: with them in lockstep, by a preloaded library (Linux)
        """,
        moosdb={"nargs": "?", "type": argument(PORT), "const": SERVER_PORT},
        exec_path=_folder,
    )


def _add_results(command: ArgumentParser) -> None:
    add_options(
        command.add_argument_group("output"),
        """
            --log DIR: new or empty folder for the logs
            --no-log: write no logs
            --json FILE: summary as JSON; -: stdout
            --check: check the files, start nothing
            --graph: with --check: who posts, subscribes
            --no-code: reject missions with code of their own (apps, behaviors, launch scripts)
            --appcasts: apps answer APPCAST_REQ by posting APPCAST
            --strict: treat config warnings as errors
            --allow-unknown: accept variables and parameters in options that nothing here posts or \
                reads
            --quiet: print only errors and config warnings
        """,
        log=Path,
    )


def instant(text: str) -> int:
    """Read seconds as an exact instant [ns].

    Raises:
        ValueError: not a number, negative, or more than ``_LATEST``.
    """
    Number(low=0.0, high=_LATEST)(text)
    return round(Decimal(text.strip()) * NANO)


def _folder(text: str) -> Path:
    if not Path(text).is_dir():
        raise ArgumentTypeError(f"{text!r}: expected a folder")
    return Path(text)
