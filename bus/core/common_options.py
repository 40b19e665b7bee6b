"""Parameters that the block of every app may have, each declared once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from steerageway.bus.core import declare
from steerageway.bus.core.config import Config
from steerageway.bus.core.declare import Options
from steerageway.bus.core.stamps import nth, tick_period
from steerageway.declarations import Number

MAX_TICK_RATE = 10_000  # a simulated second; more than any vessel needs
MOST_EVENTS = 50  # MOOS-IvP keeps no more


def read_app_tick(text: str) -> tuple[int, int]:
    """Return the exact period of an AppTick [ns] as numerator and denominator.

    Raises:
        ValueError: the text says what was expected.
    """
    Number(above=0.0, high=MAX_TICK_RATE)(text)
    return tick_period(text.strip())


def _least_gap(config: Config, names: Sequence[str]) -> int:
    """Read MaxAppTick as the least time between two activations by mail [ns]; 0: no limit."""
    if config.number(*names, default=0.0, low=0.0) == 0.0:
        return 0
    return nth(1, tick_period(config.text(*names).strip()))


def _kept_events(config: Config, names: Sequence[str]) -> int:
    number = config.whole(*names, default=8, low=1)
    entry = config.entry(*names)
    if entry is not None and number > MOST_EVENTS:
        config.warn(entry, f"taken as {MOST_EVENTS}, the most an appcast keeps")
    return min(number, MOST_EVENTS)


@dataclass(frozen=True)
class CommonOptions(Options):
    """Parameters of every app. An app with another default subclasses this: ``App.common``."""

    tick: tuple[int, int] = declare.value(
        "5",
        read_app_tick,
        f"iterations per simulated second [Hz], > 0 and up to {MAX_TICK_RATE}",
        name="AppTick",
    )
    comms_tick: str = declare.text(
        "5", "accepted and without effect: mail comes with each iteration", name="CommsTick"
    )
    least_gap: int = declare.custom(
        _least_gap,
        "greatest rate of iterations caused by mail [Hz]; 0: no limit",
        default="0",
        name="MaxAppTick",
    )
    iterate_mode: str = declare.choice(
        "0",
        {"0": "by AppTick", "1": "by mail", "2": "by AppTick, with on_mail as mail comes"},
        name="IterateMode",
    )
    events: int = declare.custom(
        _kept_events,
        f"events kept for the appcast, 1 to {MOST_EVENTS}",
        default="8",
        name="MAX_APPCAST_EVENTS",
    )
    run_warnings: int = declare.whole(
        10, "distinct run warnings kept for the appcast", low=1, name="MAX_APPCAST_RUN_WARNINGS"
    )
    report_interval: str = declare.text(
        "0.6", "accepted and without effect: there is no terminal", name="TERM_REPORT_INTERVAL"
    )
    reporting: str = declare.text(
        "true", "accepted and without effect: there is no terminal", name="TERM_REPORTING"
    )
    sort_mail: str = declare.text(
        "true", "accepted and without effect: mail is in order", name="SortMailByTime"
    )
    command_messages: str = declare.text(
        "true", "accepted and without effect: there are none", name="CatchCommandMessages"
    )
    policy: str = declare.text("open", "accepted and without effect", name="COMMS_POLICY")
    app_logging: str = declare.text(
        "off", "accepted and without effect: there is no terminal to log", name="APP_LOGGING"
    )
    deprecated_ok: bool = declare.flag(
        False, "true: no config warning for a superseded app", name="DEPRECATED_OK"
    )
