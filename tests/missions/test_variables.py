"""``VARIABLES.md`` against the apps' declarations, and against the posts of a whole mission."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from steerageway.apps.shared.registry import APPS, load
from steerageway.bus import Config, Setting, Value, is_pattern, matches, may_meet, run, variables
from steerageway.helm.behaviors import BEHAVIORS
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import Entry, read_entries

ROOT = Path(__file__).parents[2]
ALPHA = ROOT / "missions" / "alpha"
PAGE = (ROOT / "VARIABLES.md").read_text()
BY_DATABASE = (
    *("DB_TIME", "DB_UPTIME", "DB_CLIENTS", "DB_EVENT", "DB_VARSUMMARY", "DB_RWSUMMARY"),
    *("DB_OBSERVERS", "SIM_RTF", "*_LOAD", "*_STATUS", "APPCAST"),
)
RICH_BLOCKS = {
    "uSimMarineV22": "prefix = NAV\ndual_state = true\npolar_plot = 0,0:90,50\n"
    "post_navpos_summary = true\nyaw_pid_kp = 1",
    "uSimMarine": "prefix = NAV",
    "pHelmIvP": "behaviors = alpha.bhv\ndomain = course:0:359:360\ndomain = speed:0:4:41",
}
"""Blocks that make an app declare more than it does without one."""

INTERVAL = re.compile(r"\[(-?[\d.]+), (-?[\d.]+)([\])])")


class Row(NamedTuple):
    """One line of a table of published variables."""

    name: str
    kind: str
    range: str
    by: str

    def admits(self, value: Value) -> bool:
        """Whether a value has the type and is in the range."""
        kinds = {float: "number", str: "text", bytes: "bytes"}
        if kinds[type(value)] != self.kind:
            return False
        if isinstance(value, float):
            return _lies_in(value, self.range)
        words = re.findall(r"`([^`]+)`", self.range)
        return not words or value in words


def _lies_in(value: float, text: str) -> bool:
    if text == "any":
        return True
    if interval := INTERVAL.fullmatch(text):
        low, high = float(interval[1]), float(interval[2])
        return low <= value <= high and not (interval[3] == ")" and value == high)
    relation, _, bound = text.partition(" ")
    return {">=": value >= float(bound), ">": value > float(bound)}[relation]


def tables() -> dict[str, list[list[str]]]:
    """Return the cells of the table in each section."""
    found = {}
    for section in PAGE.split("\n## ")[1:]:
        title = section.partition("\n")[0]
        lines = [line for line in section.splitlines() if line.startswith("| `")]
        found[title] = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return found


TABLES = tables()
HEARD = [
    name for cells in TABLES.pop("Subscriptions") for name in re.findall(r"`([^`]+)`", cells[0])
]
ROWS = [Row(c[0].strip("`"), c[1], c[3], c[4]) for table in TABLES.values() for c in table]


@cache
def row_of(name: str) -> Row | None:
    """Return the row of a variable: that of its name before that of a pattern."""
    fitting = [row for row in ROWS if matches(row.name, name)]
    return min(fitting, key=lambda row: is_pattern(row.name), default=None)


def declared() -> set[str]:
    """Return every variable and pattern that some app declares as published."""
    names = {name for process in APPS for name in load(process).publishes}
    for process, block in RICH_BLOCKS.items():
        lines = [tuple(map(str.strip, line.split("=", 1))) for line in block.split("\n")]
        config = Config([(key, value, "rich.moos") for key, value in lines])
        origin = Config([("LatOrigin", "0", "rich.moos"), ("LongOrigin", "0", "rich.moos")])
        app = load(process)(Setting(process, "alpha", config=config, globals=origin, folder=ALPHA))
        app.configure()
        names.update(app.publishes)
    for kind in BEHAVIORS.values():
        names.update(kind.__new__(kind).publishes(kind.settings_class(name="b")))
        names.update(variables.names(kind.publications))
    return names


def test_every_row_has_a_type_and_a_range() -> None:
    assert {row.kind for row in ROWS} == {"number", "text", "bytes"}
    ranges = {row.range for row in ROWS if row.kind == "number"}
    assert [r for r in ranges if r != "any" and not INTERVAL.fullmatch(r) and r[0] != ">"] == []


def test_every_declared_post_is_listed() -> None:
    posts = [(process, name) for process in APPS for name in load(process).publishes]
    for process, name in posts:
        assert any(may_meet(row.name, name) for row in ROWS), f"{process}: {name}"


def test_every_subscription_is_listed() -> None:
    for process, name in [(one, name) for one in APPS for name in load(one).subscribes]:
        if re.fullmatch(r"[A-Z][A-Z0-9_]+", name):
            assert row_of(name) or name in HEARD, f"{process}: {name}"


@pytest.fixture(scope="module")
def posted(tmp_path_factory: pytest.TempPathFactory) -> list[Entry]:
    """Return all posts of alpha as a whole."""
    folder = tmp_path_factory.mktemp("variables") / "log"
    arguments = [str(ALPHA), "--until", "MISSION = complete"]
    arguments += ["--placement", "one", "--warp", "max", "--log", str(folder)]
    outcome = run(plan_launch(parse_options(arguments)).plan, lambda progress: None)
    assert outcome.exit_reason == "until"
    (log,) = folder.rglob("*.alog")
    return list(read_entries(log))


@pytest.mark.slow
def test_everything_posted_in_alpha_is_listed(posted: list[Entry]) -> None:
    assert sorted({entry.name for entry in posted if row_of(entry.name) is None}) == []


@pytest.mark.slow
def test_everything_posted_in_alpha_has_the_type_and_range(posted: list[Entry]) -> None:
    wrong: dict[str, Value] = {}
    for entry in posted:
        row = row_of(entry.name)
        if row is not None and not row.admits(entry.value):
            wrong.setdefault(entry.name, entry.value)
    assert wrong == {}


def test_every_variable_posted_in_alpha_comes_from_the_documented_app(posted: list[Entry]) -> None:
    posters = {(entry.name, entry.source.removesuffix("_alpha")) for entry in posted}
    wrong = []
    for name, poster in sorted(posters):
        said = [row.by for row in ROWS if matches(row.name, name)]
        if said and not any(by == "every app" or poster in by for by in said):
            wrong.append((name, poster))
    assert wrong == []


def test_every_row_is_posted_by_some_app(posted: list[Entry]) -> None:
    known = {*declared(), *BY_DATABASE, *(entry.name for entry in posted)}
    missing = [row.name for row in ROWS if not any(may_meet(row.name, name) for name in known)]
    assert missing == []
