"""The parameters of ``pNodeReporter``, and their parsers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from steerageway.apps.communication.node_reporter.navigation import CROSS_FILL_POLICIES
from steerageway.apps.communication.node_reporter.platform_report import (
    PlatformInput,
    read_platform_inputs,
)
from steerageway.apps.communication.node_reporter.riders import Rider, read_riders
from steerageway.bus import Options, declare
from steerageway.moos.node_report import NodeRecord

LENGTHS = {
    **dict.fromkeys(("kayak", "mokai", "auv", "uuv"), 4.0),
    **dict.fromkeys(("glider", "heron", "swimmer", "buoy"), 3.0),
    **dict.fromkeys(("cray", "crayx", "bcray", "bcrayx"), 3.0),
    **dict.fromkeys(("usv", "smr"), 6.0),
    "ship": 8.0,
    "longship": 15.0,
}


def is_word(text: str) -> bool:
    """Whether a text is valid as a field of a report: not empty, no blanks, commas or "="."""
    return bool(text) and not any(char.isspace() or char in ",=" for char in text)


def word_or(default: str) -> Callable[[str], str]:
    """Return a parser of one word, which returns a default for an empty text.

    It raises ValueError if the word cannot be a field of a report.
    """

    def parse(text: str) -> str:
        if text and not is_word(text):
            raise ValueError("expected one word without blanks, commas or =")
        return text or default

    return parse


parse_word = word_or("")


def parse_color(text: str) -> str:
    """Parse a colour; blanks are removed."""
    return parse_word("".join(text.split()))


def parse_aspect(text: str) -> tuple[str, str]:
    """Parse ``KEY=VALUE``.

    Raises:
        ValueError: the text has another form.
    """
    key, _, value = text.partition("=")
    if not key.strip() or not value.strip() or "=" in value:
        raise ValueError("expected KEY=VALUE")
    return key.strip(), value.strip()


def parse_cross_fill(text: str) -> str:
    """Parse a cross-fill policy; blanks, _ and - are equivalent.

    Raises:
        ValueError: it is unknown.
    """
    policy = text.strip().lower().replace("_", "-")
    if policy not in CROSS_FILL_POLICIES:
        raise ValueError(f"expected one of {', '.join(CROSS_FILL_POLICIES)}")
    return policy


def parse_json(text: str) -> str:
    """Parse ``json_report``: "" for no JSON, "true" for JSON only, or an additional variable."""
    word = parse_word(text)
    if word.lower() == "false":
        return ""
    return word.lower() if word.lower() == "true" else word


def parse_prefix(text: str) -> str:
    """Parse a prefix of variables; an underscore is appended if it is missing."""
    prefix = parse_word(text)
    return prefix + "_" if prefix and not prefix.endswith("_") else prefix


@dataclass(frozen=True)
class ReporterOptions(Options):
    """Parameters of the configuration block."""

    platform_type: str = declare.value(
        "unknown",
        word_or("unknown"),
        "kind of vessel (kayak, auv, ship, ...)",
        aliases=("vessel_type",),
    )
    platform_color: str | None = declare.value("", parse_color, "colour in viewers; one word")
    platform_length: float = declare.number(
        0,
        "length of the vessel; 0: a typical length of its type",
        unit="m",
        low=0,
        aliases=("vessel_length",),
    )
    platform_beam: float | None = declare.number(
        None, "beam of the vessel; reported only if set", unit="m", low=0
    )
    platform_group: str | None = declare.value(
        "", parse_word, "group of the vessel", aliases=("group",)
    )
    platform_vsource: str | None = declare.value(
        "", parse_word, "source of the vessel's reports (ais, ...)"
    )
    platform_transparency: float | None = declare.number(
        None,
        "opacity in viewers; 0: invisible, 1: opaque; reported only if set",
        low=0,
        high=1,
    )
    platform_aspect: tuple[tuple[str, str], ...] = declare.lines(
        parse_aspect, "KEY=VALUE, an additional field of each report"
    )
    coord_policy_global: bool = declare.flag(
        False, "true: reports contain latitude and longitude without X and Y"
    )
    cross_fill_policy: str = declare.value(
        "literal",
        parse_cross_fill,
        f"cross-fill of missing coordinates: {', '.join(CROSS_FILL_POLICIES)}",
        aliases=("crossfill_policy",),
    )
    nohelm_threshold: float = declare.number(
        5, "time without helm mail after which the mode is NOHELM", unit="s", above=0
    )
    node_report_output: str = declare.value(
        "NODE_REPORT_LOCAL",
        word_or("NODE_REPORT_LOCAL"),
        "variable of the report",
        aliases=("node_report_summary", "node_report_var"),
    )
    plat_report_output: str = declare.value(
        "PLATFORM_REPORT_LOCAL",
        word_or("PLATFORM_REPORT_LOCAL"),
        "variable of the platform report",
    )
    plat_report_input: list[PlatformInput] = declare.custom(
        read_platform_inputs,
        "VARIABLE,gap=S,alias=NAME: an input of the platform report; repeatable",
        aliases=("plat_report_var", "platform_variable"),
    )
    rider: list[Rider] = declare.custom(
        read_riders, "var=X,policy=always|updated|updated+S|S,rfld=F,prec=4; repeatable"
    )
    blackout_interval: float = declare.number(0, "minimum time between reports", unit="s", low=0)
    blackout_variance: float = declare.number(
        0, "maximum random change of blackout_interval", unit="s", low=0
    )
    terse_reports: bool = declare.flag(
        False, "true: reports without depth, latitude, longitude and yaw"
    )
    json_report: str = declare.value(
        "false", parse_json, "true: reports in JSON; a variable: JSON in that variable in addition"
    )
    report_cog: bool = declare.flag(
        False, "true: report COG, the course from the last reported position"
    )
    allow_color_change: bool = declare.flag(False, "true: accept NODE_COLOR_CHANGE")
    alt_nav_prefix: str | None = declare.value(
        "", parse_prefix, "variable prefix of a second navigation solution, reported as well"
    )
    alt_nav_name: str = declare.value(
        "_GT",
        word_or("_GT"),
        "vessel name in these reports; with a leading _, appended to the community",
    )
    alt_nav_group: str | None = declare.value(
        "", parse_word, "vessel group in these reports; empty: the platform's"
    )
    nav_grace_period: float = declare.number(
        60, "time after the start without a warning of missing navigation; -1: none", unit="s"
    )
    extrap_enabled: bool = declare.flag(
        False, "true: no report while extrapolation of the last one is accurate enough"
    )
    extrap_pos_thresh: float = declare.number(
        0.25, "position error up to which extrapolation is accurate enough", unit="m", low=0
    )
    extrap_hdg_thresh: float = declare.number(
        1, "heading change up to which extrapolation is accurate enough", unit="deg", low=0
    )
    extrap_max_gap: float = declare.number(
        5, "maximum time between reports with extrap_enabled", unit="s", low=0
    )
    hdg_error: float = declare.number(0, "error added to reported headings", unit="deg")
    paused: bool = declare.flag(False, "true: post no reports until PNR_PAUSE = false")

    def record(self, name: str) -> NodeRecord:
        """Return a vessel's node record with all fields that are not measured."""
        kind = self.platform_type
        return NodeRecord(
            name=name,
            type=kind,
            color=self.platform_color or "",
            group=self.platform_group or "",
            vsource=self.platform_vsource or "",
            length=self.platform_length or LENGTHS.get(kind.lower(), 0.0),
            beam=self.platform_beam,
            transparency=self.platform_transparency,
            properties=dict(sorted(dict(self.platform_aspect).items())),
        )
