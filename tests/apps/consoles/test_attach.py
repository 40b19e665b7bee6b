"""Attaching to a run from a notebook: post, wait for a value, collect."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise
from math import inf, nan
from typing import Any

import pytest
from house import House
from networks import app_plan
from stage import mission

from steerageway.apps.consoles.attach import Attachment, attach
from steerageway.bus import App, BusError, ControlError, NoAnswer, PostRefused, ValueRefused, sleep

pytestmark = pytest.mark.process


class Walker(App):
    """Moves once a variable requests it."""

    def on_start(self) -> None:
        self.register("GO")
        self.x, self.going = 0.0, False
        self.post("MODE", "waiting")

    def on_mail(self, mail: Any) -> None:
        self.going = mail[-1].value == "true"

    def iterate(self) -> None:
        self.x += self.going
        self.post("X", self.x)


class Camera(App):
    """Posts more than a reader can take when time is not paced."""

    def iterate(self) -> None:
        self.post("PICTURE", "x" * 100_000)


@pytest.fixture
def house() -> Iterator[House]:
    apps = (app_plan(Walker, "pWalk", 0.0, "10"), app_plan(Camera, "uCamera", 0.0, "100"))
    with House(mission(*apps, seconds=1000.0, warp=20.0)) as open_house:
        yield open_house


@pytest.fixture
def run(house: House) -> Iterator[Attachment]:
    with attach(house.address) as attached:
        attached.control("run_until", 1.0)
        attached.wait_for("X", 0)
        yield attached


def test_a_post_takes_effect_at_the_next_instant_and_is_waited_for(run: Attachment) -> None:
    run.post("GO", "true")
    run.control("resume")
    assert run.wait_for("X", lambda x: x >= 3, timeout=60).value >= 3.0
    found = run.wait_for("X", lambda x: x >= 5, timeout=60)
    assert (found.value >= 5, found.source, found.community) == (True, "pWalk", "alpha")
    assert run.wait_for("MODE", "waiting", timeout=60).time == 0.0  # the present value counts
    run.control("pause")
    x = run.get("X")
    assert run.wait_for("X", x, timeout=60).value == x
    with pytest.raises(NoAnswer, match=r"X: no value that satisfies within 0.2 s"):
        run.wait_for("X", -1, timeout=0.2)


def test_a_loop_gets_every_message_once_and_in_order(run: Attachment) -> None:
    messages = run.messages("X", timeout=60)
    found = [next(messages)]  # from here on none is missed
    run.post("GO", "true")
    run.control("resume")
    found += islice(messages, 24)
    messages.close()
    instants = [message.instant for message in found]
    assert all(early < late for early, late in pairwise(instants))
    moving = [message.value for message in found if message.value]
    assert len(moving) > 10
    assert moving == [float(n) for n in range(1, len(moving) + 1)]  # it moves 1 m at each tick
    assert run.get("MODE") == "waiting", "the loop's subscription has ended"
    with pytest.raises(ValueError, match="expected the names of variables"):
        next(run.messages())


def test_any_value_is_waited_for_if_none_is_specified(run: Attachment) -> None:
    assert run.wait_for("MODE").value == "waiting"
    with pytest.raises(NoAnswer, match=r"within 0.1 s; never posted, the nearest is MODE$"):
        run.wait_for("MOD", timeout=0.1)
    with pytest.raises(NoAnswer, match=r"MODE: no value that satisfies within 0.1 s$"):
        run.wait_for("MODE", "walking", timeout=0.1)
    for name, value in (("MODE", 1.0), ("X", "waiting")):  # of the other type
        with pytest.raises(NoAnswer, match=r"no value that satisfies within 0.1 s$"):
            run.wait_for(name, value, timeout=0.1)
    run.post("LATER", 3)
    run.control("resume")
    assert run.wait_for("LATER", timeout=60).value == 3.0


def test_an_invalid_variable_name_is_reported(run: Attachment) -> None:
    for ask in (run.get, run.wait_for):
        with pytest.raises(ValueError, match=r"MO\*: expected one variable; patterns are for coll"):
            ask("MO*")
    with pytest.raises(ValueError, match=r"5: expected a variable's name"):
        run.get(5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"'MODE'\]: expected a variable's name, several as"):
        run.collect(["X", "MODE"])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected the names of variables"):
        run.collect(seconds=1.0)
    for seconds in (-1.0, nan, "1"):
        with pytest.raises(ValueError, match=r"seconds=.*: expected seconds, at least 0"):
            run.collect("X", seconds=seconds)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=r"timeout=.*: expected seconds, at least 0"):
            run.wait_for("X", 5.0, timeout=seconds)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (("warp",), 'warp: expected a number above 0, or "max", with it'),
        (("step", [1]), "step: expected a number of instants, or nothing, with it"),
        (("run_until",), r"run_until: expected a time \[s\] with it"),
        (("reset", 1, 2), "reset: expected a seed, or nothing, with it"),
        (("pause", 5), "pause: expected nothing with it"),
    ],
)
def test_invalid_arguments_of_a_verb_are_reported(
    run: Attachment, message: tuple[str, ...], expected: str
) -> None:
    with pytest.raises(ControlError, match=f"^{expected}$"):
        run.control(*message)


def test_a_closed_attachment_reports_it(house: House) -> None:
    with attach(house.address) as run:
        pass
    run.close()
    assert run.ended == ""
    for ask in (lambda: run.get("MODE"), lambda: run.time, lambda: run.post("GO", "true")):
        with pytest.raises(BusError, match="this attachment is closed"):
            ask()


def test_a_requested_time_is_waited_for(run: Attachment) -> None:
    run.control("run_until", 3.0)
    run.wait_for_rest(timeout=60)
    assert run.time == 3.0
    run.control("step", 4)
    run.wait_for_rest(timeout=60)
    assert run.time > 3.0
    run.control("resume")
    with pytest.raises(NoAnswer, match=r"not paused after 0\.1 s"):
        run.wait_for_rest(timeout=0.1)


def test_the_present_value_of_a_variable(run: Attachment) -> None:
    assert run.get("MODE") == "waiting"
    assert run.get("NOBODY") is None
    assert run.get("X") == run.get("X") == 0.0


def test_requests_the_run_does_not_accept_are_errors_at_once(run: Attachment) -> None:
    with pytest.raises(PostRefused, match=r"MODE = 5.0: refused, this variable is text"):
        run.post("MODE", 5)
    with pytest.raises(ValueRefused):
        run.post("MODE", None)
    with pytest.raises(ControlError):
        run.control("fly")
    run.post("MODE", "still here")


def test_rows_hold_the_present_values_and_then_each_message_up_to_the_time(
    run: Attachment, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[float] = []

    def noted(attachment: Attachment) -> float:
        seen.append(float(attachment.control("status")["time"]))
        return seen[-1]

    monkeypatch.setattr(Attachment, "time", property(noted))
    run.control("warp", "max")
    run.control("run_until", 3.0)
    rows = run.collect("X", "MODE", timeout=0.3)
    assert [row["name"] for row in rows[:2]] == ["X", "MODE"]
    assert rows[1] == {
        "time": 0.0,
        "name": "MODE",
        "value": "waiting",
        "source": "pWalk",
        "community": "alpha",
    }
    run.control("warp", 20.0)
    run.control("resume")
    rows = run.collect("X", seconds=1.0, timeout=60)
    begin, *_, end = seen
    assert end >= begin + 1.0
    times = [row["time"] for row in rows]
    assert times == sorted(times)
    assert times[-1] <= begin + 1.001
    steps = [after - before for before, after in pairwise(times[1:])]
    assert steps == pytest.approx([0.1] * len(steps))
    assert len(steps) >= 7
    assert run.get("MODE") == "waiting"  # no mail of the collecting is left


def test_collecting_a_variable_never_posted_warns_with_the_nearest_name(run: Attachment) -> None:
    with pytest.warns(UserWarning, match=r"^collect MODES: never posted, the nearest is MODE$"):
        rows = run.collect("MODES", "MODE", "Z*", timeout=0.2)
    assert [row["name"] for row in rows] == ["MODE"]


def test_present_values_are_collected_even_if_the_reader_stalls(
    run: Attachment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stalling(attachment: Attachment) -> float:
        time = float(attachment.control("status")["time"])
        sleep(0.1)  # two simulated seconds
        return time

    monkeypatch.setattr(Attachment, "time", property(stalling))
    run.control("resume")
    rows = run.collect("X", seconds=0.2, timeout=60)
    assert [row["name"] for row in rows[:1]] == ["X"]


def test_collecting_ends_with_the_run(house: House) -> None:
    with attach(house.address) as run:
        run.control("resume")
        run.wait_for("X", 0, timeout=60)
        run.control("stop")
        rows = run.collect("X", seconds=inf)
        assert all(row["name"] == "X" for row in rows)
        assert run.ended


def test_after_the_end_the_time_is_the_last_that_was_heard_of(house: House) -> None:
    with attach(house.address) as run:
        run.control("resume")
        times = []
        for message in run.messages("X"):
            times.append(message.time)
            if len(times) == 3:
                run.control("stop")
        assert run.ended
        assert run.time >= times[-1] > 0.0


def test_a_run_too_fast_for_the_reader_reports_the_omitted_messages(run: Attachment) -> None:
    run.control("warp", "max")
    run.control("resume")
    with pytest.warns(UserWarning, match=r"\d+ messages were left out: the run was too fast"):
        run.collect("PICTURE", seconds=20.0, timeout=60.0)
