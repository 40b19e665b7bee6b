"""The parameters of ``pArduPilot``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from steerageway.bridges.ardupilot.servos import USUAL, Servo, read_servo
from steerageway.bridges.ardupilot.state import QUANTITIES
from steerageway.bridges.lines import parse_address, source_lines
from steerageway.bridges.links import Address
from steerageway.bus import CommonOptions, Config, Options, declare, read_app_tick

PORT = "9002"  # to which the firmware sends


@dataclass(frozen=True)
class FrameTiming(CommonOptions):
    """Parameters of every app, where pArduPilot has another default."""

    tick: tuple[int, int] = declare.value(
        "50",
        read_app_tick,
        "most frames a simulated second [Hz]; each needs a new state of the vessel",
        name="AppTick",
    )


def _servos(config: Config, names: Sequence[str]) -> tuple[Servo, ...]:
    found: dict[str, Servo] = {}
    for entry in config.all(*names):
        servo = config.read(entry, read_servo)
        if servo.order in found:
            raise Config.error(entry, f"{servo.order} has a line already: expected one for each")
        found[servo.order] = servo
    return tuple(found.values()) or USUAL


@dataclass(frozen=True)
class ArduPilotOptions(Options):
    """Parameters of the configuration block."""

    listen: Address = declare.value(
        PORT, parse_address, "PORT or HOST:PORT at which the firmware's servo packets arrive"
    )
    servos: tuple[Servo, ...] = declare.custom(
        _servos,
        "channel=1, order=DESIRED_RUDDER, low=-100, high=100, min=1000, trim=1500, max=2000,"
        " idle=0: a servo output, and the variable posted for it; repeatable (steering on channel 1"
        " to DESIRED_RUDDER, throttle on 3 to DESIRED_THRUST)",
        name="servo",
    )
    sources: Mapping[str, str] = source_lines(QUANTITIES, {}, "a sensor in place of the true")
    on_restart: str = declare.choice(
        "reset",
        {"reset": "the vessel is put back to where the firmware began", "keep": "it stays"},
        "when the firmware is started again",
    )
    patience: float = declare.number(
        8.0, "silence of the firmware that ends the run", unit="s of wall time", above=0.0
    )
