"""The parameters of ``pMavlink``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from steerageway.bridges.lines import parse_address, source_lines
from steerageway.bridges.links import Address
from steerageway.bridges.mavlink.modes import Modes, read_modes
from steerageway.bridges.mavlink.telemetry import MESSAGES, QUANTITIES, read_rates
from steerageway.bus import CommonOptions, Options, declare, read_app_tick
from steerageway.moos.values import split_first

LONGEST_NAME = 16  # of a parameter
KINDS = {"boat": 11, "submarine": 12}
"""MAV_TYPE of each; source: mavlink.io, MAV_TYPE."""


@dataclass(frozen=True)
class StationTiming(CommonOptions):
    """Parameters of every app, where pMavlink has another default."""

    tick: tuple[int, int] = declare.value(
        "10",
        read_app_tick,
        "iterations a simulated second [Hz]: the most that a message is sent",
        name="AppTick",
    )


def read_parameter(text: str) -> tuple[str, str]:
    """Read NAME:VARIABLE.

    Raises:
        ValueError: it has another form.
    """
    name, variable = split_first(text, ":")
    if not 0 < len(name) <= LONGEST_NAME or not name.isascii() or len(variable.split()) != 1:
        raise ValueError(f"expected NAME:VARIABLE, a name of at most {LONGEST_NAME} characters")
    return name.upper(), variable


@dataclass(frozen=True)
class MavlinkOptions(Options):
    """Parameters of the configuration block."""

    udp: tuple[Address, ...] = declare.lines(
        parse_address, "a ground station at this PORT or HOST:PORT, as QGroundControl at 14550"
    )
    sysid: int = declare.whole(1, "system id of the vessel", low=1, high=254)
    kind: str = declare.choice("boat", {"boat": "", "submarine": ""}, "what it is shown as")
    rates: Mapping[str, float] = declare.custom(
        read_rates,
        "MESSAGE:HZ, by commas; 0 for none; repeatable",
        default=", ".join(f"{name}:{rate:g}" for name, (_, rate, _) in MESSAGES.items()),
        name="message",
    )
    updates: str = declare.word(
        "WPT_UPDATE", "variable of `updates` of the behavior that follows routes"
    )
    modes: Modes = declare.custom(
        read_modes,
        "NAME # VARIABLE=VALUE # ..: posts of a mode of Rover, of ARM or DISARM; repeatable",
        name="mode",
    )
    sources: Mapping[str, str] = source_lines(QUANTITIES, QUANTITIES)
    params: tuple[tuple[str, str], ...] = declare.lines(
        read_parameter, "NAME:VARIABLE, a parameter that stations can read", name="param"
    )
