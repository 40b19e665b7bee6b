"""What may be typed at the console: a post, or a command with its arguments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from steerageway.diagnostics.nearest import hint, nearest
from steerageway.moos.poke import FORM, Poke, parse_poke

HELP_SIGN = "?"
ALIASES = {HELP_SIGN: "help", "exit": "quit"}


class LineError(ValueError):
    """A line cannot be obeyed; the text says what is wrong and what would be right.

    Attributes:
        done: what to print of the part of it that could be obeyed.
    """

    def __init__(self, text: str, done: str = "") -> None:
        self.done = done
        super().__init__(text)


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the console.

    Attributes:
        usage: how to type it.
        help: what it does, in a line.
        least, most: how many arguments it takes; most -1: any number.
    """

    usage: str
    help: str
    least: int = 0
    most: int = 0


@dataclass(frozen=True, slots=True)
class Order:
    """A command as it was typed; ``text`` is what followed its name."""

    name: str
    args: tuple[str, ...]
    text: str


WATCHES = ("watch", "unwatch", "use", "keys", "quit", "help")  # only a console makes sense of
COMMANDS = {
    "show": Command("show NAME* ...", "print variables: value, source, time", 1, -1),
    "watch": Command("watch NAME* ...", "keep variables in view below the line", 1, -1),
    "unwatch": Command("unwatch [NAME* ...]", "take them out of view; without names, all", 0, -1),
    "use": Command("use COMMUNITY", "post and look there from now on", 1, 1),
    "pause": Command("pause", "let time stand"),
    "resume": Command("resume", "let it go on"),
    "step": Command("step [N]", "run N instants (1), then pause", 0, 1),
    "run": Command("run until T", "run up to T seconds of the case, then pause", 2, 2),
    "warp": Command("warp N|max", "simulated seconds per second", 1, 1),
    "reset": Command("reset x=..,y=..", "put the vessel elsewhere: posts USM_RESET", 1, -1),
    "case": Command("case [SEED]", "begin a new case: everything starts anew", 0, 1),
    "cast": Command("cast APP", "print an app's report (its appcast)", 1, 1),
    "status": Command("status", "print time, warp and communities"),
    "log": Command("log", "print where the run leaves its logs"),
    "keys": Command("keys", "print the quick keys"),
    "stop": Command("stop", "end the run"),
    "quit": Command("quit", "leave; the run goes on (exit, Ctrl-D)"),
    "help": Command("help [COMMAND]", "print this; so does ?", 0, 1),
}


def parse_line(text: str) -> Poke | Order | None:
    """Read a line; None for an empty one.

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
        raise LineError(f"{text}: expected {FORM} or a command{meant(text, COMMANDS)}")
    args = tuple(rest.split())
    if len(args) < command.least or 0 <= command.most < len(args):
        raise LineError(f"{text}: expected {command.usage}")
    return Order(name, args, rest.strip())


def meant(text: str, words: Iterable[str]) -> str:
    """Say what somebody may have meant who typed neither a post nor one of the known words.

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
    """Explain a command, or all of them.

    Raises:
        LineError: there is no such command.
    """
    if name and name not in COMMANDS:
        raise LineError(f"{name}: no command, {nearest(name, COMMANDS)}")
    width = max(len(command.usage) for command in COMMANDS.values())
    lines = [f"  {c.usage:{width}}  {c.help}" for n, c in COMMANDS.items() if name in ("", n)]
    if not name:
        lines.insert(0, f"  {FORM:{width}}  post; :=, or quotes, mean text; *: every community")
        lines.append("Tab or the arrows choose from what is offered; Ctrl-R looks into the past.")
    return "\n".join(lines)


def lines_of(words: Sequence[str]) -> list[str]:
    """Put the words of a command line together to lines: a command takes those that belong to it.

    ``DEPLOY=true run until 300`` are two lines; so are ``DEPLOY=true "run until 300"``.
    """
    lines: list[str] = []
    room = 0  # words that the last line may still take
    for word in words:
        command = COMMANDS.get(word)
        if command is None and room and ("=" not in word or lines[-1].startswith("reset")):
            lines[-1] += f" {word}"
            room -= 1
            continue
        lines.append(word)
        room = 0 if command is None else command.most
    return lines
