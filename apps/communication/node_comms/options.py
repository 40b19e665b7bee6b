"""The parameters of ``uFldNodeComms``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

from steerageway.apps.framework.block_readers import read_color
from steerageway.bus import Config, Parameter, parse_number
from steerageway.moos.values import by_key, is_number, truth

SHARE_INTERVAL = 0.1  # of reports that are shared with no interval given [s]

PARAMETERS = (
    Parameter("comms_range", "100", "reports and messages reach so far [m]; below 0, nolimit: all"),
    Parameter("critical_range", "30", "within this range every report passes [m], >= 0"),
    Parameter("stealth", "", "vname=V,stealth=S: V is heard S times as far, 0 to 1; repeatable"),
    Parameter("earange", "", "vname=V,earange=E: V hears E times as far, >= 1; repeatable"),
    Parameter("groups", "false", "true: reports pass within a group only"),
    Parameter("msg_groups", "false", "true: messages pass within a group only"),
    Parameter("stale_time", "5", "who was silent longer gets nothing [s]; below 0: who ever spoke"),
    Parameter("min_rpt_interval", "-1", "least time between two reports of a pair [s]; -1: none"),
    Parameter("min_msg_interval", "30", "least time between two messages of a vessel [s], >= 0"),
    Parameter("max_msg_length", "1000", "longest text a message may carry; 0: any"),
    Parameter("drop_percentage", "0", "share of what would pass that is lost [%], 0 to 100"),
    Parameter("comms_delay", "0", "how late everything arrives [s], >= 0; our own"),
    Parameter("view_node_rpt_pulses", "true", "false: no pulses for reports"),
    Parameter("pulse_duration", "10", "how long a pulse is drawn [s]; 0: no pulses"),
    Parameter("msg_color", "white", "colour of the pulse of a message"),
    Parameter("msg_repeat_color", "light_green", "the same of a message that was sent before"),
    Parameter("shared_node_reports", "false", "true, or every so many s: NODE_REPORT_UNC, too"),
    Parameter("verbose", "false", "true: the appcast tells of each report that does not pass"),
    Parameter("debug", "false", "another name of verbose"),
)


@dataclass(frozen=True, slots=True)
class Options:
    """What the block says; see ``PARAMETERS``. A range or an age without a limit is ``inf``.

    Attributes:
        stealth, earange: by vessel, in lower case.
        share_interval: of NODE_REPORT_UNC; inf: none.
    """

    range: float
    critical_range: float
    stealth: Mapping[str, float]
    earange: Mapping[str, float]
    groups: bool
    message_groups: bool
    stale_time: float
    report_interval: float
    message_interval: float
    longest_message: int
    loss: float
    delay: float
    report_pulses: bool
    pulse_duration: float
    message_color: str
    repeat_color: str
    share_interval: float
    verbose: bool


def read_options(config: Config) -> Options:
    """Read the block.

    Raises:
        ConfigError: a line is wrong.
    """
    stale_time = config.number("stale_time", default=5.0)
    return Options(
        range=_range(config),
        critical_range=config.number("critical_range", default=30.0, low=0.0),
        stealth=_factors(config, "stealth"),
        earange=_factors(config, "earange"),
        groups=config.flag("groups", default=False),
        message_groups=config.flag("msg_groups", default=False),
        stale_time=stale_time if stale_time >= 0 else inf,
        report_interval=config.number("min_rpt_interval", default=-1.0),
        message_interval=config.number("min_msg_interval", default=30.0, low=0.0),
        longest_message=config.whole("max_msg_length", default=1000, low=0),
        loss=config.number("drop_percentage", default=0.0, low=0.0, high=100.0) / 100.0,
        delay=config.number("comms_delay", default=0.0, low=0.0),
        report_pulses=config.flag("view_node_rpt_pulses", default=True),
        pulse_duration=config.number("pulse_duration", default=10.0),
        message_color=read_color(config, "msg_color", default="white"),
        repeat_color=read_color(config, "msg_repeat_color", default="light_green"),
        share_interval=_share_interval(config),
        verbose=config.flag("verbose", "debug", default=False),
    )


def parse_factor(text: str, key: str) -> tuple[str, float]:
    """Read ``vname=V,stealth=0.5`` or ``vname=V,earange=2``.

    Args:
        key: stealth or earange.
    Returns: the vessel in lower case, and the factor.
    Raises:
        ValueError: what was expected.
    """
    fields = by_key(text)
    factor = fields.get(key, fields.get("earrange", "") if key == "earange" else "")
    low, high, expected = (0.0, 1.0, "0 to 1") if key == "stealth" else (1.0, inf, "1 or more")
    if not fields.get("vname") or not is_number(factor) or not low <= float(factor) <= high:
        raise ValueError(f"expected vname=NAME,{key}=FACTOR with a factor of {expected}")
    return fields["vname"].lower(), float(factor)


def parse_share_interval(text: str) -> float:
    """Read true, false or seconds; inf for false.

    Raises:
        ValueError: what was expected.
    """
    if is_number(text) and float(text) >= 0:
        return float(text)
    shared = truth(text)
    if shared is None:
        raise ValueError("expected true, false, or an interval in seconds, 0 or more")
    return SHARE_INTERVAL if shared else inf


def _range(config: Config) -> float:
    entry = config.entry("comms_range")
    if entry is None:
        return 100.0
    if entry.value.strip().lower() == "nolimit":
        return inf
    number = parse_number(entry)
    return number if number >= 0 else inf


def _factors(config: Config, key: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for entry in config.all(key):
        try:
            vessel, factor = parse_factor(entry.value, key)
        except ValueError as error:
            raise Config.error(entry, str(error)) from error
        found.setdefault(vessel, factor)
    return found


def _share_interval(config: Config) -> float:
    entry = config.entry("shared_node_reports")
    if entry is None:
        return inf
    try:
        return parse_share_interval(entry.value.strip())
    except ValueError as error:
        raise Config.error(entry, str(error)) from error
