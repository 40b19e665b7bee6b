"""The parameters that ``pRos2`` and ``pRosBridge`` share: tables of topics, and names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from steerageway.bridges.ros.topics import (
    OWN,
    TABLES,
    Incoming,
    Outgoing,
    parse_incoming,
    parse_outgoing,
)
from steerageway.bus import Config, Options, declare
from steerageway.diagnostics.nearest import hint


class Tables(NamedTuple):
    """What comes in and goes out.

    Attributes:
        incoming, outgoing: the lines, those of ready-made tables first.
        everything: whether all made messages go out, also those without a line.
    """

    incoming: Sequence[Incoming]
    outgoing: Sequence[Outgoing]
    everything: bool


def parse_mapping(text: str) -> Sequence[str]:
    """Read names of ready-made tables, by commas.

    Raises:
        ValueError: there is no such table.
    """
    words = [word.strip().lower() for word in text.split(",")]
    for word in words:
        if word not in TABLES:
            raise ValueError(f"expected {', '.join(TABLES)}{hint(word, TABLES)}")
    return words


@dataclass(frozen=True)
class TableOptions(Options):
    """The lines of a block."""

    mapping: Sequence[Sequence[str]] = declare.lines(
        parse_mapping,
        f"ready-made tables of topics, by commas: {', '.join(TABLES)}; own stands for all messages"
        " under their own names, and is what goes out unless another table says otherwise",
    )
    topic: Sequence[Incoming] = declare.lines(
        parse_incoming,
        "TOPIC [TYPE [MEMBER]] : VARIABLE [* FACTOR], take a topic in as a variable, as"
        " /wamv/thrusters/left/thrust : DESIRED_THRUST_L",
    )
    publish: Sequence[Outgoing] = declare.lines(
        parse_outgoing,
        "VARIABLE : TOPIC [TYPE [MEMBER]] [* FACTOR], publish a variable; or MESSAGE : TOPIC,"
        " publish a message, as pose or imu, under another name",
    )


def read_tables(config: Config) -> Tables:
    """Read the lines ``mapping``, ``topic`` and ``publish``.

    Raises:
        ConfigError: a line is wrong, or a topic has two types.
    """
    lines = TableOptions.read(config)
    chosen = [name for names in lines.mapping for name in names]
    incoming = [parse_incoming(line) for name in chosen for line in TABLES[name][0]]
    outgoing = [parse_outgoing(line) for name in chosen for line in TABLES[name][1]]
    kinds = {rule.topic: rule.kind for rule in incoming}
    for entry, rule in zip(config.all("topic"), lines.topic, strict=True):
        before = kinds.setdefault(rule.topic, rule.kind)
        if before != rule.kind:
            raise Config.error(entry, f"expected {before}, as in another line for {rule.topic}")
    everything = OWN in chosen or not outgoing
    return Tables((*incoming, *lines.topic), (*outgoing, *lines.publish), everything)


@dataclass(frozen=True)
class RosOptions(Options):
    """Parameters of the configuration block that do not depend on the transport."""

    tables: Tables = declare.group(TableOptions, read=read_tables)
    namespace: str = declare.text(
        "", "namespace of topics without a leading slash (default: the community's name)"
    )
    clock: bool = declare.flag(True, "false: do not publish /clock, as another vessel does")
    services: bool = declare.flag(
        False,
        "true: answer the services reset, pause, resume, step and set_warp: anybody who reaches the"
        " transport may then control the run",
    )
    reset: str = declare.text(
        "x=0,y=0,heading=0,speed=0,depth=0", "what the service reset posts as USM_RESET"
    )
