"""``pNmea`` with peers on real sockets and terminals, alone and in whole runs."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pyais
import pytest
from launches import Launch

from steerageway.bridges.links import MOST_PEERS
from steerageway.bridges.nmea import Nmea
from steerageway.bridges.nmea.ais import Station, position
from steerageway.bus import CannotGoOn, ConfigError
from steerageway.moos.node_report import NodeRecord
from tests.bridges.conftest import MISSION, Drive, Sail, free_port
from tests.bridges.test_sentences import checked

HERE = {"NAV_LAT": 59.9, "NAV_LONG": 10.7, "NAV_HEADING": 45.0, "NAV_SPEED": 2.0}
ORDER = checked("GPAPB,A,A,0.10,R,N,V,V,011,T,DEST,012,T,013,T,A") + b"\r\n"
BURST = 200  # ticks


def heard_at(port: int, timeout: float = 0.2) -> socket.socket:
    """Return a socket at a port."""
    peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    peer.bind(("127.0.0.1", port))
    peer.settimeout(timeout)
    return peer


def lines_of(peer: socket.socket) -> list[bytes]:
    """Return the datagrams that have come."""
    found = []
    try:
        while True:
            found.append(peer.recv(2000))
    except TimeoutError:
        return found


def kinds(lines: list[bytes]) -> list[str]:
    """Return the kinds of sentences."""
    return [line[3:6].decode() for line in lines]


def test_each_sentence_comes_at_its_rate_in_the_order_of_the_block(drive: Drive) -> None:
    port = free_port()
    with heard_at(port) as peer:
        driven = drive(Nmea, f"udp_out = {port}\nsentence = HDT:4, RMC\nais = off\ntalker = II")
        for quarter in range(9):
            driven.tick(0.25 * quarter, HERE)
        heard = lines_of(peer)
    second = ["HDT", "RMC", "HDT", "HDT", "HDT"]
    assert kinds(heard) == [*second, *second, "HDT", "RMC"]
    assert {line[1:3] for line in heard} == {b"II"}
    assert all(line.endswith(b"\r\n") for line in heard)


def test_this_vessel_and_others_are_told_of_by_ais(drive: Drive) -> None:
    port = free_port()
    block = (
        f"udp_out = {port}\nsentence = RMC\nais = B\nmmsi = otter:257001234\nmmsi = ben:257001235"
    )
    reports = [
        f"NAME=ben,X=100,Y=0,SPD=3,HDG=90,LENGTH=20,TIME={1_767_225_600}",
        f"NAME=old,X=100,Y=0,SPD=3,HDG=90,TIME={1_767_225_600 - 61}",
        "NAME=far,X=1000000000,Y=0,SPD=3,HDG=90,TIME=1767225600",
    ]
    with heard_at(port) as peer:
        driven = drive(Nmea, block)
        for report in reports:
            driven.tick(0.0, {**HERE, "NODE_REPORT": report})
        heard = lines_of(peer)
    assert sorted(kinds(heard)) == ["RMC", *["VDM"] * 3, *["VDO"] * 3]
    (warning,) = driven.app.run_warnings
    assert "far: " in warning


@pytest.mark.parametrize(
    ("lat", "lon"), [(1e308, 10.0), (91.0, 10.0), (59.0, -1e308), (59.0, 181.0)]
)
def test_a_vessel_that_reports_no_place_is_told_of_without_one(lat: float, lon: float) -> None:
    record = NodeRecord(name="ben", speed=1.0, heading=90.0)
    station = Station.of_report(record, 257000101, lat, lon)
    (sentence,) = position(station, 0.0, "A", own=False)
    found = pyais.decode(sentence.strip())
    assert (found.lat, found.lon) == (91.0, 181.0)  # ITU-R M.1371: not available


def test_a_slow_line_carries_the_most_important_sentences_only(drive: Drive) -> None:
    port = free_port()
    with heard_at(port) as peer:
        driven = drive(Nmea, f"udp_out = {port}\nbaud = 4800\nsentence = HDT:20, RMC:20\nais = off")
        for tick in range(201):
            driven.tick(0.05 * tick, HERE)
        heard = lines_of(peer)
    assert 0.9 * 4800 < sum(map(len, heard)) <= 480 * 10  # of ten bits each, in ten seconds
    assert kinds(heard).count("HDT") > 180
    assert "GPRMC: left out, as 4800 baud do not suffice" in driven.app.run_warnings


@pytest.mark.slow
def test_a_program_on_a_terminal_reads_what_comes_once_it_is_there(
    drive: Drive, tmp_path: Path
) -> None:
    driven = drive(Nmea, "serial = gps\nsentence = HDT\nais = off")
    driven.tick(0.0, HERE)
    terminal = os.open(tmp_path / "gps", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    for tick in range(1, 5):
        driven.tick(float(tick), HERE)
    expected, got = b"$HEHDT,45.0,T*1E\r\n" * 4, b""
    while len(got) < len(expected) and select.select([terminal], [], [], 5.0)[0]:
        got += os.read(terminal, 4096)
    assert got == expected
    os.write(terminal, b"nonsense\r\n")
    tick = 5
    while not driven.app.run_warnings and tick < 10_000:
        driven.tick(float(tick))  # nothing is known after a while, and nothing sent
        tick += 100
    assert driven.app.run_warnings == {"received: a line that is no sentence with a checksum": 1}
    for tick in range(10_000, 10_000 + BURST * 10):
        driven.tick(float(tick), HERE)
    assert "serial" in "".join(driven.app.run_warnings)  # it is there, and does not read
    os.close(terminal)
    driven.stop(1e5)
    assert not (tmp_path / "gps").is_symlink()


@pytest.mark.slow
def test_a_client_that_does_not_read_is_disconnected_and_others_stay(drive: Drive) -> None:
    port = free_port(socket.SOCK_STREAM)
    kinds_of = "RMC:100, GGA:100, GLL:100, HDT:100, VHW:100"
    driven = drive(Nmea, f"tcp = {port}\nsentence = {kinds_of}\nais = off")
    with socket.create_connection(("127.0.0.1", port)) as reader, socket.socket() as sleeper:
        sleeper.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sleeper.connect(("127.0.0.1", port))
        reader.settimeout(1.0)
        size, tick = 0, 0
        while not driven.app.run_warnings and tick < 100_000:
            driven.tick(0.01 * tick, HERE)
            size += len(reader.recv(100_000))
            tick += 1
        (warning,) = driven.app.run_warnings
        assert warning.endswith("a client that did not read was disconnected")
        assert size > 65_536
        driven.tick(0.01 * tick, HERE)
        assert reader.recv(1000).startswith(b"$GPRMC")


@pytest.mark.process
@pytest.mark.slow
def test_an_interrupt_ends_a_run_without_waiting_for_it(tmp_path: Path) -> None:
    mission = tmp_path / "otter.moos"
    mission.write_text(MISSION.replace("BRIDGE", "pNmea") + f"tcp = {free_port()}\n}}\n")
    launch = Launch((str(mission), "--warp", "10"), tmp_path)
    launch.grow_to(1)
    launch.process.send_signal(signal.SIGINT)
    assert launch.end() == 130
    assert json.loads(launch.summary.read_text())["failures"] == []


def test_any_number_of_silent_clients_leaves_room_for_the_next(drive: Drive) -> None:
    port = free_port(socket.SOCK_STREAM)
    driven = drive(Nmea, f"tcp = {port}\nais = off")
    with ExitStack() as stack:

        def client(host: str = "127.0.0.1") -> socket.socket:
            one = socket.create_connection(("127.0.0.1", port), source_address=(host, 0))
            one.settimeout(1.0)
            return stack.enter_context(one)

        other_host, talker = client("127.0.0.2"), client()
        driven.tick(0.0, HERE)
        for second in range(1, 3 * MOST_PEERS):
            client()
            talker.sendall(b"$")
            driven.tick(float(second), HERE)
        latest = client()
        driven.tick(100.0, HERE)
        for one in (other_host, talker, latest):
            one.recv(65_536)
        driven.tick(101.0, HERE)  # those that were disconnected get no more
        for one in (other_host, talker, latest):
            assert one.recv(65_536).startswith(b"$GP")
    assert any("16 clients one was disconnected" in text for text in driven.app.run_warnings)


def test_a_client_may_come_send_half_a_line_and_vanish(drive: Drive) -> None:
    port = free_port(socket.SOCK_STREAM)
    driven = drive(Nmea, f"tcp = {port}\nais = off")
    for number in range(40):
        with socket.create_connection(("127.0.0.1", port)) as peer:
            peer.sendall(b"$GPAPB,A,A" * (number * 200))
        driven.tick(float(number), HERE)
    driven.tick(100.0, HERE)
    assert all("a line is too long" in text or "closed" in text for text in driven.app.run_warnings)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("udp_out = nowhere", "expected PORT (127.0.0.1) or HOST:PORT"),
        ("tcp = 70000", "expected PORT"),
        ("sentence = RMC, XYZ", "expected RMC, GGA, GLL"),
        ("sentence = HDG", "the nearest is HDT"),
        ("sentence = HDT:0", "expected a number above 0"),
        ("source = DEPTH:X", "QUANTITY:VARIABLE, QUANTITY among LAT"),
        ("order = NMEA_XTE", "expected RECEIVED:VARIABLE"),
        ("mmsi = otter:12", "expected NAME:MMSI, nine digits"),
        ("baud = 300", "expected 4800, 9600"),
        ("ais = C", "expected one of a, b, off"),
    ],
)
def test_a_wrong_line_is_an_error_that_says_what_is_expected(
    drive: Drive, line: str, expected: str
) -> None:
    with pytest.raises(ConfigError) as error:
        drive(Nmea, line)
    assert expected in str(error.value)
    assert "test.moos:0" in str(error.value)


def test_a_port_that_is_taken_ends_the_run_with_its_number(drive: Drive) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
        with pytest.raises(CannotGoOn, match="in use"):
            drive(Nmea, f"udp_in = {port}")


def test_without_a_link_it_says_that_it_has_no_effect(drive: Drive) -> None:
    assert "no effect without udp_out" in drive(Nmea, "").app.config_warnings[0]


BLOCK = "udp_out = {out}\nudp_in = {into}\norder = NMEA_HEADING_TO_STEER:DESIRED_HEADING"
PACED = ("--warp", "20")


def plotter(out: int, into: int, send: bytes) -> Callable[[], None]:
    """Return a peer that sends each time it has heard twenty sentences, until it hears none."""

    def run() -> None:
        with heard_at(out, 15.0) as ears, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mouth:
            count = 0
            try:
                while True:
                    ears.recv(2000)
                    ears.settimeout(2.0)
                    count += 1
                    if count % 20 == 0 and send:
                        mouth.sendto(send, ("127.0.0.1", into))
            except TimeoutError:
                return

    return run


@pytest.mark.process
def test_orders_and_vessels_of_a_plotter_are_recorded_and_repeated_without_it(sail: Sail) -> None:
    out, into = free_port(), free_port()
    block = BLOCK.format(out=out, into=into)
    ship = Station(257009999, "", 59.91, 10.72, 3.0, 45.0, None)
    said = ORDER + position(ship, 1.7e9, "A", own=False)[0]
    first = sail("pNmea", block, *PACED, peer=plotter(out, into, said))
    posted = [entry for entry in first.entries() if entry.source == "pNmea"]
    headings = [float(entry.value) for entry in posted if entry.name == "DESIRED_HEADING"]
    assert headings
    assert set(headings) == {13.0}
    report = next(entry.value for entry in posted if entry.name == "NODE_REPORT")
    # 0.0025 degrees of latitude are 278.5 m at 60 degrees north.
    assert report.startswith("NAME=AIS_257009999,X=0,Y=278.5")
    again = sail("pNmea", block, "--warp", "max", "--inputs", str(first.folder / "inputs.jsonl"))
    assert again.digest == first.digest
    assert len([e for e in again.entries() if e.name == "DESIRED_HEADING"]) == len(headings)


@pytest.mark.process
def test_a_peer_that_only_listens_or_sends_garbage_changes_no_log(sail: Sail) -> None:
    out, into = free_port(), free_port()
    block = BLOCK.format(out=out, into=into)
    alone = sail("pNmea", block, "--warp", "max")
    garbage = Random(3).randbytes(900) + b"\r\n$GPAPB,A*00\r\n!AIVDM,1,1,,A,x,0*00\r\n"
    listening = sail("pNmea", block, *PACED, peer=plotter(out, into, b""))
    attacked = sail("pNmea", block, *PACED, peer=plotter(out, into, garbage))
    assert alone.digest == listening.digest == attacked.digest
    assert (alone.warnings("pNmea"), listening.warnings("pNmea")) == ([], [])
    assert "received: a sentence with a wrong checksum" in attacked.warnings("pNmea")
    # Without it the log is the same, but for the lines of its own.
    without = sail("pNmea", block, "--warp", "max", "--skip", "pNmea")
    own = ("DB_CLIENTS", "DB_RWSUMMARY", "DB_VARSUMMARY", "DB_EVENT")
    rest = [
        [
            (e.time, e.name, e.value)
            for e in one.entries()
            if e.name not in own and e.source != "pNmea"
        ]
        for one in (alone, without)
    ]
    assert rest[0] == rest[1]


@pytest.mark.process
def test_in_one_process_orders_come_in_with_a_server_only(
    sail: Sail, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steerageway.bridges.intake.PATIENCE", 0.2)
    out, into = free_port(), free_port()
    block, one = BLOCK.format(out=out, into=into), ("--placement", "one", *PACED)
    alone = sail("pNmea", block, *one, peer=plotter(out, into, ORDER))
    (warning,) = alone.warnings("pNmea")
    assert warning.startswith("nothing is taken in: this run has no server")
    monkeypatch.undo()
    served = sail("pNmea", block, *one, "--attach", peer=plotter(out, into, ORDER))
    assert served.warnings("pNmea") == []
    assert any(entry.name == "DESIRED_HEADING" for entry in served.entries())
