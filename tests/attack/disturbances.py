"""What is done to a run that must not change it: stopped processes, strangers, floods, crowds."""

from __future__ import annotations

import json
import os
import signal
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import zmq
from house import Stranger
from kills import TIMEOUT, Launch

from steerageway.bus import BusError, Client, add_client, make_server, sleep, wall

MEMORY = 64 * 1024  # KiB that a flood may add to a process
LEAST_WARP = 9.0


def address_of(launch: Launch) -> str:
    """Give where a run listens, once it does."""
    file, deadline = launch.log / "run.json", wall() + TIMEOUT
    while not file.exists() and launch.process.poll() is None and wall() < deadline:
        sleep(0.01)
    return str(json.loads(file.read_text())["address"])


def pause_and_go_on(launch: Launch, chance: Random) -> None:
    """Stop processes for a moment, and let them go on."""
    for _ in range(5):
        children = sorted(launch.children().values())
        if not children:
            return
        victim = chance.choice(children)
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGSTOP)
            sleep(chance.random() * 0.5)
            os.kill(victim, signal.SIGCONT)


def strangers(launch: Launch, chance: Random) -> None:
    """Send garbage, and ask for everything and read nothing."""
    with suppress(BusError, zmq.ZMQError, AssertionError):
        address = address_of(launch)
        with Stranger(address) as garbage, Stranger(address) as deaf:
            community = json.loads((launch.log / "run.json").read_text())["communities"][0]
            deaf.send("hello", 1, "deaf", {"credit": 65536, "community": community})
            deaf.send("register", [["*", "*", 0.0, True]])
            while launch.process.poll() is None:
                for _ in range(100):
                    garbage.socket.send(chance.randbytes(chance.choice((1, 20, 3000))))
                sleep(0.02)


def flood(folder: Path, seconds: float) -> dict[str, Any]:
    """Post as fast as a run at warp 10 lets one."""
    launch = Launch(("missions/alpha", "--warp", "10"), folder)
    launch.grow_to(1)
    before, count, wrong = _memory(launch), 0, ""
    address = address_of(launch)
    with Client.connect(address, "watch", token=_token(launch)) as watch:
        with Client.connect(address, "flood", token=_token(launch), timeout=60.0) as client:
            since, began = watch.control("status")["time"], wall()
            while wall() < began + seconds:
                for _ in range(2048):
                    client.post("FLOOD", float(count))
                    count += 1
                client.fetch(0)
            client.control("status")
        warp = (watch.control("status")["time"] - since) / (wall() - began)
        more = max(0, _memory(launch) - before)
        sleep(1.0)
    launch.process.send_signal(signal.SIGINT)
    code = launch.end()
    logged = sum(path.read_bytes().count(b" FLOOD ") for path in launch.log.rglob("*.alog"))
    if code != 130 or warp < LEAST_WARP or more > MEMORY or logged != count:
        wrong = f"code {code}, warp {warp:.2f}, {more} KiB more, {logged} of {count} logged"
    told = {"messages": count, "warp": round(warp, 3), "more_kib": more}
    return {**told, "runs": 1, "wrong": wrong}


def crowd(folder: Path, number: int) -> dict[str, Any]:
    """Come in so many times at once, with CURVE keys."""
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


def _token(launch: Launch) -> str:
    return str(json.loads((launch.log / "run.json").read_text()).get("token", ""))


def _memory(launch: Launch) -> int:
    """Give the memory of the largest process of a run [KiB]."""
    sizes = [0]
    for pid in launch.children().values():
        with suppress(OSError):
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            sizes += [int(line.split()[1]) for line in lines if line.startswith("VmRSS")]
    return max(sizes)
