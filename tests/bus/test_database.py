"""Last values, types, registrations, mailboxes: of the database alone, and as seen by apps."""

from __future__ import annotations

import time
from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from stage import CallRecorder, Recorder, cast, everywhere, mission, play, read_notes, recorded

from steerageway.bus import App, Message, Setting, ValueRefused
from steerageway.bus.core.app import MOST_POSTED, Registration
from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import Placement
from steerageway.bus.core.stamps import ITERATE, instant_of, stamp
from steerageway.bus.database.database import Database
from steerageway.bus.database.mailbox import Entry, Mailbox
from steerageway.bus.database.variable import Variable
from steerageway.declarations.posted import Value


class Desk:
    """A database with one client, driven by seconds instead of stamps."""

    def __init__(self) -> None:
        self.database = Database("alpha")
        self.mailbox = self.database.join("pReader")
        self._sequence = 0

    def commit(self, time: float, name: str, value: Value, source: str = "pPoster") -> bool:
        return self.enter(self.entry(time, name, value, source))

    def enter(self, entry: Entry) -> bool:
        return self.database.commit(self.database.variable(entry[3].name), entry)

    def entry(self, time: float, name: str, value: Value, source: str = "pPoster") -> Entry:
        place = stamp(round(time * NANO), ITERATE)
        message = Message(name, value, time, source, "", "alpha", instant_of(place))
        self._sequence += 1
        return place, 0, self._sequence, message

    def register(self, time: float, pattern: str, source: str = "*", every: float = 0.0) -> None:
        self._change(time, Registration(pattern, source, every))

    def unregister(self, time: float, pattern: str, source: str = "*") -> None:
        self._change(time, Registration(pattern, source, 0.0, active=False))

    def mail(self) -> list[tuple[str, Value]]:
        taken = self.mailbox.take(stamp(10**15, 0))
        return [(entry[3].name, entry[3].value) for entry in taken]

    def _change(self, time: float, registration: Registration) -> None:
        place = stamp(round(time * NANO), ITERATE)
        self.database.register(self.mailbox, registration, place)


class Mode(StrEnum):
    DRIVE = "DRIVE"


def poster() -> App:
    """Return an app that may post anything."""
    return App(Setting(name="pPoster", community="alpha"))


@pytest.mark.parametrize(
    ("given_value", "carried"),
    [
        (3, 3.0),
        (Fraction(1, 4), 0.25),
        (np.float32(0.5), 0.5),
        (np.float64(0.1), 0.1),
        (np.int64(-7), -7.0),
        ("text", "text"),
        (b"\x00\xff", b"\x00\xff"),
        (Mode.DRIVE, "DRIVE"),
        (np.str_("text"), "text"),
    ],
)
def test_numbers_become_floats_and_text_plain_text(given_value: object, carried: Value) -> None:
    app = poster()
    app.post("V", given_value)
    assert app._bus_outbox[0][1] == carried
    assert type(app._bus_outbox[0][1]) is type(carried)


@pytest.mark.parametrize("value", [True, np.True_, None, [1.0], {"a": 1}, bytearray(b"x"), 1j])
def test_a_value_the_bus_does_not_carry_is_a_type_error(value: object) -> None:
    app = poster()
    with pytest.raises(ValueRefused, match="V = ") as error:
        app.post("V", value)
    assert isinstance(error.value, TypeError)
    assert app._bus_outbox == []


@pytest.mark.parametrize("value", [float("nan"), float("inf"), np.float64("-inf"), 10**400])
def test_a_value_that_is_not_finite_is_refused_and_reported(value: float) -> None:
    app = poster()
    app.post("DESIRED_RUDDER", value)
    assert app._bus_outbox == []
    assert app.refused == 1
    (warning,) = app.run_warnings
    assert "DESIRED_RUDDER" in warning
    assert "not a finite number" in warning


@pytest.mark.slow
def test_variables_beyond_those_an_app_may_have_are_refused_with_one_warning() -> None:
    app = poster()
    for number in range(MOST_POSTED + 3):
        app.post(f"V{number}", 1.0)
        app.post("V0", 2.0)
    names = dict.fromkeys(name for name, *_ in app._bus_outbox)
    assert list(names) == [f"V{number}" for number in range(MOST_POSTED)]
    assert (app.refused, list(app.run_warnings.values())) == (3, [3])


@pytest.mark.parametrize("name", ["", " V", "V\n", "V" * 257])
def test_an_invalid_variable_name_is_refused_and_reported(name: str) -> None:
    app = poster()
    app.post(name, 1.0)
    app.post_all([name, "V W"], [1.0, 2.0], time=0.0)
    assert [row[:2] for row in app._bus_outbox] == [("V W", 2.0)]
    assert (app.refused, list(app.run_warnings.values())) == (2, [2])


@pytest.mark.parametrize("stamped", [float("nan"), float("inf"), 5.1])
def test_a_stamp_from_the_future_is_refused_and_reported(stamped: float) -> None:
    app = poster()
    app.time = 5.0
    app.post("V", 1.0, time=stamped)
    app.post("V", 2.0, time=4.9)
    assert [row[1] for row in app._bus_outbox] == [2.0]
    assert app.refused == 1


def test_posts_in_a_batch_equal_single_posts() -> None:
    apps = poster(), poster()
    for app in apps:
        app.time, app.publishes = 5.0, ("A", "B", "C", "D")
    rows = [(0.5, "text", 3, np.float64(0.1)), (1.5, float("nan"), b"x", "text")]
    for values, stamped in [(rows[0], 4.0), (rows[1], 5.0), (rows[0], 5.5), (rows[0], 4.5)]:
        for name, value in zip("ABCD", values, strict=True):
            apps[0].post(name, value, time=stamped)
        apps[1].post_all("ABCD", values, time=stamped)
    assert apps[0]._bus_outbox == apps[1]._bus_outbox
    assert len(apps[0]._bus_outbox) == 11
    assert apps[0].run_warnings == apps[1].run_warnings
    assert apps[0].refused == apps[1].refused == 5


class NotANumberFirst(CallRecorder):
    """Posts a value that is not a number at first, then one."""

    publishes = ("DESIRED_RUDDER",)

    def iterate(self) -> None:
        self.post("DESIRED_RUDDER", float("nan") if self.iteration < 3 else 5.0)


@everywhere
def test_no_reader_ever_sees_nan(placement: Placement, tmp_path: Path) -> None:
    outcome = play(
        mission(cast(NotANumberFirst, "pCareless", tmp_path), cast(Recorder, "pLog", tmp_path)),
        placement,
    )
    values = [m.value for m in recorded(tmp_path / "pLog") if m.name == "DESIRED_RUDDER"]
    assert len(values) == 18
    assert set(values) == {5.0}
    assert outcome.refused == 2
    assert list(outcome.apps[0].run_warnings.values()) == [2]


def test_the_first_post_fixes_the_type() -> None:
    desk = Desk()
    desk.register(0.0, "V")
    assert desk.commit(1.0, "V", 1.0)
    assert not desk.commit(2.0, "V", "text")
    assert not desk.commit(3.0, "V", b"bytes")
    assert desk.commit(4.0, "V", 2.0)
    assert desk.mail() == [("V", 1.0), ("V", 2.0)]
    assert desk.database.refused == 2
    assert desk.database.value("V") == 2.0


def test_clearing_removes_types_and_keeps_registrations() -> None:
    desk = Desk()
    desk.register(0.0, "V")
    desk.commit(1.0, "V", 1.0)
    desk.database.clear()
    assert desk.database.value("V") is None
    assert desk.commit(2.0, "V", "text")
    assert desk.mail() == [("V", 1.0), ("V", "text")]


class Words(CallRecorder):
    """Posts a text and notes the warnings about it."""

    publishes = ("V",)

    def iterate(self) -> None:
        self.note(f"warned of {len(self.run_warnings)}")
        if self.iteration == 2:
            self.post("V", "a text")


class ManyWords(CallRecorder):
    """Posts another text each time."""

    publishes = ("V",)

    def iterate(self) -> None:
        self.post("V", f"text {self.iteration}")


class Numbers(CallRecorder):
    publishes = ("V",)

    def iterate(self) -> None:
        self.post("V", 1.0)


@everywhere
def test_a_clash_of_types_is_returned_with_the_next_grant(
    placement: Placement, tmp_path: Path
) -> None:
    words = cast(Words, "pWords", tmp_path, tick="4")
    outcome = play(mission(words, cast(Numbers, "pNumbers", tmp_path)), placement)
    warned = {note.time: note.call for note in read_notes(tmp_path / "pWords")}
    assert warned[0.5] == "warned of 0"
    if placement == Placement.ONE:  # elsewhere one grant may hold several iterations
        assert warned[0.75] == "warned of 1"
    assert outcome.refused == 1
    (warning,) = outcome.apps[0].run_warnings
    assert "V = 'a text'" in warning
    assert "this variable is a number" in warning


@everywhere
def test_a_poster_of_another_type_is_warned_once(placement: Placement, tmp_path: Path) -> None:
    numbers, words = cast(Numbers, "pA", tmp_path), cast(ManyWords, "pB", tmp_path)
    outcome = play(mission(numbers, words), placement)
    assert outcome.refused > 3
    assert list(outcome.apps[1].run_warnings) == [
        "V = 'text 1': refused, this variable is a number"
    ]
    assert outcome.values["alpha"]["V"] == 1.0


class OneText(CallRecorder):
    publishes = ("V",)

    def iterate(self) -> None:
        time.sleep(0.05)
        self.post("V", "first in the launch list")


@everywhere
def test_the_first_post_of_an_instant_fixes_the_type(placement: Placement, tmp_path: Path) -> None:
    slow = cast(OneText, "pSlow", tmp_path, tick="2")
    fast = cast(Numbers, "pFast", tmp_path, tick="2")
    outcome = play(mission(slow, fast, seconds=0.5), placement)
    assert outcome.values["alpha"]["V"] == "first in the launch list"
    assert outcome.refused == 1


@pytest.mark.parametrize(
    ("pattern", "hits"),
    [
        ("NAV_X", {"NAV_X"}),
        ("NAV_*", {"NAV_X", "NAV_Y", "NAV_X_RAW", "NAV_"}),
        ("NAV_?", {"NAV_X", "NAV_Y"}),
        ("*_X", {"NAV_X"}),
        ("*", {"NAV_X", "NAV_Y", "NAV_X_RAW", "NAV_", "nav_x"}),
        ("NAV.X", set()),
    ],
)
def test_a_registration_matches_names(pattern: str, hits: set[str]) -> None:
    desk = Desk()
    desk.register(0.0, pattern)
    for name in ("NAV_X", "NAV_Y", "NAV_X_RAW", "NAV_", "nav_x"):
        desk.commit(1.0, name, 1.0)
    assert {name for name, _ in desk.mail()} == hits


def test_a_registration_by_source_takes_only_its_posts() -> None:
    desk = Desk()
    desk.register(0.0, "NAV_*", source="uSim*")
    desk.commit(1.0, "NAV_X", 1.0, "uSimMarine")
    desk.commit(2.0, "NAV_X", 2.0, "pOther")
    desk.commit(3.0, "NAV_X", 3.0, "uSimMarine")
    assert desk.mail() == [("NAV_X", 1.0), ("NAV_X", 3.0)]
    assert desk.database.thinned == 0


def test_overlapping_registrations_deliver_one_copy_at_the_smallest_interval() -> None:
    desk = Desk()
    desk.register(0.0, "NAV_X", every=0.5)
    desk.register(0.0, "NAV_*", every=2.0)
    desk.register(0.0, "*X", source="pOther")
    for tick in range(9):
        desk.commit(1.0 + 0.25 * tick, "NAV_X", tick)
    assert [value for _, value in desk.mail()] == [0, 2, 4, 6, 8]


def test_overlapping_registrations_deliver_one_copy_of_the_stored_value() -> None:
    desk = Desk()
    desk.commit(1.0, "NAV_X", 1.0)
    desk.register(2.0, "NAV_X")
    desk.register(2.0, "NAV_*")
    desk.register(2.0, "*", every=5.0)
    assert desk.mail() == [("NAV_X", 1.0)]
    assert desk.database.delivered == 1


def test_registering_again_delivers_the_last_value_at_once() -> None:
    desk = Desk()
    desk.register(0.0, "V", every=10.0)
    desk.commit(1.0, "V", 1.0)
    desk.commit(2.0, "V", 2.0)
    assert desk.mail() == [("V", 1.0)]
    desk.register(3.0, "V", every=10.0)
    assert desk.mail() == [("V", 2.0)]


def test_unregistering_takes_back_exactly_what_it_names() -> None:
    desk = Desk()
    desk.register(0.0, "NAV_X")
    desk.register(0.0, "NAV_*", source="pPoster")
    desk.unregister(1.0, "NAV_*")
    desk.unregister(1.0, "NAV_X")
    desk.commit(2.0, "NAV_X", 2.0)
    assert desk.mail() == [("NAV_X", 2.0)]
    desk.unregister(3.0, "NAV_*", source="pPoster")
    desk.commit(4.0, "NAV_X", 4.0)
    assert desk.mail() == []


def test_the_remaining_overlapping_registrations_thin_from_the_last_delivery_on() -> None:
    desk = Desk()
    desk.register(0.0, "V")
    desk.register(0.0, "V*", every=1.0)
    desk.commit(1.0, "V", 1.0)
    desk.unregister(1.5, "V")
    desk.commit(1.7, "V", 1.7)
    desk.commit(2.0, "V", 2.0)
    assert desk.mail() == [("V", 1.0), ("V", 2.0)]


def test_a_variable_made_later_reaches_a_pattern_made_before() -> None:
    desk = Desk()
    desk.register(0.0, "V*")
    desk.commit(5.0, "V_NEW", "x")
    assert desk.mail() == [("V_NEW", "x")]


def test_a_client_that_left_gets_nothing_more() -> None:
    desk = Desk()
    desk.register(0.0, "*")
    desk.database.leave(desk.mailbox)
    desk.commit(1.0, "V", 1.0)
    desk.commit(1.0, "NEW", 1.0)
    assert desk.mail() == []


class Echo(CallRecorder):
    """Subscribes to its own posts."""

    publishes = ("MINE",)

    def iterate(self) -> None:
        self.post("MINE", self.iteration)


@everywhere
def test_an_app_sees_its_own_posts_if_it_registered(placement: Placement, tmp_path: Path) -> None:
    echo = cast(Echo, "pEcho", tmp_path, hears="MINE", tick="10")
    deaf = cast(Echo, "pDeaf", tmp_path, community="beta")
    play(mission(echo, deaf, seconds=1.0), placement)
    values = [m.value for m in recorded(tmp_path / "pEcho")]
    assert values == [float(k) for k in range(1, 11)]
    assert recorded(tmp_path / "pDeaf") == []


@settings(max_examples=60)
@given(
    gaps=st.lists(st.integers(0, 500), min_size=1, max_size=40),
    every=st.integers(1, 900),
    takes=st.sets(st.integers(0, 40)),
)
def test_the_interval_compares_instants_of_posts_and_thinning_loses_nothing(
    gaps: list[int], every: int, takes: set[int]
) -> None:
    desk = Desk()
    desk.register(0.0, "V", every=every / 1000)
    now, last, expected, got = 1, None, [], []
    for index, gap in enumerate(gaps):
        now += gap
        desk.commit(now / 1000, "V", float(index))
        if last is None or now - last >= every:
            expected.append(float(index))
            last = now
        if index in takes:
            got += [value for _, value in desk.mail()]
    got += [value for _, value in desk.mail()]
    assert got == expected
    assert desk.database.delivered == len(expected)
    assert desk.database.thinned == len(gaps) - len(expected)


@everywhere
def test_a_slow_reader_still_gets_one_post_an_interval(
    placement: Placement, tmp_path: Path
) -> None:
    slow = cast(CallRecorder, "pSlow", tmp_path, tick="1", hears="V", interval="0.3")
    outcome = play(mission(slow, cast(Numbers, "pNumbers", tmp_path), seconds=3.0), placement)
    times = [round(m.time, 6) for m in recorded(tmp_path / "pSlow")]
    assert times == [0.1, 0.4, 0.7, 1.0, 1.3, 1.6, 1.9, 2.2, 2.5, 2.8]
    assert outcome.thinned == 20
    assert outcome.lost == 0


Change = tuple[float, str, str, float, bool]
NAMES = st.sampled_from(["A", "B"])
CHANGES = st.tuples(
    st.integers(0, 20).map(lambda n: n / 2),
    st.sampled_from(["A", "B", "*", "A*"]),
    st.sampled_from(["*", "pOne"]),
    st.sampled_from([0.0, 1.0, 2.5]),
    st.booleans(),
)
POSTS = st.tuples(st.integers(0, 20).map(lambda n: n / 2), NAMES, st.sampled_from(["pOne", "pTwo"]))


def _carry_out(posts: Sequence[tuple[float, str, str]], change: Change, late: float) -> Desk:
    """Commit posts in order; make a registration when all before ``late`` [s] are committed."""
    at, pattern, source, every, active = change
    desk = Desk()
    desk.register(0.0, "A", every=1.0)
    desk.register(0.0, "*", source="pTwo")
    pending = True
    for index, (now, name, source_of) in enumerate([*posts, (1e6, "", "")]):
        if pending and now >= max(at, late):
            registration = Registration(pattern, source, every, active)
            desk.database.register(desk.mailbox, registration, stamp(round(at * NANO), ITERATE))
            pending = False
        if name:
            desk.commit(now, name, float(index), source_of)
    return desk


@pytest.mark.slow
@settings(max_examples=300)
@given(posts=st.lists(POSTS, max_size=25), change=CHANGES, late=st.integers(0, 22))
def test_a_late_registration_has_the_same_effect_as_a_timely_one(
    posts: list[tuple[float, str, str]], change: Change, late: int
) -> None:
    posts.sort(key=lambda post: post[0])
    in_time, behind = (_carry_out(posts, change, when) for when in (0.0, late / 2))
    assert _counts(behind.database) == _counts(in_time.database)
    assert _taken(behind.mailbox) == _taken(in_time.mailbox)


def test_removing_history_changes_no_later_registration() -> None:
    desks = Desk(), Desk()
    for index, desk in enumerate(desks):
        for tick in range(100):
            desk.commit(float(tick), "V", float(tick))
        if index:
            desk.database.prune(stamp(90 * NANO, ITERATE))
            assert len(desk.database.variable("V").recent) == 11
        desk.register(90.0, "V", every=3.0)
    assert desks[0].mail() == desks[1].mail() == [("V", v) for v in (89.0, 92.0, 95.0, 98.0)]


@pytest.mark.slow
@example(runs=[[1.0], [1.0], [1.0], [1.0, 2.0]], history=False, at_once=True)
@given(
    runs=st.lists(st.lists(st.sampled_from([1.0, 2.0, "text"]), max_size=3), min_size=1),
    history=st.booleans(),
    at_once=st.booleans(),
)
def test_a_late_registration_gets_the_last_value_that_had_no_subscriber(
    runs: list[list[Value]], history: bool, at_once: bool
) -> None:
    database = Database("alpha", history=history)
    mailbox = database.join("pLate")
    for second, posts in enumerate(runs):
        rows = [("V", value, float(second), "") for value in posts]
        place = stamp(second * NANO, ITERATE)
        database.commit_run(place, 0, "pPoster", second * NANO, rows, _commit)
    now = len(runs) - at_once
    posted = [(second, value) for second, posts in enumerate(runs) for value in posts]
    taken = [post for post in posted if type(post[1]) is type(posted[0][1])]
    stored = [post for post in taken if post[0] < now][-1:]
    assert database.value("V") == (taken[-1][1] if taken else None)
    database.register(mailbox, Registration("V"), stamp(now * NANO, ITERATE))
    expected = stored + [post for post in taken if post[0] >= now]
    assert [(entry[3].time, entry[3].value) for entry in _taken(mailbox)] == expected


def _commit(database: Database, variable: Variable, entry: Entry) -> None:
    variable.sole = entry[1]
    database.commit(variable, entry)


def _counts(database: Database) -> tuple[int, ...]:
    return database.posted, database.delivered, database.thinned, database.refused


def _taken(mailbox: Mailbox) -> list[Entry]:
    return mailbox.take(stamp(10**15, 0))
