"""The default in a table of parameters is what an app uses without that line.

By its declaration a parameter is read with the default that is documented. This is about the few
with a reader of their own, which repeats it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from steerageway.apps.shared.registry import APPS, load
from steerageway.bus import App, Config, Options, Parameter, Setting
from steerageway.bus.core.declare import Declaration

WORLD = Config([("LatOrigin", "59.9", "a.moos:1"), ("LongOrigin", "10.7", "a.moos:2")])
GAINS = [f"{pid}_pid_{part}" for pid in ("yaw", "speed") for part in ("kp", "ki", "kd")]
LIMITS = ["maxrudder", "maxthrust", "yaw_pid_integral_limit", "speed_pid_integral_limit"]
OTHERS = App | Config | Setting  # no part of what an app has read
NEEDED = {  # without these lines it does not start, or waits to be told what to do
    "pHelmIvP": {"domain": "course,0,359,360"},
    "pLogger": {"Log": "X @ 0"},
    "pPolicy": {"policy": "math:hypot"},
    "pMarinePID": dict.fromkeys(GAINS + LIMITS, "1"),
}
OTHERWISE = {  # the line says more than its default; what does without it
    ("pLogger", "Path"): "another spelling of the same folder",
    ("pLogger", "LoggingDirectorySummaryFile"): "another spelling of the same file",
}
DECLARE = Options.__module__


def kinds_of_options(kind: type[Options] = Options) -> Iterator[type[Options]]:
    """Yield every class of options that the loaded apps have."""
    for one in kind.__subclasses__():
        yield one
        yield from kinds_of_options(one)


def told_apart() -> set[str]:
    """Return the parameters, without prefixes, whose defaults are told apart from their readers."""
    names = {"model"}  # read before the options, which depend on it
    kinds = (kind for kind in kinds_of_options() if kind.__module__.startswith("steerageway."))
    for kind in kinds:  # not those of other tests
        for field in fields(kind):
            declared = field.metadata["declared"]
            if not isinstance(declared, Declaration):
                continue  # a group: its class is among the others
            reader = declared.together
            apart = reader is not None and reader.__module__ != DECLARE
            if field.type == "Entry | None" or apart:
                names.add((declared.name or field.name).lower())
    return names


KINDS = {process: load(process) for process in APPS}
APART = tuple(told_apart())
TOLD = [
    (process, one)
    for process, kind in KINDS.items()
    for one in kind.parameters
    if one.default and one.name.lower().endswith(APART)
    if (process, one.name) not in OTHERWISE
]


def configured(kind: type[App], lines: Mapping[str, str], folder: Path) -> App:
    """Make an app that has read its block."""
    entries = [(key, value, "a.moos:3") for key, value in lines.items()]
    config = Config(entries, last_wins=kind.last_wins)
    app = kind(Setting("pTest", "alpha", config, WORLD, folder=folder, log_folder=folder))
    app.configure()
    return app


def plain(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield the plain values of an app's state, with their places."""
    if isinstance(value, bool | int | float | str | None | Path):
        yield path, value
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from plain(part, f"{path}[{key!r}]")
    elif isinstance(value, list | tuple):
        yield f"{path}: length", len(value)
        for place, part in enumerate(value):
            yield from plain(part, f"{path}[{place}]")
    elif is_dataclass(value):
        for field in fields(value):
            if field.type == "Entry | None":
                continue  # what a line says is in what was made of it
            yield from plain(getattr(value, field.name), f"{path}.{field.name}")
    elif hasattr(value, "__dict__") and not callable(value) and not isinstance(value, OTHERS):
        for name, part in vars(value).items():
            yield from plain(part, f"{path}.{name}")


def state(app: App) -> dict[str, Any]:
    """Return the parameters that an app has read."""
    return {
        path: value
        for name, part in vars(app).items()
        if not isinstance(part, OTHERS)
        for path, value in plain(part, name)
    }


@pytest.mark.slow
@pytest.mark.parametrize(("process", "one"), TOLD, ids=[f"{p}-{one.name}" for p, one in TOLD])
def test_a_line_that_gives_the_default_changes_nothing(
    process: str, one: Parameter, tmp_path: Path
) -> None:
    kind, needed = KINDS[process], NEEDED.get(process, {})
    without = state(configured(kind, needed, tmp_path))
    given = state(configured(kind, needed | {one.name: one.default}, tmp_path))
    assert given == without
