"""The ``steerageway`` command and its subcommands: run, sweep, view, poke, vessel, new, ..."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from steerageway.apps.shared.terminal import complete_streams, say
from steerageway.diagnostics.nearest import hint
from steerageway.launcher.completion import ASKED, complete_word, line_so_far
from steerageway.launcher.mission_names import is_name, mission_path, shipped_names
from steerageway.launcher.pages import topics

NAME = "steerageway"
WRONG = 2
LAUNCH = "steerageway.launcher.command"
APPS = "steerageway.apps"
MISSION, BY_MISSION = ".moos", f"{APPS}.vessels.usim_marine.figures"
"""The module that shows a vessel given by a simulator's block instead of a folder alone."""
IDENTIFY = "steerageway.launcher.identify"
"""Parameters of a vessel from a recorded run: of a package above that of the other tools."""
SWEEP_FILE = "sweep.yml"
SWEEP_SUFFIXES = (".yml", ".yaml")


class Verb(NamedTuple):
    """A subcommand: the module of its ``main``, and its help."""

    module: str
    help: str


VERBS = {
    "run": Verb(LAUNCH, "run a mission: steerageway run alpha"),
    "sweep": Verb(LAUNCH, "run every case of a sweep: steerageway sweep monte_alpha"),
    "colregs": Verb(
        "steerageway.launcher.colregs.command",
        "score behaviors in suites of encounters, by the rules of the road",
    ),
    "ais-scenarios": Verb(
        "steerageway.bridges.ais_traffic.scenarios",
        "make scenarios for colregs of the encounters in an AIS recording",
    ),
    "check-determinism": Verb(
        "steerageway.launcher.determinism", "run a mission twice, and print where its logs differ"
    ),
    "view": Verb("steerageway.web.viewer.command", "watch runs and replay logs in a browser"),
    "configure": Verb(
        "steerageway.web.configurator.command", "build and change vessels in a browser"
    ),
    "poke": Verb(f"{APPS}.consoles.poke.command", "console of a running mission: post and watch"),
    "scope": Verb(f"{APPS}.consoles.scope.command", "show variables of a running mission, live"),
    "query": Verb(
        f"{APPS}.consoles.query.command", "read variables of a running mission, for shell scripts"
    ),
    "may_finish": Verb(
        f"{APPS}.consoles.may_finish.command", "wait until a running mission is evaluated"
    ),
    "alog": Verb(f"{APPS}.logs.alog.command", "show, compare and plot logs"),
    "dataset": Verb(
        f"{APPS}.logs.dataset.command", "export point clouds, images and labels of a run"
    ),
    "nsplug": Verb(
        f"{APPS}.experiments.nsplug.command", "expand a template, as MOOS-IvP's nsplug does"
    ),
    "pickpos": Verb(
        f"{APPS}.experiments.pickpos.command",
        "choose start positions, names and colours, as MOOS-IvP's pickpos does",
    ),
    "gen_obstacles": Verb(
        f"{APPS}.experiments.pickpos.obstacles",
        "choose obstacles, as MOOS-IvP's gen_obstacles does",
    ),
    "vessel": Verb(
        "steerageway.vessel.__main__", "vessel tools: show, energy, check, tune, identify, fmu"
    ),
    "world": Verb("steerageway.world.__main__", "show and check an environment file"),
    "apps": Verb(f"{APPS}.__main__", "list the apps that a launch list may name"),
    "app": Verb(
        "steerageway.launcher.app_command",
        "show an app's parameters and variables, or run it in a mission or on a log",
    ),
    "behaviors": Verb(
        "steerageway.apps.helm.listing", "list the behaviors, or the parameters of one"
    ),
    "new": Verb(
        "steerageway.launcher.starts.command",
        "create a mission, vessel, twin, behavior, app, env, encounter or sweep from a template",
    ),
    "warm": Verb("steerageway.vessel.tools.warm", "compile vessel models ahead of the first run"),
    "help": Verb(
        "steerageway.launcher.pages",
        "print a page of the documentation: steerageway help launching",
    ),
    "keys": Verb("steerageway.bus.__main__", "create CURVE keys for clients on other machines"),
}
"""The subcommands, in the order of the help."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the subcommand of the first word; if it is not one of ``VERBS``, run a mission.

    Args:
        arguments: without the program's name; None for those of this process.
    Returns: the exit code.
    """
    if ASKED in os.environ:
        return _complete()
    complete_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    first = words[0] if words else ""
    if not words or words[0] in ("-h", "--help") or words == ["help"]:
        say(help_text(), to=None if words else sys.stderr)
        return 0 if words else WRONG
    if first == "--version":
        say(f"{NAME} {_version()}")
        return 0
    if first in VERBS:
        return _do(first, words[1:])
    if _is_unknown(first):
        folders = (path.parent.name for path in Path().glob(f"*/*{MISSION}"))
        names = hint(first, [*VERBS, *shipped_names(), *folders])
        text = f"{first}: neither a command nor a mission{names}"
        say(f"{NAME}: {text}; {NAME} --help lists both", to=sys.stderr)
        return WRONG
    return _program(LAUNCH)(words, NAME)


def _complete() -> int:
    """Print how a shell's line goes on: the command ends where its parser reads the line."""
    _, *words = line_so_far()
    if not words:
        complete_word([*VERBS, *shipped_names()])
    if words[0] in VERBS and words[0] != "sweep":
        os.environ[ASKED] = "2"  # words of the line before those of the parser
        return _do(words[0], words[1:])
    return _program(LAUNCH)([], NAME)


def help_text() -> str:
    """Return the help text."""
    width = max(map(len, VERBS))
    listed = (f"  {name:{width}}  {verb.help}" for name, verb in VERBS.items())
    return "\n".join(
        (
            f"usage: {NAME} COMMAND ...; {NAME} COMMAND --help lists its options",
            f"       {NAME} MISSION ..., short for {NAME} run MISSION ...",
            f"       {NAME} --version",
            "",
            *listed,
            "",
            f"Shipped missions: {', '.join(shipped_names())}.",
            f"Pages of {NAME} help: {', '.join(topics())}.",
        )
    )


def _do(name: str, words: Sequence[str]) -> int:
    prog = f"{NAME} {name}"
    if name == "sweep":
        if any(word in ("-h", "--help") for word in words):
            from steerageway.launcher.options import sweep_help

            say(sweep_help(prog))
            return 0
        given = with_sweep_file(words)
        if given is None:
            missing = [word for word in words[:1] if _is_unknown(word)]
            which = "".join(f"{m}: no such mission{hint(m, shipped_names())}; " for m in missing)
            expected = f"expected MISSION FILE.yml, or a mission with {SWEEP_FILE}"
            say(f"{prog}: {which}{expected}", to=sys.stderr)
            return WRONG
        words = given
    if name == "help" and (topic := words[0] if words else "") in {*VERBS} - {*topics()}:
        return main([topic, "--help"])
    if name == "keys":  # a word of python -m bus, too
        return _program(VERBS[name].module)([name, *words], NAME)
    if name == "vessel" and any(word.endswith(MISSION) for word in words):
        return _program(BY_MISSION)(words, prog)
    if name == "vessel" and words[:1] == ["identify"]:
        return _program(IDENTIFY)(words[1:], f"{prog} identify")
    return _program(VERBS[name].module)(words, prog)


def _program(module: str) -> Callable[[Sequence[str], str], int]:
    """Return the ``main`` of a module: (arguments, name of the program) -> exit code."""
    program: Callable[[Sequence[str], str], int] = import_module(module).main
    return program


def with_sweep_file(words: Sequence[str]) -> list[str] | None:
    """Return a launch's arguments for ``MISSION [FILE.yml] ...``; None if there is no sweep file.

    A file that is not here is one in the mission's folder. The default is ``sweep.yml``.
    """
    if any(word.startswith("--sweep") for word in words):
        return list(words)
    if not words:
        return None
    mission, *others = words
    given = others.pop(0) if others and others[0].endswith(SWEEP_SUFFIXES) else ""
    there = Path(mission_path(mission)) / (given or SWEEP_FILE)
    if there.is_file() and not (given and Path(given).exists()):
        return [mission, "--sweep", str(there), *others]
    return [mission, "--sweep", given, *others] if given else None


def _is_unknown(word: str) -> bool:
    """Whether a word without folder and suffix is no command, no mission and no path."""
    names = (word, word.partition("@")[0])
    known = any(name in shipped_names() or Path(name).exists() for name in names)
    return is_name(word) and not word.startswith("-") and not known


def _version() -> str:
    from importlib.metadata import version

    return version(NAME)
