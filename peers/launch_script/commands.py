"""``Commands``: what nsplug, pAntler, pickpos and others do when a launch script calls them.

nsplug expands its template into the copy of the mission's folder. pAntler and uPokeDB only record
what the script would launch and post. What is random is drawn from the mission's seed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

from steerageway.apps.experiments.pickpos.command import pick
from steerageway.apps.experiments.pickpos.obstacles import obstacle_file
from steerageway.declarations import decimal, write_whole
from steerageway.moos.errors import FormatError
from steerageway.moos.nsplug import Expansion, PlugCall, expand, parse_call, read_macros
from steerageway.peers.launch_script.mission_copy import MissionCopy

LASTING = ("uMAC", "uMACView", "uMayFinish")
"""Consoles that go on as long as the mission. A script ends with them, as what follows ends the
mission and removes its files."""
IDLE = (
    *("sleep", "ktm", "mykill", "killall", "pkill", "pgrep", "clear", "say", "iSay"),
    *("uXMS", "uHelmScope", "uPlotViewer", "uQueryDB"),
    *LASTING,
    *("uProcessWatch", "uTermCommand", "pMarineViewer", "geoview", "alogview", "gdb"),
    *("xterm", "gnome-terminal", "konsole", "osascript", "open", "xdg-open", "ipaddrs.sh"),
    *("ssh", "scp", "rsync", "sudo", "docker", "docker-compose", "mhash_send.sh"),
)
"""Commands that do nothing and succeed: viewers, consoles, what ends processes or leaves the
machine, and waiting."""
HASH = "260101-0000A-CALM-SEAS"  # of every mission, as its date may not depend on the wall clock
MOST_DRAWN = 100_000  # lines of one shuf
WRONG = 2

Order = tuple[int, ...]
"""Process ids of the scripts that led to a command, and its own: as they started one another."""


class Answer(NamedTuple):
    """What a command prints, and its exit code."""

    code: int = 0
    out: str = ""
    err: str = ""


class Plugged(NamedTuple):
    """A file that nsplug made, and its macros."""

    call: PlugCall
    source: Path
    made: Expansion


class Launched(NamedTuple):
    """A mission that pAntler was called for, in which folder; its warp, or ""."""

    order: Order
    path: Path
    where: Path
    warp: str


class Poked(NamedTuple):
    """Posts of uPokeDB: to the community of a mission file, or at a port."""

    order: Order
    path: Path | None
    port: str
    posts: tuple[str, ...]


@dataclass(slots=True)
class Commands:
    """The commands of one run of a script, and what they have recorded.

    Attributes:
        copy: of the mission's folder.
        defines: returns the macros of the command line for a community.
        search: more folders of included files.
        seed: of the mission.
        plugged: path in the copy -> what nsplug made there; launched, poked: in no order.
        draws: how often something was drawn at random.
    """

    copy: MissionCopy
    defines: Callable[[str], Mapping[str, str]]
    search: Sequence[Path]
    seed: int
    plugged: dict[Path, Plugged] = field(default_factory=dict)
    launched: list[Launched] = field(default_factory=list)
    poked: list[Poked] = field(default_factory=list)
    draws: int = 0

    def answer(self, asked: bytes) -> bytes:
        """Do what a command is called for.

        Args:
            asked: process ids, working folder, name and arguments, with NUL between them.

        Returns: exit code, standard output and error, with NUL between them.
        """
        words = [os.fsdecode(word) for word in asked.split(b"\0")]
        try:
            pids, where, name, *arguments = words
            order = tuple(int(pid) for pid in pids.split())
            serve = _SERVED.get(name, Commands._unknown)
            found = serve(self, order, Path(where), arguments)
        except (FormatError, OSError, ValueError) as error:
            found = Answer(WRONG, err=f"{' '.join(words[2:3])}: {error}\n")
        texts = (str(found.code), found.out, found.err)
        return b"\0".join(os.fsencode(text.replace("\0", "")) for text in texts)

    def _nsplug(self, order: Order, where: Path, arguments: Sequence[str]) -> Answer:
        call = parse_call(arguments)
        macros: dict[str, str] = {}
        for name in call.macro_files:
            macros |= read_macros(where / name)
        macros |= call.macros
        macros |= self.defines(instance(call))
        search = [*(where / name for name in call.search), *self.search]
        template = call.template(where)
        made = expand(template, macros, search, tag=call.tag, lenient="lenient" in call.options)
        if call.target == "-":
            return Answer(out=made.text)
        target = Path(os.path.normpath(where / call.target))
        if not self.copy.holds(target):
            expected = f"nsplug {call.source}: expected a file below the mission's folder"
            return Answer(WRONG, err=f"{call.target}: {expected}\n")
        target.parent.mkdir(parents=True, exist_ok=True)  # version control keeps no empty folders
        write_whole(target, made.text, follow=False)
        self.plugged[target] = Plugged(call, template, made)
        return Answer()

    def _pantler(self, order: Order, where: Path, arguments: Sequence[str]) -> Answer:
        names = [one for one in arguments if not one.startswith("-")]
        warps = [one.partition("=")[2] for one in arguments if one.startswith("--MOOSTimeWarp=")]
        file = Path(os.path.normpath(where / (names or ["Mission.moos"])[0]))
        self.launched.append(Launched(order, file, where, (warps or [""])[-1]))
        return Answer()

    def _upokedb(self, order: Order, where: Path, arguments: Sequence[str]) -> Answer:
        options = [one.lstrip("-").partition("=") for one in arguments if one.startswith("-")]
        ports = [value for key, _, value in options if key == "port"]
        words = [one for one in arguments if not one.startswith("-")]
        files = [Path(os.path.normpath(where / one)) for one in words if "=" not in one]
        posts = tuple(one for one in words if "=" in one)
        path = files[0] if files else None
        self.poked.append(Poked(order, path, ports[-1] if ports else "", posts))
        return Answer()

    def _pickpos(self, order: Order, where: Path, arguments: Sequence[str]) -> Answer:
        found = pick(arguments, where, self._rng())
        if found.file is not None and self.copy.holds(found.file):
            write_whole(found.file, found.text, follow=False)
        return Answer(out="" if found.file is not None else found.text)

    def _gen_obstacles(self, order: Order, where: Path, arguments: Sequence[str]) -> Answer:
        return Answer(out=obstacle_file(arguments, self._rng()))

    def _shuf(self, order: Order, where: Path, arguments: Sequence[str]) -> Answer:
        items: Sequence[object] = ()
        most: int | None = None
        words = list(arguments)
        while words:
            word = words.pop(0)
            if word in ("-i", "-n"):
                word += words.pop(0) if words else ""
            if word.startswith("-i"):
                low, _, high = map(decimal, word[2:].partition("-"))
                if low is None or high is None:
                    return _wrong_shuf(word)
                items = range(low, high + 1)
            elif word.startswith("-n"):
                if (most := decimal(word[2:])) is None:
                    return _wrong_shuf(word)
            elif word == "-e":
                items, words = words, []
            else:
                return _wrong_shuf(word)
        drawn = len(items) if most is None else min(most, len(items))
        if drawn > MOST_DRAWN:
            return Answer(WRONG, err=f"shuf: {drawn}: expected at most {MOST_DRAWN}\n")
        chosen = self._rng().sample(items, drawn)
        return Answer(out="".join(f"{one}\n" for one in chosen))

    def _unknown(self, order: Order, where: Path, arguments: Sequence[str]) -> Answer:
        return Answer(WRONG, err="no such command\n")

    def _mhash(self, order: Order, where: Path, arguments: Sequence[str]) -> Answer:
        return Answer(out=f"{HASH}\n")

    def _rng(self) -> Random:
        """Return a generator for one command."""
        self.draws += 1
        return Random(f"draw {self.draws} of a launch script, seed {self.seed}")


_SERVED: dict[str, Callable[[Commands, Order, Path, Sequence[str]], Answer]] = {
    "nsplug": Commands._nsplug,
    "pAntler": Commands._pantler,
    "uPokeDB": Commands._upokedb,
    "pickpos": Commands._pickpos,
    "gen_obstacles": Commands._gen_obstacles,
    "shuf": Commands._shuf,
    "mhash_gen": Commands._mhash,
}
SERVED = tuple(_SERVED)
"""The commands that ask the launcher."""


def _wrong_shuf(word: str) -> Answer:
    return Answer(WRONG, err=f"shuf {word[:80]}: expected -i LOW-HIGH, -n COUNT or -e\n")


def instance(call: PlugCall) -> str:
    """Return the community of an expanded file, from its macros, else from its name."""
    named = (call.macros[name] for name in ("VNAME", "SNAME", "COMMUNITY") if call.macros.get(name))
    return next(named, Path(call.target).stem.removeprefix("targ_"))
