"""Resets and clears by observers are recorded, and their replay has an equal log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from networks import app_plan
from stage import Recorder, cast, direct, everywhere, mission, play, reached, recorded, until
from test_cases import Digester

from steerageway.bus.core.cases import Case, Order
from steerageway.bus.core.inputs import INPUTS_FILE, dump_order, load_inputs
from steerageway.bus.core.message import Message
from steerageway.bus.core.plan import Input, Phase, Placement, Poke, RunPlan
from steerageway.bus.lockstep.session import Session
from steerageway.bus.processes.stepped import Stepped


def digesting(folder: Path, seconds: float = 5.0) -> RunPlan:
    """Plan a run of an app whose posts depend on all earlier ones, and of a recorder."""
    folder.mkdir(exist_ok=True)
    apps = [cast(Recorder, "pLog", folder), app_plan(Digester, "pDigest", 0.3, "7")]
    return mission(*apps, seconds=seconds, run_folder=folder)


def log_of(
    script: Callable[[Session], Iterator[None]],
    folder: Path,
    placement: Placement,
    monkeypatch: pytest.MonkeyPatch,
) -> list[Message]:
    """Return the mail of a recorder in a run that a script directs."""
    direct(monkeypatch, script)
    play(digesting(folder), placement)
    monkeypatch.undo()
    return recorded(folder / "pLog")


def replay_of(folder: Path, placement: Placement) -> list[Message]:
    """Return the mail of a recorder in the replay of a folder's run."""
    again = folder / placement
    posts, orders = load_inputs((folder / INPUTS_FILE).read_text().splitlines())
    plan = replace(
        digesting(again),
        inputs=tuple(post for _, post in posts),
        orders=tuple(order for _, order in orders),
    )
    play(plan, placement)
    assert not (again / INPUTS_FILE).exists()
    return recorded(again / "pLog")


def poke(session: Session, value: float) -> None:
    session.poke(Poke("alpha", "WORD", value))


@everywhere
def test_a_run_that_was_poked_and_reset_has_the_log_of_its_replay(
    tmp_path: Path, placement: Placement, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(session: Session) -> Iterator[None]:
        session.control("run_until", (1.1,))
        yield from reached(session, 1.0)
        poke(session, 1.0)
        session.control("reset", (7,))
        yield from until(lambda: session.status()["case"] == 1)
        session.control("run_until", (2.4,))
        yield from reached(session, 2.3)
        poke(session, 2.0)
        session.control("reset", ())
        yield from until(lambda: session.status()["case"] == 2)
        session.control("run_until", (2.7,))  # resets get a share of the time: it may have to wait
        session.control("reset", (9,))
        yield from until(lambda: session.status()["case"] == 3)
        poke(session, 3.0)
        session.control("resume", ())

    log = log_of(script, tmp_path, placement, monkeypatch)
    assert [m.value for m in log if m.name == "WORD"] == [1.0, 2.0, 3.0]
    for other in {Placement.ONE: None, placement: None}:
        assert replay_of(tmp_path, other) == log


@everywhere
def test_a_run_whose_values_were_cleared_has_the_log_of_its_replay(
    tmp_path: Path, placement: Placement, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(session: Session) -> Iterator[None]:
        session.control("run_until", (1.1,))
        yield from until(lambda: session.status()["paused"])
        poke(session, 1.0)
        session.control("clear", ())
        yield from until(lambda: not session._at_rest)
        session.poke(Poke("alpha", "WORD", "a text: its type is forgotten"))
        session.control("resume", ())

    log = log_of(script, tmp_path, placement, monkeypatch)
    assert len([m for m in log if m.name == "WORD"]) == 2
    for other in {Placement.ONE: None, placement: None}:
        assert replay_of(tmp_path, other) == log


@everywhere
def test_resets_that_wait_when_the_run_ends_are_reported(
    tmp_path: Path, placement: Placement, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(session: Session) -> Iterator[None]:
        session.control("run_until", (1.1,))
        yield from reached(session, 1.0)
        for verb in ("reset", "reset", "clear"):
            session.control(verb, ())
        session.control("stop", ())
        yield

    direct(monkeypatch, script)
    told = play(digesting(tmp_path), placement).complaints
    never = [text.partition(": ")[2] for text in told if text.startswith("never came")]
    assert all(text.endswith(", which observers requested") for text in never)
    kept = tmp_path / INPUTS_FILE
    _, carried_out = load_inputs(kept.read_text().splitlines() if kept.exists() else [])
    assert never
    assert len(carried_out) + sum(int(text.split(" x ")[0]) for text in never) == 3


def test_the_cases_of_a_script_are_replayed(tmp_path: Path) -> None:
    run = Stepped(digesting(tmp_path, seconds=60.0))
    run.reset(Case(seed=3, first={"PLACE": b"\x00\xff"}, then={"GO": "true"}))
    for _ in range(6):
        run.step()
    run.post("alpha", "WORD", 1.0, "script")
    run.reset(Case(first={"PLACE": 0.1}))
    while run.now < 2_000_000_000:
        run.step()
    run.close()
    log = recorded(tmp_path / "pLog")
    assert replay_of(tmp_path, Placement.ONE)[: len(log)] == log


def test_posts_that_are_replayed_in_a_case_that_began_again_are_reported(tmp_path: Path) -> None:
    orders = tuple(Order(10**9, number, Case(1)) for number in (0, 1, 1))
    posts = (Input(10**8, Phase.INPUT, "alpha", "WORD", 1.0, case=1),)
    plan = replace(digesting(tmp_path), inputs=posts, orders=orders)
    outcome = play(plan, Placement.ONE)
    assert outcome.complaints == [
        "case 1 began once more: its posts of --inputs entered once more, too"
    ]
    assert play(replace(plan, orders=orders[:1]), Placement.ONE).complaints == []


def test_orders_to_a_case_are_read_as_written() -> None:
    case = Case(2, None, {"A": b"\xff", "B": 1.5}, {"C": "true"}, "abe", "script")
    orders = [Order(-1, 0, Case(1, 7)), Order(10**9, 1), Order(5, 1, case)]
    assert [order for _, order in load_inputs(map(dump_order, orders))[1]] == orders
