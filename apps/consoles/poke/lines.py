"""Grammar of console lines: posts and commands with their arguments, the help text, quick keys.

A file of quick keys has lines ``F2 = DEPLOY=true`` or ``Alt-p = pause``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from steerageway.diagnostics.nearest import hint, nearest
from steerageway.moos.errors import FormatError
from steerageway.moos.lines import cut_comment, decoded, file_bytes, split_line
from steerageway.moos.poke import FORM, Poke, parse_poke

HELP_SIGN = "?"
ALIASES = {HELP_SIGN: "help", "exit": "quit"}


class LineError(ValueError):
    """An invalid line; the text says what is wrong and what is expected.

    Attributes:
        done: the output of the part that was executed.
    """

    def __init__(self, text: str, done: str = "") -> None:
        self.done = done
        super().__init__(text)


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the console.

    Attributes:
        usage: its syntax.
        help: its effect, in a line.
        min_args, max_args: number of arguments; max_args -1: unlimited.
    """

    usage: str
    help: str
    min_args: int = 0
    max_args: int = 0


@dataclass(frozen=True, slots=True)
class Order:
    """A command as typed; ``text`` is what follows its name."""

    name: str
    args: tuple[str, ...]
    text: str


WATCHES = ("watch", "unwatch", "use", "keys", "quit", "help")  # of the interactive console only
COMMANDS = {
    "show": Command("show NAME* ...", "print variables: value, source, time", 1, -1),
    "watch": Command("watch NAME* ...", "keep variables in view below the line", 1, -1),
    "unwatch": Command("unwatch [NAME* ...]", "stop watching them; without names, all", 0, -1),
    "use": Command("use COMMUNITY", "make it the community of posts and names", 1, 1),
    "pause": Command("pause", "pause time"),
    "resume": Command("resume", "resume time"),
    "step": Command("step [N]", "run N instants (1), then pause", 0, 1),
    "run": Command("run until T", "run until T seconds of the case, then pause", 2, 2),
    "warp": Command("warp N|max", "set the simulated seconds per wall second", 1, 1),
    "reset": Command("reset x=..,y=..", "place the vessel by posting USM_RESET", 1, -1),
    "case": Command("case [SEED]", "begin a new case: all apps restart at time 0", 0, 1),
    "cast": Command("cast APP", "print an app's report (appcast)", 1, 1),
    "status": Command("status", "print time, warp and communities"),
    "log": Command("log", "print the paths of the run's logs"),
    "keys": Command("keys", "print the quick keys"),
    "stop": Command("stop", "end the run"),
    "quit": Command("quit", "leave the console; the run continues (exit, Ctrl-D)"),
    "help": Command("help [COMMAND]", "print this help, as ? does", 0, 1),
}


def parse_line(text: str) -> Poke | Order | None:
    """Parse a line; None for an empty one.

    Raises:
        LineError: it is neither a post nor a command, or has too few or too many arguments.
    """
    text = text.strip()
    if not text:
        return None
    name, _, rest = text.partition(" ")
    if text.startswith(HELP_SIGN):
        name, rest = HELP_SIGN, text[1:]
    name = ALIASES.get(name, name)
    poke = parse_poke(text)
    if poke is not None and name not in COMMANDS:
        return poke
    command = COMMANDS.get(name)
    if command is None:
        raise LineError(f"{text}: expected {FORM} or a command{suggestion(text, COMMANDS)}")
    args = tuple(rest.split())
    if len(args) < command.min_args or 0 <= command.max_args < len(args):
        raise LineError(f"{text}: expected {command.usage}")
    return Order(name, args, rest.strip())


def suggestion(text: str, words: Iterable[str]) -> str:
    """Return a suggestion for a text that is neither a post nor a known command.

    A name in capitals is taken for a variable.
    """
    name, _, value = text.partition(" ")
    known = list(words)
    post = f"{name}={value.strip() or 'VALUE'}"
    close = hint(name.lower(), known, before=", ")
    if close and (not name.isupper() or name.lower() in known):
        return close
    if "=" in text:
        return "; a variable's name is one word"
    is_post = parse_poke(post) is not None
    return f"; {post} posts" if is_post else f", {nearest(name, known)}"


def help_text(name: str = "") -> str:
    """Return the help on a command, or on all of them.

    Raises:
        LineError: there is no such command.
    """
    if name and name not in COMMANDS:
        raise LineError(f"{name}: no command, {nearest(name, COMMANDS)}")
    width = max(len(command.usage) for command in COMMANDS.values())
    lines = [f"  {c.usage:{width}}  {c.help}" for n, c in COMMANDS.items() if name in ("", n)]
    if not name:
        lines.insert(0, f"  {FORM:{width}}  post; := or quotes: a text; *: every community")
        lines.append("Tab or the arrows choose a completion; Ctrl-R searches the history.")
    return "\n".join(lines)


def lines_of(words: Sequence[str]) -> list[str]:
    """Join the words of a command line to lines: each command takes the words of its arguments.

    ``DEPLOY=true run until 300`` are two lines; so are ``DEPLOY=true "run until 300"``.
    """
    lines: list[str] = []
    room = 0  # arguments that the last line may still take
    for word in words:
        command = COMMANDS.get(word)
        if command is None and room and ("=" not in word or lines[-1].startswith("reset")):
            lines[-1] += f" {word}"
            room -= 1
            continue
        lines.append(word)
        room = 0 if command is None else command.max_args
    return lines


_KEY = re.compile(r"F(?P<number>[1-9]|1[0-9]|2[0-4])|Alt-(?P<letter>\w)", re.IGNORECASE)


class QuickKey(NamedTuple):
    """A key and the line it executes.

    Attributes:
        shown: the key as in the file.
        keys: the key as prompt_toolkit names it.
        line: the console line.
    """

    shown: str
    keys: tuple[str, ...]
    line: str


def read_quick_keys(path: Path) -> list[QuickKey]:
    """Read a file of quick keys.

    Raises:
        FormatError: it cannot be read, or a line is invalid.
    """
    try:
        text = decoded(file_bytes(path))
    except (OSError, ValueError) as error:
        raise FormatError(str(path), "", "", f"expected a file of quick keys: {error}") from error
    found: dict[tuple[str, ...], QuickKey] = {}
    for number, raw in enumerate(text.splitlines(), 1):
        if not (content := cut_comment(raw).strip()):
            continue
        line = split_line(content, f"{path}:{number}")
        match = _KEY.fullmatch(line.key)
        if match is None:
            raise line.error("expected F1 to F24 or Alt-LETTER, = and a line")
        # prompt_toolkit receives Alt-x as Escape followed by x.
        keys = ("escape", match["letter"]) if match["letter"] else (line.key.lower(),)
        try:
            job = parse_line(line.value)
        except LineError as error:
            raise line.error(str(error)) from None
        if job is None or keys in found:
            raise line.error("expected a line" if job is None else "duplicate key")
        found[keys] = QuickKey(line.key, keys, line.value)
    return list(found.values())
