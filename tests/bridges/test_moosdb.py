"""The gateway to programs of MOOS: its bytes, its answers, its time, its replay, its limits."""

from __future__ import annotations

import json
import socket
import stat
import struct
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import pytest
from moos_programs import ROOT, Program, Running, close_all, eventually, log_hash, mission
from pymoos2.core.MOOSCommClient import MOOSCommClient

from steerageway.bridges.moosdb import gate, packets
from steerageway.bridges.moosdb.clock import ProgramClock, SimulatedClock
from steerageway.bridges.moosdb.packets import BadPacket, MoosMessage
from steerageway.bridges.moosdb.session import House, Leave, Session
from steerageway.bus import Client

RECORDED = json.loads((ROOT / "tests/reference/moosdb/session.json").read_text())["packets"]
EPOCH = 1767225600.0  # 2026-01-01, of simulated time zero
MACHINE = ("hostname=vm", "hostname=steerageway")


@pytest.fixture(autouse=True)
def _nothing_stays_open() -> Iterator[None]:
    yield
    close_all()


def content_of(line: dict[str, str]) -> bytes:
    return bytes.fromhex(line["bytes"]).removeprefix(packets.GREETING)


@pytest.mark.parametrize(
    "line", RECORDED, ids=lambda line: f"{line['program']} {line['direction']}"
)
def test_packets_of_a_real_moosdb_are_written_as_they_are_read(line: dict[str, str]) -> None:
    content = content_of(line)
    stream = bytearray(content)
    written = [
        packets.packet([one.packed() for one in messages])
        for messages in packets.take_packets(stream)
    ]
    assert not stream
    assert b"".join(written) == content


@pytest.mark.parametrize(
    "content",
    [
        struct.pack("<iib", -1, 1, 0),
        struct.pack("<iib", 2**31 - 1, 1, 0),
        struct.pack("<iib", 9, 1, 0),
        struct.pack("<iib", 9, -1, 0),
        struct.pack("<iib", 9, 0, 1),
        struct.pack("<iib", 12, 0, 0) + bytes(3),
        struct.pack("<iib", 63, 1, 0) + struct.pack("<iicci", 54, 0, b"N", b"D", -4) + bytes(40),
        struct.pack("<iib", 63, 1, 0) + struct.pack("<iicci", 54, 0, b"N", b"D", 99) + bytes(40),
        struct.pack("<iib", 63, 1, 0) + struct.pack("<iicci", 53, 0, b"N", b"D", 0) + bytes(40),
    ],
)
def test_packets_whose_lengths_do_not_fit_are_refused(content: bytes) -> None:
    with pytest.raises(BadPacket):
        list(packets.take_packets(bytearray(content)))


class Clockwork:
    """The clock of a program as MOOS has it: warped machine time, and a skew by its rule."""

    def __init__(self, warp: float, offset: float) -> None:
        self.warp, self.offset, self.skew = warp, offset, 0.0

    def local(self, wall: float) -> float:
        return self.offset + self.warp * wall

    def take(self, time: float, number: float, wall: float) -> None:
        correction = number - (time + self.local(wall)) / 2
        self.skew = 0.9 * self.skew + 0.1 * correction if self.skew else correction


@pytest.mark.parametrize("reached", [0.0, -40.0])
def test_the_time_of_a_program_follows_ours_when_it_slows_and_stops(reached: float) -> None:
    theirs = Clockwork(warp=10.0, offset=3e9)
    broker, told = SimulatedClock(), ProgramClock(0.0, theirs.local(0.0), 10.0)
    wall, simulated = 0.0, 0.0
    theirs.skew = told.greeted(EPOCH + reached)
    for turn in range(600):
        wall += 0.05
        # Ten simulated seconds a wall second, then five, then none.
        speed = 10.0 if turn < 200 else 5.0 if turn < 400 else 0.0
        simulated += speed * 0.05
        broker.look(wall, simulated, speed or 10.0, paused=speed == 0.0)
        correction = told.correction(wall, EPOCH + broker.at(wall))
        if correction is not None:
            theirs.take(*correction, wall)
        if turn % 20 == 0:
            told.beat(wall, theirs.local(wall))
        if turn % 200 > 20:
            assert theirs.local(wall) + theirs.skew - EPOCH == pytest.approx(simulated, abs=0.05)


@pytest.mark.process
def test_programs_get_the_answers_of_a_real_moosdb(tmp_path: Path) -> None:
    run = Running(mission(tmp_path), "--moosdb", "auto", "--warp", "20", "--for", "200")
    programs: dict[tuple[str, str], Program] = {}
    port = run.opened()
    connection = 0
    for line in RECORDED:
        if line["direction"] == "to the MOOSDB":
            content = bytes.fromhex(line["bytes"])
            connection += content.startswith(packets.GREETING)
            key = (line["program"], str(connection))
            if key not in programs:
                programs[key] = Program(port)
            if b"VAR_SUMMARY" in content:
                time.sleep(0.5)  # ours is that of the last two simulated seconds
            programs[key].socket.sendall(content)
            continue
        for messages in packets.take_packets(bytearray(content_of(line))):
            for real in messages:
                if real.kind == packets.TIMING:
                    continue
                if line["program"] == "pSecond":  # synchronous: it gets as much as it sends
                    for _ in range(5):
                        programs[key].send(MoosMessage(packets.FILLER))
                        time.sleep(0.05)
                got = programs[key].next(real.name or real.kind.decode())
                assert (got.kind, got.data, got.name) == (real.kind, real.data, real.name)
                assert got.aux == real.aux.replace(*MACHINE)
                if "SUMMARY" not in real.name:
                    assert got.text == real.text
                if real.kind == packets.NOTIFY and real.data == packets.DOUBLE:
                    assert (got.number, got.source) == (real.number, real.source)
                if real.name == "VAR_SUMMARY":
                    names = set(real.text.decode().split(","))
                    lacking = names - set(got.text.decode().split(","))
                    assert lacking == {"DB_QOS"}
    for program in programs.values():
        program.close()
    code, summary = run.ended()
    assert code == 0
    assert summary["complaints"] == [
        'MOOSDB of alpha: a connection: refused: A client of this name ("pFirst") already exists'
    ]


def heard(client: MOOSCommClient, name: str) -> Callable[[], bool]:
    """Return whether a client has mail of a variable; it is kept in ``client.mail``."""

    def has() -> bool:
        client.mail.extend(client.fetch())
        return any(one.key == name for one in client.mail)

    client.mail = []
    return has


# Its own stop() takes away the socket that its thread still reads.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.process
def test_what_a_pymoos2_program_posts_is_replayed_to_the_same_log(tmp_path: Path) -> None:
    file = mission(tmp_path)
    ends = ("--warp", "5", "--for", "40")
    run = Running(file, "--moosdb", "auto", *ends)
    client = MOOSCommClient("127.0.0.1", run.opened(), "pPython", comm_tick=50.0)
    client.register("COUNT", 1.0)
    client.wildcard_register("ANSWER*")
    client.start()
    assert client.wait_until_connected()
    has = heard(client, "ANSWER")
    client.notify("ASK", 12.5)
    client.notify("ASK_BYTES", b"\x00\xff")
    assert eventually(has)
    assert eventually(lambda: has() and sum(one.key == "COUNT" for one in client.mail) > 5)
    client.stop()
    code, summary = run.ended()
    values = {one.key: one for one in client.mail}
    assert code == 0
    assert values["ANSWER"].val == 12.5
    assert values["ANSWER_BYTES"].sval == b"\x00\xff"
    assert values["ANSWER"].src == "pCounter"
    # It registers twice at the start, and gets the present value for each.
    counts = [one.time for one in client.mail if one.key == "COUNT"]
    assert all(later - former >= 1.0 - 1e-6 for former, later in pairwise(counts[2:]))
    assert summary["paced"] == ["alpha:pPython"]
    assert not summary["deterministic"]
    again, replayed = Running(
        file, "--inputs", str(run.log), "--for", "40", "--warp", "max", log="again"
    ).ended()
    assert again == 0
    assert log_hash(replayed) == log_hash(summary)
    assert replayed["deterministic"]


@pytest.mark.process
def test_a_gateway_without_programs_changes_no_log(tmp_path: Path) -> None:
    file = mission(tmp_path)
    options = ("--warp", "max", "--for", "30")
    _, plain = Running(file, *options, log="plain").ended()
    for number, placement in enumerate(("process", "one")):
        with_gate = (*options, "--placement", placement, "--moosdb", "auto")
        code, served = Running(file, *with_gate, log=f"served{number}").ended()
        assert code == 0
        assert log_hash(served) == log_hash(plain)
        assert served["deterministic"]


@pytest.mark.process
@pytest.mark.wall
def test_nothing_that_a_program_sends_ends_a_run_and_the_summary_tells_it(tmp_path: Path) -> None:
    run = Running(mission(tmp_path), "--moosdb", "auto", "--warp", "5", "--for", "40")
    port = run.opened()
    Program(port).socket.sendall(b"GET / HTTP/1.1\r\n\r\n")
    Program(port).socket.sendall(packets.GREETING.replace(b"2/8/10", b"9/9/99"))
    taken = Program(port, "pCounter")
    assert "already exists" in taken.next("K").text.decode()
    assert "without commas" in Program(port, "a,b").next("K").text.decode()
    huge = Program(port, "pHuge")
    assert huge.next("W").community == "alpha"
    huge.socket.sendall(struct.pack("<iib", 2**31 - 1, 1, 0))
    assert {one.kind for one in huge.mail} <= {packets.TIMING}  # and then the end
    dying = Program(port, "pDying")
    dying.next("W")
    dying.socket.sendall(packets.packet([MoosMessage(packets.NOTIFY, name="X").packed()])[:-7])
    dying.close()
    wrong = Program(port, "pWrong")
    wrong.register("COUNT")
    assert wrong.next("COUNT").data == packets.DOUBLE
    wrong.post("COUNT", "no number")
    wrong.post("COUNT", float("nan"))
    wrong.post(" ", 1.0)
    wrong.send(MoosMessage(b"?", name="what"), MoosMessage(packets.REGISTER, name="\n"))
    many = [Program(port, f"pMany{number}") for number in range(50)]
    for one in many:
        one.register("COUNT")
    for one in many:
        assert one.next("COUNT").source == "pCounter"
    code, summary = run.ended()
    told = "\n".join(summary["complaints"])
    assert code == 0
    for part in (
        "a connection: not the MOOSDB protocol, or another version of it (2 times)",
        'refused: A client of this name ("pCounter") already exists',
        "pHuge: not the MOOSDB protocol: a packet of 2147483647 bytes",
        "pDying: ended in mid-message",
        "pWrong: post refused: COUNT",
        "pWrong: a message of unknown type b'?'",
        "pWrong: cannot register for '\\n'",
    ):
        assert part in told


def script(file: Path, text: str) -> None:
    """Write a program."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


OWN = f"""#!{sys.executable}
import sys, time
from pymoos2.core.MissionReader import MissionReader
from pymoos2.core.MOOSCommClient import MOOSCommClient
file, name = sys.argv[1:]
reader = MissionReader(file, name)
port = reader.get_value("ServerPort", type=int)
print(name, "warp", reader.get_value("MOOSTimeWarp"), "gain", reader.get_config("gain"), flush=True)
client = MOOSCommClient("127.0.0.1", port, name, comm_tick=50.0)
client.start()
client.wait_until_connected()
client.register("COUNT")
while True:
    for one in client.fetch():
        client.notify("DOUBLED", 2 * one.val)
        %s
    time.sleep(0.02)
"""
BLOCK = "ProcessConfig = pOwn\n{\n  gain = 4\n}\n"


@pytest.mark.process
def test_a_program_of_the_launch_list_runs_with_the_mission_and_is_replayed(tmp_path: Path) -> None:
    file = mission(tmp_path, "pOwn @ NewConsole = false", block=BLOCK)
    script(tmp_path / "bin" / "pOwn", OWN % "pass")
    options = ("--exec-path", str(tmp_path / "bin"), "--for", "20")
    code, summary = (run := Running(file, *options, "--warp", "4")).ended()
    assert code == 0
    output = (run.log / "programs" / "alpha.pOwn.txt").read_text()
    assert output.startswith("pOwn warp 4 gain 4")
    assert summary["paced"] == ["alpha:pOwn"]
    inputs = (run.log / "inputs.jsonl").read_text().splitlines()
    doubled = [one for one in map(json.loads, inputs) if one["name"] == "DOUBLED"]
    assert doubled[0]["instant"] < 8e9  # time waits for it
    assert all(one["source"] == "pOwn" for one in doubled)
    again, replayed = Running(
        file, *options, "--warp", "max", "--inputs", str(run.log), log="again"
    ).ended()
    assert again == 0
    assert log_hash(replayed) == log_hash(summary)


@pytest.mark.process
@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("#!/bin/sh\necho no licence\nexit 3\n", "exit status 3 before it connected"),
        ("#!/bin/sh\nexit 0\n", "exit status 0 before it connected"),
        (OWN % "import os; os.abort()", "ended by SIGABRT"),
    ],
    ids=["fails at once", "ends at once", "crashes"],
)
def test_a_program_that_fails_ends_the_run_and_is_named(
    tmp_path: Path, program: str, reason: str
) -> None:
    file = mission(tmp_path, "pOwn", block=BLOCK)
    script(tmp_path / "bin" / "pOwn", program)
    run = Running(file, "--exec-path", str(tmp_path / "bin"), "--for", "60", "--warp", "4")
    code, summary = run.ended()
    assert code == 1
    (failed,) = summary["failures"]
    assert failed["app"] == "pOwn"
    assert reason in failed["reason"]
    assert str(run.log / "programs" / "alpha.pOwn.txt") in failed["reason"]
    assert "no licence" in failed["reason"] or "licence" not in program


@pytest.mark.process
@pytest.mark.parametrize(
    ("runs", "options", "problem"),
    [
        (["pGone"], ["--exec-path", "."], "expected an app"),
        (["./bin/pOwn"], [], "expected an app"),  # a mission does not choose what is executed
        ([], ["--app", "pCounter=./gone"], "expected a program, there is no such file"),
        (["pOwn"], ["--exec-path", "bin", "--warp", "max"], "pOwn follow the wall clock"),
        (["pMOOSGate"], ["--config", "pMOOSGate.connect=here"], "expected HOST:PORT"),
        (["pMOOSGate"], ["--config", "pMOOSGate.conect=a:1"], "expected port, connect, send"),
        (["pMOOSGate"], ["--config", "pMOOSGate.send=X"], "expected connect = HOST:PORT"),
    ],
)
def test_a_program_or_gate_that_cannot_be_had_is_refused(
    tmp_path: Path, runs: list[str], options: list[str], problem: str
) -> None:
    file = mission(tmp_path, *runs)
    script(tmp_path / "bin" / "pOwn", OWN % "pass")
    run = Running(file, *options, "--for", "1")
    code, _ = run.ended()
    assert code == 2
    assert problem in run.said
    assert not run.log.exists()


@pytest.mark.process
def test_a_port_in_use_is_refused_before_anything_starts(tmp_path: Path) -> None:
    first = Running(mission(tmp_path), "--moosdb", "auto", "--for", "100", "--warp", "20")
    second = Running(mission(tmp_path), "--moosdb", str(first.opened()), "--for", "1", log="two")
    code, _ = second.ended()
    assert code == 2
    assert f"the MOOSDB port {first.port}: Address already in use" in second.said
    assert not second.log.exists()
    assert first.ended()[0] == 0


@pytest.mark.process
def test_variables_are_shared_with_a_live_moosdb_both_ways(tmp_path: Path) -> None:
    (far, near) = (tmp_path / "far", tmp_path / "near")
    for folder in (far, near):
        folder.mkdir()
    live = Running(mission(far), "--moosdb", "auto", "--for", "80", "--warp", "5")
    block = "ProcessConfig = pMOOSGate\n{\n  send = COUNT\n  receive = FROM_*\n}\n"
    file = mission(near, "pMOOSGate", block=block)
    connect = ("--config", f"pMOOSGate.connect=127.0.0.1:{live.opened()}")
    program = Program(live.port, "pFar")
    program.register("COUNT")
    run = Running(file, *connect, "--moosdb", "auto", "--for", "40", "--warp", "5")
    own = Program(run.opened(), "pNear")
    own.register("FROM_FAR")
    assert eventually(lambda: program.next("COUNT").source == "pMOOSGate")
    program.post("FROM_FAR", "buoy ü")
    got = own.next("FROM_FAR")
    assert (got.text.decode(), got.source, got.aux) == ("buoy ü", "pMOOSGate", "pFar")
    live.process.terminate()  # a link that breaks ends nothing
    live.ended()
    code, summary = run.ended()
    assert code == 0
    assert "connection lost: " in "\n".join(summary["complaints"])


@pytest.mark.process
@pytest.mark.wall
def test_no_message_is_lost_or_changes_its_place(tmp_path: Path) -> None:
    number = 100_000
    run = Running(mission(tmp_path), "--free-run", "--moosdb", "auto", "--for", "60")
    reader = Program(run.opened(), "pReader")
    reader.register("FLOOD")
    reader.next("W")
    writer = Program(run.port, "pWriter")
    writer.next("W")
    writer.socket.settimeout(None)
    flood = (MoosMessage(packets.NOTIFY, name="FLOOD", number=float(k)) for k in range(number))
    posts = [one.packed() for one in flood]
    received: list[float] = []
    found = reader.mail
    for start in range(0, number, 500):
        with writer.lock:
            writer.socket.sendall(packets.packet(posts[start : start + 500]))
        if start % 20_000 == 0:
            while len(received) < start:
                one = next(found)
                received += [one.number] if one.name == "FLOOD" else []
    while len(received) < number:
        one = next(found)
        received += [one.number] if one.name == "FLOOD" else []
    run.process.terminate()
    run.ended()
    assert received == [float(k) for k in range(number)]


def house(connect: Callable[[str], Client]) -> House:
    return House(
        "alpha",
        0.0,
        1.0,
        time=lambda: 0.0,
        connect=connect,
        taken=lambda name: "",
        programs=list,
        summary=lambda name: "",
        clear=lambda: None,
    )


def test_an_introduction_that_comes_byte_by_byte_is_ended() -> None:
    ours, theirs = socket.socketpair()
    session = Session(ours, house(lambda name: pytest.fail(name)), 0.0)

    def drip() -> None:
        for second, byte in enumerate(packets.GREETING):
            theirs.send(bytes((byte,)))
            session.receive(float(second))
            session.attend(float(second))

    with ours, theirs, pytest.raises(Leave, match="no introduction within 5 s"):
        drip()


def test_faults_of_invented_names_are_counted_and_not_all_kept() -> None:
    noted = house(lambda name: pytest.fail(name))
    for number in range(3000):
        noted.note(f"p{number}", "wrong")
        noted.note("pOne", f"wrong {number % 100}")
    assert noted.faults.total() == 6000
    assert len(noted.faults) < 600


def test_of_too_many_connections_the_first_without_a_name_gives_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gate, "MOST_CONNECTIONS", 3)
    door = gate.Door("alpha", 0)
    door.house = house(lambda name: pytest.fail(name))
    with ExitStack() as stack:
        stack.enter_context(door.listener)
        gone = []
        for number in range(6):
            stack.enter_context(socket.create_connection(("127.0.0.1", door.port)))
            (session,) = filter(None, [door.accept(0.0)])
            session.name = "pProgram" if number == 0 else ""
            if (other := door.one_too_many()) is not None:
                gone.append(door.sessions.index(other))
                door.leave(other, "")
        assert gone == [1, 1, 1]
        assert [one.name for one in door.sessions] == ["pProgram", "", ""]
        for session in list(door.sessions):
            door.leave(session, "")
