"""The parameters of ``uFldNodeComms``, and their parsers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf

from steerageway.apps.communication.node_comms.acoustic import AcousticOptions
from steerageway.bus import Options, declare
from steerageway.declarations import Doubted, truth
from steerageway.moos.values import by_key, is_number
from steerageway.moos.view import color_of

SHARE_INTERVAL = 0.1  # with shared_node_reports = true [s]


def parse_factor(text: str, key: str) -> tuple[str, float]:
    """Parse ``vname=V,stealth=0.5`` or ``vname=V,earange=2``.

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
    """Parse true, false or an interval [s]; false gives inf.

    Raises:
        ValueError: what was expected.
    """
    if is_number(text) and float(text) >= 0:
        return float(text)
    shared = truth(text.strip())
    if shared is None:
        raise ValueError("expected true, false, or an interval in seconds, 0 or more")
    return SHARE_INTERVAL if shared else inf


def parse_range(text: str) -> float:
    """Parse a range [m]; a negative number and nolimit give inf.

    Raises:
        ValueError: what was expected.
    """
    if text.strip().lower() == "nolimit":
        return inf
    if not is_number(text):
        raise ValueError("expected a number, or nolimit")
    return float(text) if float(text) >= 0 else inf


def _factor(key: str) -> Callable[[str], tuple[str, float]]:
    def read(text: str) -> tuple[str, float]:
        return parse_factor(text, key) if "=" in text else ("", 1.0)

    def about(text: str) -> Iterator[str]:
        if "=" not in text:
            yield f"expected vname=NAME,{key}=FACTOR; as in MOOS-IvP, this line has no effect"

    return Doubted(read, about)


@dataclass(frozen=True)
class CommsOptions(Options):
    """Parameters of the configuration block."""

    comms_range: float = declare.value(
        "100", parse_range, "range of reports and messages [m]; below 0 or nolimit: unlimited"
    )
    critical_range: float = declare.number(
        30, "range within which every report passes", unit="m", low=0
    )
    stealth: tuple[tuple[str, float], ...] = declare.lines(
        _factor("stealth"), "vname=V,stealth=S: factor on the range of reports from V, 0 to 1"
    )
    earange: tuple[tuple[str, float], ...] = declare.lines(
        _factor("earange"), "vname=V,earange=E: factor on the range of reports to V, 1 or more"
    )
    groups: bool = declare.flag(False, "true: reports pass only within a group")
    msg_groups: bool = declare.flag(False, "true: messages pass only within a group")
    stale_time: float = declare.number(
        5, "time without reports after which a vessel receives nothing; below 0: no limit", unit="s"
    )
    min_rpt_interval: float = declare.number(
        -1, "minimum time between two reports of a pair of vessels; -1: none", unit="s"
    )
    min_msg_interval: float = declare.number(
        30, "minimum time between two messages of a vessel", unit="s", low=0, minus=True
    )
    max_msg_length: int = declare.whole(
        1000, "maximum length of a message's text [characters]; 0: unlimited", low=0
    )
    drop_percentage: float = declare.number(
        0, "percentage of reports and messages lost at random", unit="%", low=0, high=100
    )
    comms_delay: float = declare.number(
        0, "delay of all deliveries; not in MOOS-IvP", unit="s", low=0
    )
    view_node_rpt_pulses: bool = declare.flag(True, "draw a pulse for each report")
    pulse_duration: float = declare.number(10, "duration of a pulse; 0: no pulses", unit="s")
    msg_color: str = declare.value("white", color_of, "colour of a message's pulse")
    msg_repeat_color: str = declare.value(
        "light_green", color_of, "colour of the pulse of a repeated message"
    )
    shared_node_reports: float = declare.value(
        "false", parse_share_interval, "true, or the minimum interval [s]: post NODE_REPORT_UNC"
    )
    acoustic: AcousticOptions = declare.group(AcousticOptions)
    verbose: bool = declare.flag(
        False, "true: list each report that does not pass in the appcast", aliases=("debug",)
    )

    @property
    def stale_after(self) -> float:
        """Time [s] without reports after which a vessel receives nothing; inf: no limit."""
        return self.stale_time if self.stale_time >= 0 else inf
