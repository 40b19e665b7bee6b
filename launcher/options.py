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
from typing import Any, NoReturn

from steerageway.bus import NANO, WARP, Placement
from steerageway.declarations import Choice, Number, Whole, unknown
from steerageway.declarations.arguments import Parser, argument
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


def _names(text: str) -> list[str]:
    """Return names that are separated by commas."""
    return [name for part in text.split(",") if (name := part.strip())]


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
    group = command.add_argument_group("time")
    group.add_argument(
        "--warp",
        type=argument(WARP),
        metavar="N|max",
        help="simulated seconds per wall second; max: as fast as possible (default: MOOSTimeWarp)",
    )
    group.add_argument(
        "--free-run", action="store_true", help="follow the wall clock, for hardware in the loop"
    )
    group.add_argument(
        "--epoch", default="", metavar="now|ISO", help="UTC of simulated time zero (2026-01-01)"
    )


def _add_ends(command: ArgumentParser) -> None:
    group = command.add_argument_group("end of the run")
    group.add_argument(
        "--until",
        action="append",
        default=[],
        metavar="[NAME|*:]COND",
        help="end the run once each of these conditions has held, in any community, in NAME, or in"
        " all (*)",
    )
    group.add_argument(
        "--fail-if",
        action="append",
        default=[],
        metavar="[NAME|*:]COND",
        help="end the run with exit code 4 if it holds",
    )
    group.add_argument(
        "--fail-on",
        action="append",
        default=[],
        choices=FAIL_ON,
        help="end the run with exit code 4 if a vessel leaves its envelope or a behavior reports"
        " an error; warning: exit code 4 at the end if an app has run warnings",
    )
    group.add_argument(
        "--for",
        dest="stop_at",
        type=argument(instant),
        metavar="SECONDS",
        help="simulated duration [s]",
    )
    group.add_argument(
        "--wall-limit",
        type=argument(Number(above=0.0)),
        default=0.0,
        metavar="SECONDS",
        help="limit of the wall time [s]",
    )


def _add_apps(group: Any) -> None:
    group.add_argument(
        "--skip",
        action="extend",
        type=_names,
        default=[],
        metavar="APP,APP",
        help="do not start these apps: names, or patterns with *; * alone: those missing here",
    )
    group.add_argument(
        "--skip-missing",
        action="store_true",
        help="leave out apps and behaviors that do not exist here, each with a warning",
    )
    group.add_argument(
        "--app",
        action="append",
        default=[],
        metavar="APP[=PROCESS]",
        help="start PROCESS instead of APP: an app, or package.module:ClassName; "
        "[NAME:]APP alone: add this app to the launch list",
    )
    group.add_argument("--only", action="append", default=[], metavar="APP", help="start only APP")


def _add_changes(command: ArgumentParser) -> None:
    group = command.add_argument_group("changes to the mission files")
    group.add_argument(
        "--set",
        dest="pokes",
        action="append",
        default=[],
        metavar="[@T:][NAME:]VAR=VALUE",
        help="post once every app has iterated once, or at T seconds; := or quotes: as text",
    )
    group.add_argument(
        "--button",
        dest="buttons",
        action="append",
        default=[],
        metavar="[@T:][NAME:]LABEL",
        help="post the values of this button of the pMarineViewer block, as --set does",
    )
    group.add_argument(
        "--config",
        action="append",
        default=[],
        metavar="[NAME:]APP.KEY=VALUE",
        help="set a parameter of an app's configuration block; replaces all lines of this key",
    )
    group.add_argument(
        "--as-moos",
        action="store_true",
        help="decide and move as MOOS-IvP's own programs do, their faults included: AsMOOS = true",
    )
    _add_templates(group)
    _add_apps(group)
    group.add_argument(
        "--seed", type=argument(SEED), default=0, metavar="N", help="random seed (0)"
    )
    group.add_argument(
        "--inputs",
        type=Path,
        metavar="FILE",
        help="replay an earlier run's inputs: its file or folder",
    )


def _add_templates(group: Any) -> None:
    group.add_argument(
        "--define",
        action="append",
        default=[],
        metavar="[NAME:]KEY=VALUE",
        help="define a macro of template files",
    )
    group.add_argument(
        "--plug",
        action="append",
        default=[],
        metavar="TEMPLATE=FILE[@NAME]",
        help="also expand this template of the mission's folder, to FILE",
    )
    group.add_argument(
        "--path",
        action="append",
        default=[],
        type=_folder,
        metavar="DIR",
        help="also search this folder for files that templates include",
    )


def _add_fleet(command: ArgumentParser) -> None:
    group = command.add_argument_group("many vessels")
    group.add_argument(
        "--vessels",
        type=argument(Whole(low=1)),
        default=0,
        metavar="N",
        help="launch the folder's meta_vehicle.moos for N vessels",
    )
    group.add_argument(
        "--start",
        default="",
        metavar="PATTERN[:METRES]|FILE",
        help="start positions: line, grid, ring, random (the default), or a file of x,y,heading",
    )


def _add_run(command: ArgumentParser) -> None:
    group = command.add_argument_group("execution")
    group.add_argument(
        "--placement",
        type=argument(lambda text: Placement(Choice(*Placement)(text))),
        default=Placement.PROCESS,
        metavar="process|community|one|cluster",
        help="which apps share a process; the results are the same (process)",
    )
    group.add_argument("--paused", action="store_true", help="start paused at 0 s")
    group.add_argument(
        "--external",
        action="append",
        default=[],
        metavar="NAME",
        help="an app of the launch list that is started by hand; simulated time waits for it",
    )
    group.add_argument(
        "--restarts",
        type=argument(Whole(low=0)),
        default=0,
        metavar="N",
        help="restarts of a failed app (0)",
    )
    group.add_argument(
        "--grant-timeout",
        type=argument(Number(low=0.0)),
        default=10.0,
        metavar="SECONDS",
        help="wall time that an activation of an app may take [s]; 0: unlimited (10)",
    )


def _add_observers(command: ArgumentParser) -> None:
    group = command.add_argument_group("observers")
    group.add_argument(
        "--port",
        type=argument(PORT),
        metavar="N|auto",
        help="port of the broker (default: ServerPort)",
    )
    group.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="address at which the broker listens; other machines need --keys (127.0.0.1)",
    )
    group.add_argument(
        "--keys", type=Path, metavar="DIR", help="CURVE keys of the broker and its clients"
    )
    group.add_argument(
        "--open",
        action="store_true",
        help="accept every user of this machine, also without the token in run.json",
    )
    group.add_argument(
        "--attach", action="store_true", help="accept observers with --placement one, too"
    )
    group.add_argument(
        "--view",
        nargs="?",
        type=argument(PORT),
        const=ANY_PORT,
        metavar="PORT",
        help="show the run in a browser at this port; prints the address (any free port)",
    )
    group.add_argument(
        "--foxglove",
        nargs="?",
        type=argument(PORT),
        const=FOXGLOVE_PORT,
        metavar="PORT",
        help="show the run to Foxglove at this port (8765); with --open it may post and control",
    )


def _add_programs(command: ArgumentParser) -> None:
    group = command.add_argument_group("programs of MOOS")
    group.add_argument(
        "--moosdb",
        nargs="?",
        type=argument(PORT),
        const=SERVER_PORT,
        metavar="PORT|auto",
        help="let programs of MOOS connect as to a MOOSDB, at this port (ServerPort)",
    )
    group.add_argument(
        "--exec-path",
        action="append",
        default=[],
        type=_folder,
        metavar="DIR",
        help="start programs of this folder that the launch list names and that are no apps here",
    )
    group.add_argument(
        "--lockstep",
        action="store_true",
        help="with them in lockstep, by a preloaded library (Linux)",
    )


def _add_results(command: ArgumentParser) -> None:
    group = command.add_argument_group("output")
    group.add_argument("--log", type=Path, metavar="DIR", help="new or empty folder for the logs")
    group.add_argument("--no-log", action="store_true", help="write no logs")
    group.add_argument("--json", default="", metavar="FILE", help="summary as JSON; -: stdout")
    group.add_argument("--check", action="store_true", help="check the files, start nothing")
    group.add_argument("--graph", action="store_true", help="with --check: who posts, subscribes")
    group.add_argument(
        "--no-code",
        action="store_true",
        help="reject missions with code of their own (apps, behaviors, launch scripts)",
    )
    group.add_argument(
        "--appcasts", action="store_true", help="apps answer APPCAST_REQ by posting APPCAST"
    )
    group.add_argument("--strict", action="store_true", help="treat config warnings as errors")
    group.add_argument(
        "--allow-unknown",
        action="store_true",
        help="accept variables and parameters in options that nothing here posts or reads",
    )
    group.add_argument(
        "--quiet",
        action="store_true",
        help="print only errors and config warnings",
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
