"""Parameters of the block ``pMOOSGate``."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.bus import Options, declare


@dataclass(frozen=True)
class GateOptions(Options):
    """Parameters of the configuration block."""

    port: int | None = declare.custom(
        lambda config, names: config.whole(*names, default=0, low=1, high=65535) or None,
        "port of this machine at which programs of MOOS find the community's variables; "
        "without it the file's ServerPort",
    )
    connect: str = declare.word("", "HOST:PORT of a live MOOSDB with which variables are shared")
    send: tuple[str, ...] = declare.words("", "variables and patterns that go to it")
    receive: tuple[str, ...] = declare.words("", "variables and patterns that come from it")
