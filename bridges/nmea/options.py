"""The parameters of ``pNmea``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from steerageway.bridges.lines import parse_address, read_pairs, source_lines
from steerageway.bridges.links import Address
from steerageway.bridges.nmea.received import PUBLICATIONS
from steerageway.bridges.nmea.sentences import QUANTITIES, SENTENCES
from steerageway.bus import Config, Options, declare
from steerageway.declarations import Number
from steerageway.diagnostics.nearest import hint
from steerageway.moos.values import split_first

USUAL = ("RMC", "GGA", "VTG", "HDT", "VHW", "ROT", "DPT", "MWV", "RSA")
BAUDS = ("4800", "9600", "38400", "115200")
OFF = "off"
_rate = Number(above=0.0, high=100.0)


def parse_mmsi(text: str) -> tuple[str, int]:
    """Read NAME:MMSI.

    Raises:
        ValueError: it has another form.
    """
    name, number = split_first(text, ":")
    if not name or not (number.isascii() and number.isdecimal() and len(number) == 9):
        raise ValueError("expected NAME:MMSI, nine digits, as otter:257001234")
    return name.lower(), int(number)


def read_sentences(config: Config, names: Sequence[str]) -> Mapping[str, float]:
    """Read ``RMC, HDT:10``: sentence -> rate [Hz], in the order given.

    Raises:
        ConfigError: a sentence is unknown, or a rate wrong.
    """
    rates: dict[str, float] = {}
    for entry in config.all(*names):
        for part in filter(None, (one.strip() for one in entry.value.split(","))):
            name, _, rate = part.partition(":")
            kind = name.strip().upper()
            if kind not in SENTENCES:
                known = f"expected {', '.join(SENTENCES)}{hint(kind, SENTENCES)}"
                raise Config.error(entry, known)
            try:
                rates[kind] = _rate(rate) if rate else 1.0
            except ValueError as error:
                raise Config.error(entry, f"{part}: {error}") from error
    return rates or dict.fromkeys(USUAL, 1.0)


def _orders(config: Config, names: Sequence[str]) -> dict[str, str]:
    numbers = tuple(one.name for one in PUBLICATIONS)
    return read_pairs(config, names, numbers, "RECEIVED")


@dataclass(frozen=True)
class NmeaOptions(Options):
    """Parameters of the configuration block."""

    udp_out: tuple[Address, ...] = declare.lines(
        parse_address, "send datagrams to this PORT or HOST:PORT"
    )
    udp_in: tuple[Address, ...] = declare.lines(
        parse_address, "receive datagrams at this PORT or HOST:PORT"
    )
    tcp: tuple[Address, ...] = declare.lines(
        parse_address, "serve clients at this PORT or HOST:PORT: they receive, and may send"
    )
    serial: tuple[Path, ...] = declare.lines(
        lambda text: Path(text.strip()),
        "a serial device; where there is none, a pseudo-terminal is made and linked there",
    )
    baud: int | None = declare.value(
        OFF,
        lambda text: _baud(text),
        f"speed of the line: {', '.join(BAUDS)} or off; sentences that do not fit are left out",
    )
    sentences: Mapping[str, float] = declare.custom(
        read_sentences,
        "sentences to send, as RMC or HDT:10 with a rate [Hz] (1), the most important first,"
        " by commas; repeatable",
        default=", ".join(USUAL),
        name="sentence",
    )
    talker: str = declare.text("", "talker id of all sentences (default: that of each kind)")
    sources: Mapping[str, str] = source_lines(QUANTITIES, QUANTITIES)
    orders: Mapping[str, str] = declare.custom(
        _orders,
        "RECEIVED:VARIABLE, post a received value also under this name, as"
        " NMEA_HEADING_TO_STEER:DESIRED_HEADING; repeatable",
        name="order",
    )
    ais: str = declare.choice(
        "a", {"a": "", "b": "", OFF: "none"}, "class of the AIS reports of this and other vessels"
    )
    mmsi: tuple[tuple[str, int], ...] = declare.lines(
        parse_mmsi, "NAME:MMSI of a vessel (default: 299, and six digits made of the name)"
    )


def _baud(text: str) -> int | None:
    word = text.strip().lower()
    if word == OFF:
        return None
    if word not in BAUDS:
        raise ValueError(f"expected {', '.join(BAUDS)} or {OFF}")
    return int(word)
