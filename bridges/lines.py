"""Readers of lines that the blocks of several bridges have: addresses, sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from steerageway.bridges.links import Address
from steerageway.bus import Config, declare
from steerageway.declarations import decimal
from steerageway.moos.values import split_first

LOOPBACK = "127.0.0.1"


def parse_address(text: str) -> Address:
    """Read PORT, of this machine only, or HOST:PORT.

    Raises:
        ValueError: neither.
    """
    host, _, port = text.strip().rpartition(":")
    if not (number := decimal(port, 65536)) or " " in host:
        raise ValueError(f"expected PORT ({LOOPBACK}) or HOST:PORT, a port from 1 to 65535")
    return host or LOOPBACK, number


def source_lines(
    quantities: Mapping[str, str], usual: Mapping[str, str], what: str = "the variable of"
) -> Any:
    """Declare lines ``source = QUANTITY:VARIABLE``, repeatable, above the usual variables."""
    return declare.custom(
        lambda config, names: {**usual, **read_pairs(config, names, (*quantities,), "QUANTITY")},
        f"QUANTITY:VARIABLE, {what} {', '.join(quantities)}; repeatable",
        name="source",
    )


def read_pairs(
    config: Config, names: Sequence[str], known: Sequence[str], what: str
) -> dict[str, str]:
    """Read lines ``KNOWN:VARIABLE``.

    Raises:
        ConfigError: the first word is not one of the known ones, or there is no second.
    """
    found = {}
    for entry in config.all(*names):
        first, variable = split_first(entry.value, ":")
        if first.upper() not in known or len(variable.split()) != 1:
            raise Config.error(entry, f"expected {what}:VARIABLE, {what} among {', '.join(known)}")
        found[first.upper()] = variable
    return found
