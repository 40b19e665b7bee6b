"""An app started by hand beside a running mission: in an IDE, a debugger, or a shell.

In lockstep the run must have reserved the app's slot (``launch.py --external NAME``); time waits
for it. In free run any app with a new name may join.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from steerageway.bus.core.errors import NoAnswer, Refused, WireError
from steerageway.bus.core.plan import AppPlan
from steerageway.bus.processes.host import Host
from steerageway.bus.transport.channel import Channel
from steerageway.bus.transport.connection import Connection
from steerageway.bus.transport.wire import PROTOCOL

TIMEOUT = 5.0  # wall seconds for the broker's reply


def serve_app(make: Callable[[Mapping[str, Any]], AppPlan], address: str) -> None:
    """Take part in a run until it ends.

    Args:
        make: builds the app, from what the broker tells of the run: ``seed``, ``epoch``, ...
        address: the broker's, "host:port".
    Raises:
        NoAnswer: no broker is at the address.
        Refused: the run has no slot for the app.
    """
    about = ask_who(address)
    plan = make(about)
    if about["mode"] == "free":
        from steerageway.bus.free.main import run_free_app

        run_free_app(plan, address)
        return
    channel = _claim(about, plan, address)
    Host({channel[1]: plan}).serve(channel[0])


def ask_who(address: str, keys: Path | None = None) -> dict[str, Any]:
    """Ask the broker at an address about its run.

    Args:
        address: "host:port".
        keys: a ``.key`` file, if the broker requires one.
    Raises:
        NoAnswer: no reply.
    """
    connection = Connection(address, keys)
    try:
        connection.send("who")
        answer = connection.receive(TIMEOUT)
    finally:
        connection.close(0)
    if answer is None or answer[0] != "broker":
        raise NoAnswer(f"{address}: no broker answers there; is the mission running?")
    return dict(answer[2])


def _claim(about: Mapping[str, Any], plan: AppPlan, address: str) -> tuple[Channel, int]:
    """Take the slot that the run reserves for the app."""
    try:
        channel = Channel.connect(about.get("apps_at", ""))
    except (OSError, WireError):
        reason = "expected an app on the run's machine, of the user who launched it"
        raise Refused(f"{address}: {reason}") from None
    channel.send("claim", PROTOCOL, plan.community, plan.name, os.getpid())
    for answer in channel.frames():
        if answer[0] == "seated":
            return channel, answer[1]
        raise Refused(f"{address}: {answer[1]}")
    raise Refused(f"{address}: the run has ended")
