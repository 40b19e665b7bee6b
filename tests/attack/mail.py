"""Hostile mail for every app: broken values, and many of them, made from the declarations.

The apps are those of the shipped missions, as configured there, and all others of the registry; a
new app is among them. Texts are examples in the declared meanings, with parts replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

from launches import ROOT

from steerageway.apps.shared.registry import APPS, load
from steerageway.bus import (
    NANO,
    App,
    Config,
    Kind,
    Message,
    Runner,
    Setting,
    Value,
    is_pattern,
    matches,
)
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.peers.older.older_marine_pid import DEPTH_NEEDS, SURFACE_NEEDS

MISSIONS = sorted(path.parent.name for path in ROOT.glob("missions/*/README.md"))
LIMITS = ("yaw_pid_integral_limit", "speed_pid_integral_limit")
FLIP = ("source_variable = C", "dest_variable = D", "x -> y")
BLOCKS = {
    "pDeadManPost": ["heartbeat_var = ALIVE", "deadflag = DEAD=true"],
    "pEchoVar": [
        "echo = A -> B",
        "flip:1 = source_variable = C",
        "flip:1 = dest_variable = D",
        "flip:1 = x -> y",
    ],
    "pMarinePID": [f"{key} = 1" for key in (*SURFACE_NEEDS, *DEPTH_NEEDS, *LIMITS)],
    "pMissionEval": ["lead_condition = A > 1", "pass_condition = B = x", "mailflag = @C#D=$[A]"],
    "pPolicy": ["policy = math:hypot", "vessel = otter"],
    "pXRelay": ["INCOMING_VAR = A", "OUTGOING_VAR = B"],
}
"""Blocks of apps that are in no shipped mission and subscribe to little without one."""
WAITING = "pArduPilot"  # for its firmware, at each activation; its own tests send it what is broken
NUMBERS = (0.0, -1.0, 1e308, -1e308, 5e-324, 1e15, 720.0, -0.0, 0.5)
TEXTS = (
    *("", " ", "?", "X=?", "nan", "-inf", "1e999", "1e308", "=", ",=,", ":", "#", "{", "}{", "["),
    *("x=1e308,y=-1e308", "true", "off", "NAME=abe", "name=abe,X=?", "\x00\x1b[2J", "é" * 300),
    *("9" * 5000, "x" * 100_000, "a=" * 3000, "(" * 3000, "{1,2:" * 1000, "pts={0,0:1e308,nan}"),
)
BINARY = (b"", b"\xff" * 9, b"\x93\x01\x02")
ODD = (*TEXTS[:15], "abe", "-1", "0", "1e308", "-1e308", "99999999999999999999", "0x1", "1_000")
_TOKEN = re.compile(r"[-+]?\d+\.?\d*|[A-Za-z_]\w*|[=,:;|#{}@]")
_WORD = re.compile(r"(?<==)[A-Za-z]\w*|^[A-Za-z]\w*$")


def apps() -> Iterator[tuple[str, App]]:
    """Yield every app as often as the shipped missions configure it, each with a name."""
    known = set()
    for mission in MISSIONS:
        planned = plan_launch(parse_options([str(ROOT / "missions" / mission), "--check"])).plan
        seen = set()
        for one in planned.apps:
            if type(one.app) not in seen:
                seen.add(type(one.app))
                yield f"{mission}:{type(one.app).__name__}", one.app
        known |= seen
    for name in APPS:
        kind = load(name)
        if kind not in known and name != WAITING:
            lines = [(*line.split(" = ", 1), f"{name}:1") for line in BLOCKS.get(name, ())]
            config = Config(lines, where=name, last_wins=kind.last_wins)
            app = kind(Setting(name, community="alpha", config=config, folder=ROOT))
            app.configure()
            yield name, app


@cache
def examples() -> dict[str, tuple[str, ...]]:
    """Return the texts that the declarations give as examples: variable -> texts."""
    found: dict[str, dict[str, None]] = {}
    for name in APPS:
        kind = load(name)
        declared = [((one.name,), one.what + one.range) for one in kind.publications]
        declared += [(one.names, one.what) for one in kind.subscriptions]
        for names, meaning in declared:
            for variable in names:
                found.setdefault(variable, {}).update(dict.fromkeys(re.findall("`(.+?)`", meaning)))
    return {name: tuple(texts) for name, texts in found.items()}


class Fed:
    """An app that is fed with mail, as by a run.

    Attributes:
        posts: number of its posts.
    """

    def __init__(self, app: App) -> None:
        self.app, self.posts = app, 0
        self._runner = Runner(app)
        self._registered: dict[str, None] = {}
        self._tick = 0
        self._run(Kind.START, [])

    def variables(self, rng: Random) -> list[str]:
        """Return names of variables that it receives now; those of a pattern are drawn."""
        known = [*examples(), "NAV_X", "NODE_REPORT_BEN", "ABE_ITER_GAP", "VIEW_POINT"]
        found: dict[str, None] = {}
        for pattern in self._registered:
            if is_pattern(pattern):
                alike = [one for one in known if not is_pattern(one) and matches(pattern, one)]
                made = pattern.replace("*", f"A{rng.randrange(99)}").replace("?", "B")
                found |= dict.fromkeys([made, *rng.sample(alike, min(3, len(alike)))])
            else:
                found[pattern] = None
        return list(found)

    def take(self, values: Sequence[tuple[str, Value]], source: str = "pOther") -> None:
        """Let it iterate with these values, and report."""
        instant = self._tick * NANO // 4
        mail = [Message(n, v, instant / NANO, source, "", "ben", instant) for n, v in values]
        self._run(Kind.ITERATE, mail)
        self.app.appcast()

    def wait(self, seconds: float) -> None:
        """Let time pass; then it iterates without mail."""
        self._tick += round(4 * seconds)
        self.take([])

    def end(self) -> None:
        """Let it stop: it closes what it has opened."""
        self._run(Kind.STOP, [])

    def _run(self, kind: Kind, mail: Sequence[Message]) -> None:
        self._tick += 1
        posts, registrations, _ = self._runner.run(kind, self._tick * NANO // 4, mail)
        self.posts += len(posts)
        for one in registrations:
            if one.active:
                self._registered[one.pattern] = None
            else:
                self._registered.pop(one.pattern, None)


def broken(variable: str, rng: Random) -> Value:
    """Return a value that the declarations do not allow, or hardly."""
    known = _examples_of(variable)
    if not known or rng.random() < 0.4:
        return rng.choice((*NUMBERS, *TEXTS, *BINARY))
    parts = re.split(f"({_TOKEN.pattern})", rng.choice(known))
    for _ in range(rng.choice((1, 1, 2, 3))):
        place = rng.randrange(len(parts))
        parts[place] = rng.choice((*ODD, rng.choice(parts), rng.choice(parts) * 50))
    return "".join(parts)


def invented(variable: str, number: int, rng: Random) -> Value:
    """Return a value like others but for its names and numbers, which are those of a number."""
    known = _examples_of(variable)
    if not known:
        return float(number) if rng.random() < 0.5 else f"name=n{number},x={number}"
    text = _WORD.sub(lambda found: f"{found[0][:8]}{number}", rng.choice(known))
    return re.sub(r"(?<==)-?\d+\.?\d*", lambda _: f"{rng.uniform(-500, 500):.1f}", text)


@cache
def _examples_of(variable: str) -> tuple[str, ...]:
    found = [texts for name, texts in examples().items() if matches(name, variable)]
    more = ("NAME=abe,X=1,Y=2,SPD=1,HDG=90,TIME=1",) if "NODE_REPORT" in variable else ()
    return (*(text for texts in found for text in texts), *more)
