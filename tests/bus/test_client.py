"""The client of scripts, consoles and free-running apps."""

from __future__ import annotations

import math
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from house import FreeHouse, RawClient

from steerageway.bus.core.errors import (
    BusError,
    ControlError,
    NoAnswer,
    PostRefused,
    Refused,
    ValueRefused,
    WireError,
)
from steerageway.bus.transport.client import MAIL_WINDOW, Client
from steerageway.bus.transport.outbox import BATCH

pytestmark = [pytest.mark.process, pytest.mark.wall]  # real sockets, and timeout


@pytest.fixture
def house() -> Iterator[FreeHouse]:
    with FreeHouse() as open_house:
        yield open_house


@pytest.fixture
def client(house: FreeHouse) -> Iterator[Client]:
    with house.visit("pA", role="app") as app:
        yield app


@pytest.fixture
def reader(house: FreeHouse) -> Iterator[Client]:
    with house.visit("pB", role="app") as app:
        yield app


def register_and_wait(client: Client, *names: str, **options: Any) -> None:
    """Register and wait until that is active."""
    client.register(*names, **options)
    client.control("status")


def test_a_post_waits_for_its_batch_and_goes_with_any_wait(client: Client, reader: Client) -> None:
    register_and_wait(reader, "X", "Y")
    client.post("X", 1)
    assert reader.fetch(0.1) == []
    client.post("Y", "two", time=0.5, aux="by hand")
    client.fetch(0)
    first, second = reader.fetch(5.0)
    assert (first.name, first.value, first.source, first.community) == ("X", 1.0, "pA", "alpha")
    assert first.time * 1e9 == pytest.approx(first.instant)
    assert (second.value, second.time, second.aux) == ("two", 0.5, "by hand")


def test_a_full_batch_is_sent_automatically(client: Client, reader: Client) -> None:
    register_and_wait(reader, "X")
    for index in range(BATCH):
        client.post("X", index)
    assert [message.value for message in reader.fetch(5.0)] == [float(n) for n in range(BATCH)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, 'X = True: a bool cannot be posted; post "true"'),
        (None, "X = None: a NoneType cannot be posted"),
        ([1.0], r"X = \[1.0\]: a list cannot be posted"),
        (math.nan, "X = nan: not a finite number"),
        (-math.inf, "X = -inf: not a finite number"),
    ],
)
def test_a_value_the_bus_does_not_carry_is_refused_at_once(
    client: Client, value: object, expected: str
) -> None:
    with pytest.raises(ValueRefused, match=expected):
        client.post("X", value)
    assert client.discard() == 0


def test_a_text_that_utf8_cannot_carry_is_refused_and_the_others_go(
    client: Client, reader: Client
) -> None:
    register_and_wait(reader, "X", "Y")
    client.post("X", 1.0)
    client.post("X_TEXT", "half a pair: \ud800")
    client.post("Y", 2.0)
    with pytest.raises(ValueRefused, match=r"X_TEXT = .*: holds characters that UTF-8"):
        client.flush()
    client.flush()
    assert [message.value for message in reader.fetch(5.0)] == [1.0, 2.0]


def test_bytes_and_numpy_numbers_travel(client: Client, reader: Client) -> None:
    numpy = pytest.importorskip("numpy")
    register_and_wait(reader, "*_VALUE")
    client.post("A_VALUE", b"\x00\xff")
    client.post("B_VALUE", numpy.float32(0.5))
    client.post("C_VALUE", numpy.int64(7))
    client.flush()
    assert [message.value for message in reader.fetch(5.0)] == [b"\x00\xff", 0.5, 7.0]


def test_values_of_megabytes_travel_in_separate_frames(client: Client, reader: Client) -> None:
    register_and_wait(reader, "PICTURE")
    pictures = [bytes([index]) * 4_000_000 for index in range(9)]
    for picture in pictures:
        client.post("PICTURE", picture)
    client.flush()
    seen: list[float | str | bytes] = []
    while len(seen) < len(pictures):
        seen += [message.value for message in reader.fetch(10.0)]
    assert seen == pictures


def test_a_refused_post_is_raised_where_the_client_waits_next(
    client: Client, reader: Client
) -> None:
    reader.register("X")
    client.post("X", 1.0)
    client.flush()
    reader.wait_for("X", lambda value: value == 1.0, 5.0)
    reader.post("X", "text")
    with pytest.raises(PostRefused, match="X = 'text': refused, this variable is a number"):
        reader.wait_for("NEVER", lambda value: True, 5.0)


def test_a_refused_post_can_be_passed_to_a_handler(client: Client) -> None:
    received: list[str] = []
    client.on_refused = received.append
    client.post("X", 1.0)
    client.post("X", "text")
    client.control("status")
    assert received == ["X = 'text': refused, this variable is a number"]


def test_wait_for_sees_the_present_value(client: Client, reader: Client) -> None:
    client.post("MISSION", "complete")
    client.flush()
    client.control("status")
    assert reader.wait_for("MISSION", lambda value: value == "complete", 5.0).source == "pA"


def test_wait_for_keeps_other_mail_for_fetch(client: Client, reader: Client) -> None:
    register_and_wait(reader, "OTHER")
    for index in range(3):
        client.post("OTHER", index)
        client.post("MISSION", f"step {index}")
    client.flush()
    reader.wait_for("MISSION", lambda value: value == "step 2", 5.0)
    assert [message.value for message in reader.fetch(1.0)] == [0.0, 1.0, 2.0]


def test_wait_for_keeps_other_mail_when_the_predicate_raises(
    client: Client, reader: Client
) -> None:
    register_and_wait(reader, "OTHER")
    client.post("OTHER", 1.0)
    client.post("MISSION", "complete")
    client.flush()
    with pytest.raises(ZeroDivisionError):
        reader.wait_for("MISSION", lambda value: 1 / 0 > 0, 5.0)
    assert [message.name for message in reader.fetch(1.0)] == ["OTHER"]


def test_wait_for_gives_up_in_time(client: Client) -> None:
    with pytest.raises(NoAnswer, match=r"MISSION: no value that satisfies within 0\.05 s"):
        client.wait_for("MISSION", lambda value: True, 0.05)


def test_wait_for_reads_any_number_of_values(client: Client, reader: Client) -> None:
    register_and_wait(reader, "X")
    total = 3 * MAIL_WINDOW
    for index in range(MAIL_WINDOW):
        client.post("X", index)
    found = []
    for index in range(MAIL_WINDOW, total + 1):
        client.post("X", index)
        if index % (MAIL_WINDOW // 2) == 0:
            client.flush()
            found.append(reader.wait_for("X", lambda value, index=index: value == index, 5.0).value)
    assert found[-1] == total


def test_wait_for_reports_when_unread_mail_blocks_the_way(client: Client, reader: Client) -> None:
    register_and_wait(reader, "OTHER")
    client.timeout = 0.2
    for index in range(MAIL_WINDOW + BATCH):
        client.post("OTHER", index)
    with pytest.raises(NoAnswer, match=r"MISSION: \d+ other messages wait to be fetched"):
        reader.wait_for("MISSION", lambda value: True, 5.0)


def test_unregistering_ends_the_mail(client: Client, reader: Client) -> None:
    reader.register("X", "Y")
    reader.unregister("X")
    reader.control("status")
    client.post("X", 1.0)
    client.post("Y", 2.0)
    client.flush()
    assert [message.name for message in reader.fetch(5.0)] == ["Y"]


def test_a_source_selects_the_posts_of_one_app(
    client: Client, reader: Client, house: FreeHouse
) -> None:
    with house.visit("pC", role="app") as third:
        register_and_wait(third, "X", source="pB")
        client.post("X", 1.0)
        client.flush()
        client.control("status")
        reader.post("X", 2.0)
        reader.flush()
        assert [(message.source, message.value) for message in third.fetch(5.0)] == [("pB", 2.0)]


def test_an_interval_thins_mail(client: Client, reader: Client, house: FreeHouse) -> None:
    register_and_wait(reader, "X", interval=1000.0)
    for index in range(5):
        client.post("X", index)
    client.post("LAST", 1.0)
    client.flush()
    register_and_wait(reader, "LAST")
    seen = [message.value for message in reader.fetch(5.0)]
    assert seen[0] == 0.0
    assert house.broker.run.databases["alpha"].thinned == 4


def test_a_client_gets_its_own_posts_if_it_registered(client: Client) -> None:
    client.register("X")
    client.post("X", 1.0)
    assert [message.value for message in client.fetch(5.0)] == [1.0]


def test_requests_made_without_waiting_are_answered_later(client: Client) -> None:
    requested = client.request("control", "status", ())
    wrong = client.request("control", "fly", ())
    client.control("status")  # answers come in order
    assert client.answer(requested)["paused"] is False
    assert client.answer(requested) is None
    with pytest.raises(ControlError, match="fly"):
        client.answer(wrong)


def test_a_control_the_run_cannot_do_is_an_error(client: Client) -> None:
    with pytest.raises(ControlError, match="pause: in free run time is the wall clock's"):
        client.control("pause")


def test_no_broker_at_the_address_means_no_answer() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(NoAnswer, match=f"tcp://127.0.0.1:{port}: no broker answered within 0.1 s"):
        Client.connect(f"127.0.0.1:{port}", "script", timeout=0.1)


@pytest.mark.parametrize("address", ["alpha:DEPLOY", "localhost", "a b:9000"])
def test_an_invalid_address_is_reported(address: str) -> None:
    with pytest.raises(BusError, match=rf"^{address}: expected HOST:PORT$"):
        Client.connect(address, "script", timeout=0.1)


def test_a_refusal_gives_the_reason(house: FreeHouse, client: Client) -> None:
    with pytest.raises(Refused, match="pA: there is an app of that name in alpha"):
        house.visit("pA", role="app")
    with pytest.raises(Refused, match="community: beta; expected one of alpha"):
        house.visit("pA", community="beta")


def test_a_name_with_a_comma_is_malformed(house: FreeHouse) -> None:
    with pytest.raises(WireError, match="a client's name holds no comma"):
        house.visit("a,b")


def test_a_broker_that_falls_silent_is_noticed(
    house: FreeHouse, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steerageway.bus.transport.connection.SILENCE", 0.1)
    client.timeout = 0.1
    with pytest.raises(NoAnswer, match=r"the broker has been silent for 0\.1 s"):
        client.fetch(1.5)


def test_the_end_of_the_run_ends_every_wait(house: FreeHouse, client: Client) -> None:
    with house.visit("stopper") as stopper:
        stopper.control("stop")
        while not client.stopping:
            client.fetch(1.0)
        client.close({})
        assert stopper.fetch(5.0) == []
        assert stopper.ended == "stopped"
        with pytest.raises(NoAnswer, match="control status: the run has ended: stopped"):
            stopper.control("status")


def test_posts_before_close_are_committed(house: FreeHouse, reader: Client) -> None:
    register_and_wait(reader, "X")
    with house.visit("pC", role="app") as short_lived:
        for index in range(3 * BATCH + 5):
            short_lived.post("X", index)
    seen: list[float | str | bytes] = []
    while len(seen) < 3 * BATCH + 5:
        mail = reader.fetch(5.0)
        assert mail
        seen += [message.value for message in mail]
    assert seen == [float(n) for n in range(3 * BATCH + 5)]


def test_an_error_inside_a_with_block_is_not_hidden_by_unsent_posts(house: FreeHouse) -> None:
    def stumble() -> None:
        with house.visit("script") as script:
            script.post("X", 1.0)
            raise KeyError

    with pytest.raises(KeyError):
        stumble()
    assert house.broker.run.databases["alpha"].value("X") is None


def test_the_local_socket_accepts_clients_too(house: FreeHouse) -> None:
    with Client.connect(house.local, "script") as script, RawClient(house.local) as raw_client:
        assert script.community == "alpha"
        assert raw_client.handshake()[0] == "welcome"


def test_posts_made_before_disconnecting_are_delivered(house: FreeHouse, reader: Client) -> None:
    register_and_wait(reader, "X")
    count = 2 * BATCH + 100
    for visit in range(20):
        with house.visit(f"p{visit}", role="app") as leaving:
            for index in range(count):
                leaving.post("X", index)
        found = 0
        while found < count and (mail := reader.fetch(5.0)):
            found += len(mail)
        assert found == count


def test_a_disconnecting_client_learns_when_all_of_its_frames_are_read(house: FreeHouse) -> None:
    with RawClient(house.address) as raw_client:
        raw_client.handshake(role="app")
        raw_client.send("post", [["X", 1.0, None, ""]])
        raw_client.send("bye", {})
        assert raw_client.next_frame("gone") == ["gone"]
