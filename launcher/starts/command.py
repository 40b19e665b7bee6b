"""``steerageway new KIND NAME``: creates a folder from a commented template, with a test."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree

from steerageway.apps.shared.terminal import say
from steerageway.declarations import write_whole
from steerageway.declarations.arguments import Parser
from steerageway.launcher.errors import LaunchError

PROGRAM = "python -m launcher.starts.command"
WRONG = 2
HERE = Path(__file__).parent
SUFFIX = ".txt"  # of template files, so that tools do not take them for code of this package
KINDS = {
    "mission": "a survey of some points",
    "vessel": "files of a boat of 3 m (six degrees of freedom), and a mission with it",
    "twin": "as vessel, but with two fixed propellers; of another size by vessel estimate",
    "behavior": "a helm behavior in Python, and a mission that uses it",
    "app": "an app in Python, and a mission that starts it",
    "env": "a Gymnasium environment, for learning",
    "encounter": "a vessel that gives way to another",
    "sweep": "a survey, and a file of cases for steerageway sweep",
}
BASES = {"twin": "vessel", "sweep": "mission"}
"""A kind that has all files of another, but for its own."""
EVERY = ""  # of these files, those of every kind
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_WORD = re.compile(r"\$(NAME|UPPER|CLASS)\$")


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Create a folder from a template; return the exit code: 0, or 2 if that is not possible."""
    parser = Parser(prog=prog, description="Create a folder from a template that runs.")
    kinds = ", ".join(f"{kind}: {what}" for kind, what in KINDS.items())
    parser.add_argument("kind", choices=KINDS, help=kinds)
    parser.add_argument("name", help="name of the folder, in lower case")
    options = parser.parse_args(arguments)
    try:
        say(*next_steps(options.kind, begin(options.kind, options.name)))
    except LaunchError as error:
        say(*error.problems, to=sys.stderr)
        return WRONG
    return 0


def begin(kind: str, name: str, where: Path = Path()) -> Path:
    """Create a folder from a template.

    Args:
        kind: one of ``KINDS``.
        name: of the folder, also used in its files.
        where: the parent folder.

    Returns: the folder.

    Raises:
        LaunchError: the name is not valid, or is taken.
    """
    _check_name(name)
    folder = where / name
    try:
        folder.mkdir()
    except OSError as error:
        why = "there is a folder or file of this name" if folder.exists() else error.strerror
        raise LaunchError(f"{folder}: {why}; expected an unused name") from error
    bases = [BASES[kind]] if kind in BASES else []
    sources = [HERE / one for one in (EVERY, *bases, kind)]
    found = {file.name: file for source in sources for file in source.glob(f"*{SUFFIX}")}
    try:
        for file in sorted(found.values()):
            written = folder / file.name.removesuffix(SUFFIX).replace("NAME", name)
            write_whole(written, filled(file.read_text(), name))
    except OSError:
        rmtree(folder)  # half of it would stand in the way of the next attempt
        raise
    return folder


def filled(text: str, name: str) -> str:
    """Replace $NAME$, $UPPER$ and $CLASS$ by a name as it is, in capitals, as a class name."""
    words = {
        "NAME": name,
        "UPPER": name.upper(),
        "CLASS": "".join(part.capitalize() for part in name.split("_")),
    }
    return _WORD.sub(lambda found: words[found[1]], text)


def next_steps(kind: str, folder: Path) -> list[str]:
    """Return the lines to print: the files of the folder, and commands to try."""
    files = ", ".join(sorted(file.name for file in folder.iterdir()))
    lines = [f"{folder}: {files}", "try:"]
    if kind == "env":
        lines += ['  pip install "steerageway[learn]"', f"  python {folder}/{folder.name}.py"]
    else:
        lines.append(f'  steerageway run {folder} --warp max --until "MISSION = complete"')
    if kind == "sweep":
        lines.append(f"  steerageway sweep {folder}")
        lines += [
            f"  {folder}/{file} is for a repository's {place}"
            for file, place in servers_of(folder.name)
        ]
    if kind in ("vessel", "twin"):
        lines += [f"  steerageway vessel {tool} {folder}" for tool in ("check", "show", "tune")]
    return [*lines, f"  python -m pytest {folder}    (pip install pytest)"]


def servers_of(name: str) -> list[tuple[str, str]]:
    """Return the files of a sweep that make a CI server run it, and where a repository has them."""
    return [("github.yml", f".github/workflows/{name}.yml"), ("gitlab.yml", ".gitlab-ci.yml")]


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise LaunchError(
            f"{name}: expected lower-case letters, digits and _, a letter first, as in my_survey"
        )
    if name in sys.stdlib_module_names or _is_installed(name):
        raise LaunchError(f"{name}: expected another name: Python has a module of this name")


def _is_installed(name: str) -> bool:
    """Whether there is an installed module of this name; plain folders are not counted."""
    spec = find_spec(name)
    return spec is not None and spec.origin is not None


if __name__ == "__main__":
    sys.exit(main())
