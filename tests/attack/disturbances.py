"""Disturbances that must not change a run: stopped processes, unknown clients, floods, crowds."""

from __future__ import annotations

import json
import os
import signal
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any

import zmq
from house import RawClient
from launches import TIMEOUT, Forked, Launch, Running

from steerageway.bus import BusError, Client, add_client, make_server, sleep, wall
from steerageway.bus.core.message import LONGEST_NAME
from steerageway.bus.transport.wire import LARGEST_VALUE

MEMORY = 64 * 1024  # KiB that a flood may add to a process
FLAT = 2 * 1024  # KiB that observers may add in half of the time that they watch
WARP = 10.0
LEAST = 0.9  # of the warp that the run has in quiet moments
QUIET = 1.0  # wall seconds of posting nothing between ...
LOUD = 3.0  # ... those of posting as fast as it is taken


def address_of(launch: Launch) -> str:
    """Return where a run listens, once it does."""
    file, deadline = launch.log / "run.json", wall() + TIMEOUT
    while not file.exists() and launch.process.poll() is None and wall() < deadline:
        sleep(0.01)
    return str(json.loads(file.read_text())["address"])


def pause_and_go_on(launch: Running, rng: Random) -> None:
    """Stop processes for a moment, the launcher among them, and let them go on."""
    for _ in range(5):
        victim = rng.choice(sorted((launch.process.pid, *launch.children().values())))
        if launch.process.poll() is not None:
            return
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGSTOP)
            sleep(rng.random() * 0.3)
            os.kill(victim, signal.SIGCONT)


def unknown_clients(launch: Launch, rng: Random) -> None:
    """Send garbage, and ask for everything and read nothing."""
    with suppress(BusError, zmq.ZMQError, AssertionError):
        address = address_of(launch)
        with RawClient(address) as garbage, RawClient(address) as deaf:
            about = {"credit": 65536, "community": _community(launch), "token": token_of(launch)}
            deaf.send("hello", 1, "deaf", about)
            deaf.send("register", [["*", "*", 0.0, True]])
            while launch.process.poll() is None:
                with suppress(zmq.Again):  # it is not read any more
                    for _ in range(100):
                        frame = rng.randbytes(rng.choice((1, 20, 3000)))
                        garbage.socket.send(frame, zmq.NOBLOCK)
                sleep(0.02)


def readers(launch: Launch, rng: Random) -> None:
    """Read everything, slowly; be stopped while at it, for a moment or for ever."""
    address = address_of(launch)
    with Path(os.devnull).open("wb") as nowhere:
        found = [
            Forked(lambda whole=whole: _read(launch, address, whole), nowhere.fileno())
            for whole in (False, False, True)
        ]
    try:
        while launch.process.poll() is None:
            reader = rng.choice(found)
            reader.send_signal(signal.SIGSTOP)
            sleep(rng.random() * 0.3)
            if reader is not found[0]:
                reader.send_signal(signal.SIGCONT)
    finally:
        for reader in found:
            reader.send_signal(signal.SIGKILL)
            reader.wait()


def flood(folder: Path, seconds: float, placement: str = "process") -> dict[str, Any]:
    """Post as fast as a run at warp 10 lets one, with quiet moments to compare its speed with."""
    launch = Launch(("missions/alpha", "--warp", f"{WARP:g}", "--placement", placement), folder)
    launch.grow_to(1)
    address, token, count = address_of(launch), token_of(launch), 0
    speeds: dict[bool, list[float]] = {True: [0.0, 0.0], False: [0.0, 0.0]}
    with (
        Client.connect(address, "watch", token=token, timeout=60.0) as watch,
        Client.connect(address, "flood", token=token, timeout=60.0) as client,
    ):
        before, began, more = _memory(launch), wall(), 0
        while wall() < began + seconds:
            for loud, lasts in ((False, QUIET), (True, LOUD)):
                then, time = wall(), _time(watch)
                while wall() < then + lasts:
                    if loud:
                        for _ in range(2048):
                            client.post("FLOOD", float(count))
                            count += 1
                    else:
                        sleep(0.05)
                    client.fetch(0)
                speeds[loud][0] += _time(watch) - time
                speeds[loud][1] += wall() - then
                more = max(more, _memory(launch) - before)
        client.control("status")
    sleep(1.0)
    launch.process.send_signal(signal.SIGINT)
    code = launch.end()
    logged = sum(path.read_bytes().count(b" FLOOD ") for path in launch.log.rglob("*.alog"))
    loud, quiet = (simulated / passed for simulated, passed in (speeds[True], speeds[False]))
    record = {"messages": count, "warp": round(loud, 3), "quiet_warp": round(quiet, 3)}
    record |= {"ratio": round(loud / quiet, 3), "more_kib": more}
    well = code == 130 and loud >= LEAST * quiet and more <= MEMORY and logged == count
    wrong = "" if well else f"code {code}, {record}, {logged} logged"
    return {**record, "runs": 1, "wrong": wrong}


def watched(folder: Path, arguments: tuple[str, ...], seconds: float) -> dict[str, Any]:
    """Measure the memory of a run's largest process while observers read all and nothing.

    Half the time is for what a run keeps once; from then on it is to keep nothing more.
    """
    launch = Launch((*arguments, "--warp", "max"), folder)
    address, token, communities = address_of(launch), token_of(launch), _communities(launch)
    with ExitStack() as stack:
        clients = [
            stack.enter_context(
                Client.connect(address, name, community=community, token=token, timeout=120.0)
            )
            for community in communities
            for name in ("reader", "idle")
        ]
        for reader in clients[::2]:
            reader.register("*")
        marks, began, mail = [], wall(), 0
        for until in (0.5 * seconds, seconds):
            while wall() < began + until:
                mail += sum(len(reader.fetch(0.01)) for reader in clients[::2])
            marks.append((_memory(launch), _time(clients[0])))
    launch.process.send_signal(signal.SIGINT)
    code, ((before, since), (after, until)) = launch.end(), marks
    more, hours = after - before, (until - since) / 3600.0
    record = {"runs": 1, "messages": mail, "simulated": until, "more_kib": more}
    record["kib_per_hour"] = round(more / hours) if hours else 0
    well = code == 130 and mail > 0 and more <= FLAT
    return {**record, "wrong": "" if well else f"code {code}, {record}"}


def at_limits(folder: Path, rng: Random) -> dict[str, Any]:
    """Post values and names of sizes up to the limits and beyond, and what no log takes as it is.

    What is within the limits comes to another client whole; what is not is refused, and the run
    goes on.
    """
    launch = Launch(("missions/alpha", "--warp", "10"), folder)
    address, token, wrong, sent = address_of(launch), token_of(launch), "", 0
    with Client.connect(address, "reader", token=token, timeout=60.0) as reader:
        reader.register("LIMIT*")
        for number in range(12):
            size = rng.choice((1, 2**10, 2**16, 2**20, LARGEST_VALUE - 64)) + rng.randrange(64)
            name = (
                "LIMIT" + "N" * rng.choice((1, LONGEST_NAME - 5 - len(str(number)))) + f"{number}"
            )
            value: str | bytes = rng.choice(("x" * size, "\x00\n" * (size // 2), b"\xff" * size))
            with Client.connect(address, "poster", token=token, timeout=60.0) as poster:
                poster.post(name, value)
                with suppress(BusError):
                    poster.post(name + "N" * LONGEST_NAME, value)  # too long a name
                with suppress(BusError):
                    poster.post(f"BEYOND{number}", b"x" * (LARGEST_VALUE + 1))
                    poster.flush()
            sent, came, deadline = sent + 1, {}, wall() + 60.0
            while name not in came and wall() < deadline:
                came = {message.name: message.value for message in reader.fetch(0.1)}
            if came.get(name) != value:
                wrong = wrong or f"value {number}, {size} long, did not come as it was"
    launch.process.send_signal(signal.SIGINT)
    code = launch.end()
    orphans = launch.orphans()
    wrong = wrong or ("" if code == 130 and not orphans else f"code {code}, orphans {orphans}")
    return {"runs": 1, "messages": sent, "wrong": wrong}


def crowd(folder: Path, number: int) -> dict[str, Any]:
    """Connect this number of times at once, with CURVE keys."""
    keys = folder / "keys"
    make_server(keys)
    files = [add_client(keys, f"c{k}") for k in range(20)]
    arguments = ("missions/alpha", "--warp", "5", "--host", "127.0.0.1", "--keys", str(keys))
    launch = Launch(arguments, folder)
    address, wrong, clients = address_of(launch), "", []
    try:
        for k in range(number):
            key = files[k % len(files)]
            clients.append(Client.connect(address, f"c{k}", keys=key, timeout=30.0))
        for client in clients:
            client.register("NAV_X")
        for client in clients:
            client.control("status")
    except BusError as error:
        wrong = f"client {len(clients)}: {error}"
    for client in clients:
        client.close()
    launch.process.send_signal(signal.SIGINT)
    code = launch.end()
    return {"clients": len(clients), "wrong": wrong or ("" if code == 130 else f"code {code}")}


def _read(launch: Launch, address: str, whole: bool) -> int:
    token, community = token_of(launch), _community(launch)
    with (
        suppress(BusError),
        Client.connect(
            address, "reader", community=community, whole=whole, token=token, timeout=20.0
        ) as client,
    ):
        client.register("*")
        while not client.ended:
            client.fetch(0.1)
            sleep(0.05)
    return 0


def _time(client: Client) -> float:
    return float(client.control("status")["time"])


def token_of(launch: Launch) -> str:
    """Return the token clients of a run must send."""
    return str(json.loads((launch.log / "run.json").read_text()).get("token", ""))


def _community(launch: Launch) -> str:
    return str(json.loads((launch.log / "run.json").read_text())["communities"][0])


def _communities(launch: Launch) -> list[str]:
    communities: list[str] = json.loads((launch.log / "run.json").read_text())["communities"]
    return communities


def _memory(launch: Launch) -> int:
    """Return the memory of the largest process of a run [KiB]."""
    sizes = [0]
    for pid in (launch.process.pid, *launch.children().values()):
        with suppress(OSError):
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            sizes += [int(line.split()[1]) for line in lines if line.startswith("VmRSS")]
    return max(sizes)
