"""Dead time, backlash and faults between command and actuator, in closed form."""

from __future__ import annotations

from math import inf, radians

import pytest

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.commands import Linkage
from steerageway.vessel.fossen.faults import read_faults
from steerageway.vessel.fossen.state import Channel


def linkage(delay: float = 0.0, backlash: float = 0.0) -> Linkage:
    return Linkage(Channel("cs_1", "rad", -10.0, 10.0, delay, backlash))


def test_without_a_fault_the_actuator_gets_its_command():
    plain = linkage()
    assert plain.plain
    assert [plain.of(value, 1.0) for value in (3.0, -2.0)] == [3.0, -2.0]
    assert plain.next(0.0) == inf


def test_a_dead_time_delays_every_command_and_loses_none():
    way = linkage(delay=0.7)
    for now, command in ((0.0, 1.0), (0.3, 2.0), (0.5, -3.0)):
        assert way.of(command, now) == 0.0
    arrivals = []
    now = 0.5
    while (now := way.next(now)) < inf:
        arrivals.append((now, way.of(-3.0, now)))
    assert arrivals == [(0.7, 1.0), (1.0, 2.0), (1.2, -3.0)]
    assert way.of(-3.0, 5.0) == -3.0


def test_asking_twice_at_an_instant_changes_nothing():
    way = linkage(delay=0.5, backlash=2.0)
    for now in (0.0, 0.2, 0.5, 0.7):
        command = 4.0 if now < 0.2 else -4.0
        assert way.of(command, now) == way.of(command, now)


def test_the_last_of_two_commands_of_one_instant_is_used():
    way = linkage(delay=0.5)
    way.of(9.0, 1.0)
    way.of(2.0, 1.0)
    assert way.of(2.0, 1.5) == 2.0
    assert way.next(1.5) == inf


def test_play_holds_the_actuator_until_the_command_has_crossed_it():
    way = linkage(backlash=2.0)
    commands = [0.5, 1.0, 3.0, 2.5, 1.0, 0.0, -4.0, -3.0, -1.0]
    assert [way.of(value, 0.0) for value in commands] == [0, 0, 2, 2, 2, 1, -3, -3, -2]


def test_a_command_beyond_the_limits_winds_nothing_up():
    way = linkage(backlash=2.0)
    assert way.of(500.0, 0.0) == 9.0
    assert way.of(8.0, 0.0) == 9.0
    assert way.of(7.0, 0.0) == 8.0


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("stuck", 3.0, 3.0),
        ("stuck@-1", -1.0, -1.0),
        ("jam", 2.5, 2.5),
        ("loss@0.25", 2.25, 4.5),
        ("bias@1.5", 4.5, 7.5),
        ("backlash@2", 3.0, 5.0),
        ("loss@0.5,bias@1", 2.5, 4.0),
        ("backlash@2, loss@0.5", 1.5, 2.5),
        ("none", 3.0, 6.0),
    ],
)
def test_each_fault_has_the_effect_of_its_name(text, before, after):
    way = linkage()
    way.fail(read_faults(text, 1.0), now=1.0, command=3.0, position=2.5)
    assert way.of(3.0, 1.0) == pytest.approx(before)
    assert way.of(6.0, 2.0) == pytest.approx(after)
    way.fail([], now=3.0, command=6.0, position=0.0)
    assert way.of(6.0, 3.0) == 6.0
    assert way.plain


def test_a_dead_time_by_a_fault_adds_to_the_actuators_own():
    way = linkage(delay=0.5)
    way.fail(read_faults("delay@0.25", 1.0), now=0.0, command=0.0, position=0.0)
    way.of(2.0, 1.0)
    assert way.next(1.0) == 1.75
    way.fail([], now=1.1, command=2.0, position=0.0)
    assert way.of(3.0, 1.2) == 0.0
    assert way.of(3.0, 1.7) == 3.0  # no earlier command comes after a later one
    assert way.next(1.7) == inf


def test_values_are_in_the_unit_the_actuator_is_shown_in_but_shares_and_seconds():
    by_kind = {fault.kind: fault.amount for fault in read_faults(
        "stuck@10,bias@1,backlash@2,loss@0.5,delay@3", radians(1.0)
    )}  # fmt: skip
    assert by_kind == pytest.approx(
        {"stuck": radians(10), "bias": radians(1), "backlash": radians(2), "loss": 0.5, "delay": 3}
    )


@pytest.mark.parametrize(
    "text",
    [
        *("", "jam@3", "stuck@", "loss", "loss@1.1", "delay@-1", "backlash@-1", "bias@x"),
        *("bias@nan", "loss@0.1,loss@0.2", "none,stuck", "broken@1"),
    ],
)
def test_other_texts_are_refused_with_the_expected_form(text):
    with pytest.raises(InvalidValue, match=r"expected stuck, stuck@VALUE, jam|number"):
        read_faults(text, 1.0)
