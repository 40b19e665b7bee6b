"""The parameters of ``pNodeReporter``."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.communication.node_reporter.navigation import FILLING
from steerageway.bus import Config, Entry, Parameter
from steerageway.moos.node_report import NodeRecord

PARAMETERS = (
    Parameter("platform_type", "unknown", "kind of vessel (kayak, auv, ship, ...)"),
    Parameter("vessel_type", "unknown", "older name of platform_type"),
    Parameter("platform_color", "", "colour a viewer draws it in; a word"),
    Parameter("platform_length", "0", "[m], >= 0; 0: a usual length of its type"),
    Parameter("vessel_length", "0", "older name of platform_length"),
    Parameter("platform_beam", "", "[m], >= 0; reported only if given"),
    Parameter("platform_group", "", "group it belongs to"),
    Parameter("group", "", "older name of platform_group"),
    Parameter("platform_vsource", "", "where reports of it come from (ais, ...)"),
    Parameter("platform_transparency", "", "0 invisible to 1 opaque; reported only if given"),
    Parameter("platform_aspect", "", "KEY=VALUE, a field of its own in each report; repeatable"),
    Parameter("coord_policy_global", "false", "true: reports hold latitude, longitude, no X, Y"),
    Parameter("cross_fill_policy", "literal", f"missing coordinates: {', '.join(FILLING)}"),
    Parameter("crossfill_policy", "literal", "older name of cross_fill_policy"),
    Parameter("nohelm_threshold", "5", "silence after which the mode is NOHELM [s], > 0"),
    Parameter("node_report_output", "NODE_REPORT_LOCAL", "variable of the report"),
    Parameter("node_report_summary", "NODE_REPORT_LOCAL", "older name of node_report_output"),
    Parameter("node_report_var", "NODE_REPORT_LOCAL", "older name of node_report_output"),
    Parameter("plat_report_output", "PLATFORM_REPORT_LOCAL", "variable of the platform report"),
    Parameter("plat_report_input", "", "VARIABLE,gap=S,alias=NAME for that report; repeatable"),
    Parameter("plat_report_var", "", "older name of plat_report_input"),
    Parameter("platform_variable", "", "older name of plat_report_input"),
    Parameter("rider", "", "var=X,policy=always|updated|updated+S|S,rfld=F,prec=4; repeatable"),
    Parameter("blackout_interval", "0", "least time between reports [s], >= 0"),
    Parameter("blackout_variance", "0", "random change of that interval, up to this [s], >= 0"),
    Parameter("terse_reports", "false", "true: no depth, latitude, longitude, yaw"),
    Parameter("json_report", "false", "true: reports in JSON; a variable: JSON there in addition"),
    Parameter("report_cog", "false", "true: COG, from the last report's position to the present"),
    Parameter("allow_color_change", "false", "true: NODE_COLOR_CHANGE is obeyed"),
    Parameter("alt_nav_prefix", "", "prefix of a second navigation solution, reported as well"),
    Parameter("alt_nav_name", "_GT", "its vessel's name; one with _ is appended to the community"),
    Parameter("alt_nav_group", "", "its vessel's group; empty: the platform's"),
    Parameter(
        "nav_grace_period", "60", "start without warning of missing navigation [s]; -1: none"
    ),
    Parameter("extrap_enabled", "false", "true: no report while the last one still leads there"),
    Parameter("extrap_pos_thresh", "0.25", "distance up to which it does [m], >= 0"),
    Parameter("extrap_hdg_thresh", "1", "change of heading up to which it does [deg], >= 0"),
    Parameter("extrap_max_gap", "5", "time after which there is a report anyway [s], >= 0"),
    Parameter("hdg_error", "0", "added to the headings that are reported [deg]"),
    Parameter("paused", "false", "true: nothing is posted until PNR_PAUSE = false"),
)
LENGTHS = {
    **dict.fromkeys(("kayak", "mokai", "auv", "uuv"), 4.0),
    **dict.fromkeys(("glider", "heron", "swimmer", "buoy"), 3.0),
    **dict.fromkeys(("cray", "crayx", "bcray", "bcrayx"), 3.0),
    **dict.fromkeys(("usv", "smr"), 6.0),
    "ship": 8.0,
    "longship": 15.0,
}


@dataclass(frozen=True, slots=True)
class Options:
    """What the block says, but for riders and platform report; see ``PARAMETERS``."""

    global_only: bool
    filling: str
    nohelm: float
    report: str
    platform_report: str
    blackout: float
    blackout_variance: float
    terse: bool
    json: str
    cog: bool
    color_changes: bool
    alt_prefix: str
    alt_name: str
    alt_group: str
    grace: float
    extrapolates: bool
    extrap_distance: float
    extrap_turn: float
    extrap_gap: float
    heading_error: float
    paused: bool


def read_options(config: Config) -> Options:
    """Read a block.

    Raises:
        ConfigError: a line is wrong.
    """
    return Options(
        global_only=config.flag("coord_policy_global", default=False),
        filling=_read_filling(config),
        nohelm=config.number("nohelm_threshold", default=5.0, above=0.0),
        report=_name(
            config,
            *("node_report_output", "node_report_summary", "node_report_var"),
            default="NODE_REPORT_LOCAL",
        ),
        platform_report=_name(config, "plat_report_output", default="PLATFORM_REPORT_LOCAL"),
        blackout=config.number("blackout_interval", default=0.0, low=0.0),
        blackout_variance=config.number("blackout_variance", default=0.0, low=0.0),
        terse=config.flag("terse_reports", default=False),
        json=_read_json(config),
        cog=config.flag("report_cog", default=False),
        color_changes=config.flag("allow_color_change", default=False),
        alt_prefix=_read_prefix(config),
        alt_name=_name(config, "alt_nav_name", default="_GT"),
        alt_group=_name(config, "alt_nav_group"),
        grace=config.number("nav_grace_period", default=60.0),
        extrapolates=config.flag("extrap_enabled", default=False),
        extrap_distance=config.number("extrap_pos_thresh", default=0.25, low=0.0),
        extrap_turn=config.number("extrap_hdg_thresh", default=1.0, low=0.0),
        extrap_gap=config.number("extrap_max_gap", default=5.0, low=0.0),
        heading_error=config.number("hdg_error", default=0.0),
        paused=config.flag("paused", default=False),
    )


def read_record(config: Config, name: str) -> NodeRecord:
    """Read what a vessel is: everything of its record that it does not measure.

    Raises:
        ConfigError: a line is wrong.
    """
    kind = _name(config, "platform_type", "vessel_type", default="unknown")
    return NodeRecord(
        name=name,
        type=kind,
        color=_color(config),
        group=_name(config, "platform_group", "group"),
        vsource=_name(config, "platform_vsource"),
        length=_size(config, "platform_length", "vessel_length") or LENGTHS.get(kind.lower(), 0.0),
        beam=_size(config, "platform_beam"),
        transparency=_size(config, "platform_transparency", high=1.0),
        properties=_aspects(config),
    )


def _aspects(config: Config) -> dict[str, str]:
    aspects = {}
    for entry in config.all("platform_aspect"):
        key, _, value = entry.value.partition("=")
        if not key.strip() or not value.strip() or "=" in value:
            raise Config.error(entry, "expected KEY=VALUE")
        aspects[key.strip()] = value.strip()
    return dict(sorted(aspects.items()))


def _size(config: Config, *names: str, high: float | None = None) -> float | None:
    if config.entry(*names) is None:
        return None
    return config.number(*names, default=0.0, low=0.0, high=high)


def is_word(text: str) -> bool:
    """Whether a text can be a field of a report: not empty, no blanks, commas or "="."""
    return bool(text) and not any(char.isspace() or char in ",=" for char in text)


def _name(config: Config, *names: str, default: str = "") -> str:
    entry = config.entry(*names)
    if entry is None or not entry.value:
        return default
    return _checked(entry)


def _color(config: Config) -> str:
    entry = config.entry("platform_color")
    word = "" if entry is None else "".join(entry.value.split())
    return _checked(entry._replace(value=word)) if entry and word else ""


def _checked(entry: Entry) -> str:
    if not is_word(entry.value):
        raise Config.error(entry, "expected one word without blanks, commas or =")
    return entry.value


def _read_filling(config: Config) -> str:
    names = ("cross_fill_policy", "crossfill_policy")
    underscored = [policy.replace("-", "_") for policy in FILLING]
    word = config.choice(*names, default="literal", among=(*FILLING, *underscored))
    return word.replace("_", "-")


def _read_json(config: Config) -> str:
    """Give "" for no JSON, "true" for nothing else, or a variable for it."""
    word = _name(config, "json_report")
    lowered = word.lower()
    if lowered == "false":
        return ""
    return lowered if lowered == "true" else word


def _read_prefix(config: Config) -> str:
    prefix = _name(config, "alt_nav_prefix")
    return prefix + "_" if prefix and not prefix.endswith("_") else prefix
