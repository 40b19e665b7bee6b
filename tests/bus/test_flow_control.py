"""Flow control in free run: nothing is lost, memory is bounded, slow readers are named."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import msgpack
import pytest
from house import FreeHouse, RawClient
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.bus.core.app import Registration
from steerageway.bus.core.clock import sleep
from steerageway.bus.core.errors import BackPressure
from steerageway.bus.core.message import Message
from steerageway.bus.core.plan import RunPlan
from steerageway.bus.core.stamps import NEVER
from steerageway.bus.database.mailbag import EntryBag, Mailbag
from steerageway.bus.free.app import AppClient
from steerageway.bus.free.database import FreeDatabase, Poster
from steerageway.bus.free.mailbag import BatchBag
from steerageway.bus.free.server import MOST_UNREAD
from steerageway.bus.observers.connections import MOST_WAITING
from steerageway.bus.observers.peer import POST_WINDOW
from steerageway.bus.transport.client import MAIL_WINDOW, Client
from steerageway.bus.transport.outbox import BATCH
from steerageway.bus.transport.wire import cost, pack, ungroup, unpack

pytestmark = [pytest.mark.process, pytest.mark.wall]  # real sockets, and timeout

MOST_IN_MAILBAG = MOST_UNREAD + POST_WINDOW + BATCH


@pytest.fixture
def house() -> Iterator[FreeHouse]:
    with FreeHouse() as open_house:
        yield open_house


def enter(house: FreeHouse, name: str, *names: str, **options: Any) -> Client:
    """Connect and register, active when this returns."""
    client = house.visit(name, **{"role": "app", **options})
    if names:
        client.register(*names)
    client.control("status")
    return client


def waiting_for(house: FreeHouse, name: str) -> int:
    """Return the weight of the mail that waits for a client in the broker."""
    return max(p.mailbag.weight() for p in house.server.peers.values() if p.name == name)


class Pump(threading.Thread):
    """Posts a number of values in turn over ten names, and notes how many, and its end."""

    def __init__(self, client: Client, count: int, stem: str = "X") -> None:
        super().__init__()
        self._client, self._count, self._stem = client, count, stem
        self.posted = 0
        self.error: Exception | None = None
        self.start()

    def run(self) -> None:
        try:
            for index in range(self._count):
                self.posted += 1
                self._client.post(f"{self._stem}_{index % 10}", index)
            self._client.flush()
        except Exception as error:
            self.error = error


def test_a_slow_reader_loses_nothing_and_holds_its_poster_back(house: FreeHouse) -> None:
    count = 60_000
    with enter(house, "slow", "X_*") as slow, enter(house, "poster", timeout=30) as poster:
        pump = Pump(poster, count)
        seen: list[float | str | bytes] = []
        most = 0
        while len(seen) < count:
            mail = slow.fetch(5.0)
            assert mail
            seen += [message.value for message in mail]
            most = max(most, waiting_for(house, "slow"))
            sleep(0.005)
        pump.join()
        assert pump.error is None
    assert seen == [float(index) for index in range(count)]
    assert MOST_UNREAD < most <= MOST_IN_MAILBAG


def test_a_reader_that_stops_reading_is_named_and_the_posts_are_kept(house: FreeHouse) -> None:
    with enter(house, "pAsleep", "X_*") as sleeper, enter(house, "poster", timeout=0.2) as poster:
        pump = Pump(poster, 100_000)
        pump.join(60)
        assert isinstance(pump.error, BackPressure)
        assert str(pump.error) == "posts waited 0.2 s for pAsleep to read; they are kept"
        assert pump.error.names == ("pAsleep",)
        assert pump.posted <= MOST_IN_MAILBAG + MAIL_WINDOW + 2 * BATCH
        with pytest.raises(BackPressure):
            poster.flush()
        seen: list[float | str | bytes] = []
        while len(seen) < pump.posted - BATCH:
            seen += [message.value for message in sleeper.fetch(5.0)]
        poster.flush()
        while len(seen) < pump.posted:
            seen += [message.value for message in sleeper.fetch(5.0)]
        assert seen == [float(index) for index in range(pump.posted)]


def test_apps_without_the_subscription_are_not_held_back_by_a_slow_reader(house: FreeHouse) -> None:
    with (
        enter(house, "pAsleep", "X_*"),
        enter(house, "blocked", timeout=0.1) as blocked,
        enter(house, "free") as free,
        enter(house, "reader", "Y_*") as reader,
    ):
        pump = Pump(blocked, 100_000)
        pump.join(60)
        assert isinstance(pump.error, BackPressure)
        blocked.discard()
        count = 3 * POST_WINDOW
        pump, seen = Pump(free, count, "Y"), list[Message]()
        while len(seen) < count and not pump.error:
            seen += reader.fetch(1.0)
        pump.join(60)
        assert pump.error is None


def test_a_relay_is_held_back_by_a_slow_reader_beyond_it() -> None:
    here = {"role": "app", "community": "alpha", "timeout": 1.0}
    with (
        FreeHouse(RunPlan(("alpha", "beta"), (), 1.0)) as house,
        enter(house, "pAsleep", "X", community="beta") as sleeper,
        AppClient.connect(house.address, "pShare", **here) as relayer,
    ):
        relayed = 0

        def relay(value: float, count: int) -> None:
            nonlocal relayed
            relayer.relay([("beta", "X", value, None, "", "pA", "alpha")] * count)
            relayed += count

        def flood() -> None:
            for value in range(100):
                relay(float(value), BATCH)

        with pytest.raises(BackPressure, match="for pAsleep to read"):
            flood()
        assert relayed <= MOST_IN_MAILBAG + MAIL_WINDOW + 2 * BATCH
        seen: list[Message] = []
        while len(seen) < relayed:
            seen += sleeper.fetch(5.0)
        assert {(m.source, m.community) for m in seen} == {("pA", "alpha")}
        relay(-1.0, 1)
        assert [message.value for message in sleeper.fetch(5.0)] == [-1.0]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (["gamma", "X", 1.0, None, "", "pA", "beta"], "relay: gamma: no community of this run"),
        ([{}, "X", 1.0, None, "", "pA", "beta"], "{}: a name is a text"),
        (["alpha", "X", 1.0, None, "", {}, "beta"], "{}: a name is a text"),
        (["alpha", "X", 1.0, None, "", "pA"], "relay: a post is [community, name, value, "),
        ("alpha", "relay: a post is [community, name, value, "),
    ],
)
def test_a_post_that_cannot_be_relayed_is_refused_and_reported(
    house: FreeHouse, row: object, expected: str
) -> None:
    with RawClient(house.address) as raw_client:
        raw_client.handshake("pShare", role="app")
        raw_client.send("relay", [row])
        error = raw_client.next_frame("error")
        assert error is not None
        assert error[2].startswith(expected)
        raw_client.send("relay", [["alpha", "X", "far", None, "", "pA", "beta"]])
        raw_client.send("relay", [["alpha", "X", 1.0, None, "", "pA", "beta"]])
        refused = raw_client.next_frame("error")
        assert refused == ["error", "post", "X = 1.0: refused, this variable is text"]


def test_an_observer_that_does_not_read_holds_no_app_back(house: FreeHouse) -> None:
    count = 3 * MOST_WAITING
    with (
        enter(house, "scope", "X_*", role="observer") as scope,
        enter(house, "poster", timeout=30) as poster,
    ):
        pump = Pump(poster, count)
        pump.join(60)
        assert not pump.is_alive()
        assert pump.error is None
        poster.control("status")
        seen: list[Message] = []
        while not seen or seen[-1].value != count - 1.0:
            seen += scope.fetch(5.0)
        assert scope.thinned > 0
        assert len(seen) + scope.thinned == count
        last = {message.name: message.value for message in seen}
        assert last == {f"X_{n}": float(count - 10 + n) for n in range(10)}


def test_a_reader_that_dies_no_longer_holds_its_posters_back(
    house: FreeHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steerageway.bus.observers.connections.PROBE_INTERVAL", 0.1)
    with enter(house, "poster", timeout=30) as poster:
        with RawClient(house.address) as dying:
            dying.handshake("dying", role="app")
            dying.send("register", [["X_*", "*", 0.0, True]])
            dying.send("control", 1, "status", [])
            dying.next_frame("reply")
            pump = Pump(poster, 60_000)
            assert house.eventually(lambda counts: waiting_for(house, "dying") > MOST_UNREAD)
        pump.join(60)
        assert not pump.is_alive()
        assert pump.error is None


def test_two_apps_that_flood_each_other_without_reading_are_reported(house: FreeHouse) -> None:
    with enter(house, "left", "X_*", timeout=0.3) as left, enter(house, "right", "X_*") as right:
        right.timeout = 0.3
        pumps = [Pump(left, 10**6), Pump(right, 10**6)]
        for pump in pumps:
            pump.join(60)
        assert [type(pump.error) for pump in pumps] == [BackPressure, BackPressure]
        left.discard()
        right.discard()


def test_posts_beyond_the_credit_are_refused(house: FreeHouse) -> None:
    with enter(house, "pAsleep", "X") as sleeper, RawClient(house.address) as pushy:
        pushy.handshake("pushy", role="app")
        for _ in range(20):
            pushy.send("post", [["X", 1.0, None, ""]] * 1000)
        error = pushy.next_frame("error")
        assert error is not None
        assert error[1:] == ["malformed", "post: 1000 posts without credit: not taken"]
        assert house.eventually(lambda counts: counts.frames >= 24)
        seen = 0
        while seen + house.server.counts.posts_refused < 20_000:
            mail = sleeper.fetch(5.0)
            assert mail
            seen += len(mail)
        assert sleeper.fetch(0.1) == []
    assert seen + house.server.counts.posts_refused == 20_000


def test_mail_keeps_to_the_credit(house: FreeHouse) -> None:
    with RawClient(house.address) as thrifty, enter(house, "poster") as poster:
        thrifty.handshake("thrifty", role="app", credit=100)
        thrifty.send("register", [["X_*", "*", 0.0, True]])
        thrifty.send("control", 1, "status", [])
        thrifty.next_frame("reply")
        pump = Pump(poster, 4 * BATCH)
        pump.join(60)
        spent, allowed, values = 0, 100, []
        while len(values) < 4 * BATCH:
            while thrifty.socket.poll(100):
                frame = thrifty.socket.recv()
                kind, *rest = msgpack.unpackb(frame)
                if kind == "mail":
                    assert spent < allowed
                    values += [value for *_, rows in rest[0] for _, value, _, _ in rows]
                    spent += cost(sum(len(rows) for *_, rows in rest[0]), len(frame))
            assert spent >= allowed or len(values) == 4 * BATCH
            allowed = spent + 50
            thrifty.send("credit", allowed)
    assert values == [float(index) for index in range(4 * BATCH)]


def test_long_values_use_up_credit_by_their_length(house: FreeHouse) -> None:
    with enter(house, "pAsleep", "PICTURE"), enter(house, "poster", timeout=0.2) as poster:
        posted = 0

        def flood() -> None:
            nonlocal posted
            for _ in range(1000):
                poster.post("PICTURE", b"x" * 1_000_000)
                poster.flush()
                posted += 1

        with pytest.raises(BackPressure):
            flood()
        poster.discard()
    windows = MAIL_WINDOW + MOST_UNREAD + POST_WINDOW
    assert posted < windows * 1024 / 1_000_000 + 3


MAIL = st.lists(
    st.tuples(
        st.sampled_from(["pA", "pB"]),
        st.lists(
            st.tuples(
                st.sampled_from(["X", "Y", "Z"]),
                st.floats(0, 9) | st.text(max_size=5),
                st.none() | st.floats(0, 9),
                st.sampled_from(["", "aux"]),
            ),
            min_size=1,
            max_size=6,
        ),
    ),
    max_size=6,
)
Batches = list[tuple[str, list[tuple[Any, ...]]]]


def fill(batches: Batches) -> tuple[EntryBag, BatchBag, list[Message]]:
    """Put the same mail into both kinds of mailbag."""
    entries, whole = EntryBag("pC"), BatchBag("pC")
    for instant, (source, rows) in enumerate(batches):
        messages = ungroup([(source, "alpha", instant, rows)])
        entries.entries += [(instant, 0, n, message) for n, message in enumerate(messages)]
        whole.rows += rows
        whole.close_batch(source, "alpha", instant, len(pack(rows)))
    return entries, whole, [message for _, _, _, message in entries.entries]


def empty(bag: Mailbag) -> list[Message]:
    """Take everything out of a mailbag, as it would be sent."""
    taken: list[Message] = []
    while (frame := bag.pack()) is not None:
        mail = ungroup(unpack(frame)[1])
        assert bag.remove_sent() == len(mail)
        taken += mail
    return taken


@settings(max_examples=60)
@given(MAIL)
def test_both_mailbags_give_the_same_mail_in_order(batches: Batches) -> None:
    entries, whole, expected = fill(batches)
    assert empty(entries) == expected
    assert empty(whole) == expected
    assert entries.weight() == whole.weight() == 0


@settings(max_examples=60)
@given(MAIL)
def test_thinning_keeps_the_last_of_each_variable_in_order(batches: Batches) -> None:
    entries, whole, mail = fill(batches)
    last = {message.name: place for place, message in enumerate(mail)}
    expected = [mail[place] for place in sorted(last.values())]
    for bag in (entries, whole):
        assert bag.thin() == len(mail) - len(expected)
        assert bag.weight() >= len(expected)
        assert empty(bag) == expected


POSTS = st.tuples(
    st.sampled_from(["X", "Y", "NAV_X"]),
    st.floats() | st.text(max_size=3) | st.integers(0, 3) | st.booleans() | st.binary(max_size=2),
    st.none() | st.floats() | st.integers(0, 5),
    st.sampled_from(["", "aux", None]),
)


@settings(max_examples=150)
@given(st.lists(st.lists(POSTS, max_size=6), max_size=4), st.sampled_from([0.0, 2.0]))
def test_a_batch_commits_the_same_as_its_posts_one_by_one(
    batches: list[list[tuple[Any, ...]]], interval: float
) -> None:
    together, single = FreeDatabase("alpha"), FreeDatabase("alpha")
    results = []
    for database in (together, single):
        bag, poster = BatchBag("pB"), Poster("pA")
        database.mailboxes.append(bag)
        database.register(bag, Registration("*", "*", interval), NEVER)
        received: list[str] = []
        for instant, rows in enumerate(batches):
            parts = [rows] if database is together else [[row] for row in rows]
            for part in parts:
                received += database.take(poster, part, 10, instant * 10**9)
        counts = (database.posted, database.refused, database.delivered, database.thinned)
        values = {name: database.value(name) for name in database.variables}
        results.append((empty(bag), received, counts, values))
    assert results[0] == results[1]
