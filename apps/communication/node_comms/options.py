"""The parameters of ``uFldNodeComms``, and their parsers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf

from steerageway.apps.communication.node_comms.acoustic import AcousticOptions
from steerageway.apps.shared.block_readers import parse_reach
from steerageway.bus import Options, declare
from steerageway.declarations import Doubted, Number, field_of, truth
from steerageway.moos.values import by_key
from steerageway.moos.view import color_of

SHARE_INTERVAL = 0.1  # with shared_node_reports = true [s]
FACTORS = {"stealth": Number(low=0.0, high=1.0), "earange": Number(low=1.0)}


def parse_factor(text: str, key: str) -> tuple[str, float]:
    """Parse ``vname=V,stealth=0.5`` or ``vname=V,earange=2``.

    Args:
        key: stealth or earange.
    Returns: the vessel in lower case, and the factor.
    Raises:
        ValueError: what was expected.
    """
    fields = by_key(text)
    if key == "earange" and "earrange" in fields:
        fields.setdefault(key, fields["earrange"])
    if not fields.get("vname"):
        raise ValueError(f"expected vname=NAME,{key}=FACTOR")
    return fields["vname"].lower(), field_of(fields, key, FACTORS[key])


def parse_share_interval(text: str) -> float:
    """Parse true, false or an interval [s]; false gives inf.

    Raises:
        ValueError: what was expected.
    """
    shared = truth(text)
    if shared is None:
        return Number(low=0.0, words={"true": SHARE_INTERVAL, "false": inf})(text)
    return SHARE_INTERVAL if shared else inf


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
        "100", parse_reach, "range of reports and messages [m]; below 0 or nolimit: unlimited"
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
