"""``steerageway app NAME``: the command line of an app, by its name in a launch list."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from steerageway.apps.shared.registry import UnknownApp, load, process_of
from steerageway.apps.shared.runs import mission_file
from steerageway.apps.shared.shell import command_line
from steerageway.launcher.mission_names import mission_path

PROGRAM = "steerageway app"
USAGE = """\
usage: {prog} NAME [MISSION] [options]; {prog} NAME --help lists the options
NAME: as in a launch list (steerageway apps lists them), or package.module:ClassName
MISSION: the mission to take part in, a file, a folder or a shipped mission's name"""


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Run the command line of the app that the first word names; return the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or words[0] in ("-h", "--help"):
        print(USAGE.format(prog=prog), file=sys.stdout if words else sys.stderr)
        return 0 if words else 2
    name, *others = words
    if others and not others[0].startswith("-"):
        mission = mission_path(others[0])
        others[0] = str(mission_file(mission) or mission)
        sys.path.append(str(Path(others[0]).resolve().parent))  # a mission's folder has its apps
    sys.path.append(str(Path.cwd()))
    try:
        kind = load(process_of(name))
    except UnknownApp as error:
        print(f"{prog}: {name}: {error}", file=sys.stderr)
        return 2
    return command_line(kind, others, f"{prog} {name}")
