"""``pNodeReporter``: publishes a vessel's node report, its rider fields and the platform report.

Corrected bugs of MOOS-IvP: a blackout ended with the first report; a rider that was not due left
an empty field; coordinates filled in by policy fill-empty were never updated; the extent of a
mission was reset with each repetition of its hash.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from math import hypot, inf

from steerageway.apps.communication.node_reporter.handlers import Handler, Handlers, HelmWatch
from steerageway.apps.communication.node_reporter.navigation import Navigation, Sighting
from steerageway.apps.communication.node_reporter.options import ReporterOptions, is_word
from steerageway.apps.communication.node_reporter.platform_report import PlatformReport
from steerageway.apps.shared import heard
from steerageway.apps.shared.datum import read_datum
from steerageway.bus import App, Message, Value, variables
from steerageway.declarations import truth
from steerageway.geometry.geodesy import TOO_FAR
from steerageway.moos.node_report import Fields, NodeRecord, write, write_json
from steerageway.moos.values import pairs, trimmed

ALT_TIMEOUT = 5.0
NO_NAVIGATION = "Waiting for NAV_X/Y or NAV_LAT/LONG"

MIN_STEP = 1.0
MIN_GROWTH = 1.02


class Appearance:
    """Updates a vessel's own record, and the fields its second navigation's record shares with it.

    Attributes:
        handlers: variable -> its handler.
    """

    def __init__(self, own: NodeRecord, alt: NodeRecord, *, color_changes: bool) -> None:
        self._own, self._alt, self._both = own, alt, (own, alt)
        self.handlers: Handlers = {
            "PLATFORM_COLOR": self._take_color,
            "NODE_NAME_UPDATE": self._take_name,
            "NODE_GROUP_UPDATE": self._take_group,
            "AUX_MODE": self._take_aux_mode,
            "LOAD_WARNING": self._take_load_warning,
            "THRUST_MODE_REVERSE": self._take_reverse,
            "NAV_TRAJECTORY": self._take_trajectory,
        }
        if color_changes:
            self.handlers["NODE_COLOR_CHANGE"] = self._take_color

    def _take_color(self, value: Value, _now: float) -> None:
        if not is_word(str(value)):
            raise ValueError("expected a colour, one word")
        for record in self._both:
            record.color = str(value)

    def _take_name(self, value: Value, _now: float) -> None:
        name, before = str(value), self._own.name
        if not is_word(name):
            raise ValueError("expected a name, one word")
        if self._alt.name.startswith(f"{before}_"):
            self._alt.name = name + self._alt.name.removeprefix(before)
        self._own.name = name

    def _take_group(self, value: Value, _now: float) -> None:
        for record in self._both:
            record.group = str(value)

    def _take_aux_mode(self, value: Value, _now: float) -> None:
        self._own.mode_aux = str(value)

    def _take_load_warning(self, value: Value, _now: float) -> None:
        given = dict(pairs(str(value)))
        if not given.get("app") or not given.get("maxgap"):
            raise ValueError("expected app=NAME,maxgap=SECONDS")
        self._own.load_warning = f"{given['app']}:{given['maxgap']}"

    def _take_reverse(self, value: Value, _now: float) -> None:
        self._own.thrust_mode_reverse = str(value).strip().lower() == "true"

    def _take_trajectory(self, value: Value, _now: float) -> None:
        self._own.trajectory = str(value)


class MissionExtent:
    """Tracks the greatest distance from the first position after the mission hash changed."""

    def __init__(self) -> None:
        self._mission = ""
        self._start: tuple[float, float] | None = None
        self._extent = self._posted = 0.0

    def take(self, value: Value, _now: float) -> None:
        """Take a MISSION_HASH (``mhash=...,utc=...``); a new one resets the extent."""
        mission = dict(pairs(str(value))).get("mhash", "")
        if mission != self._mission:
            self._mission, self._start = mission, None
            self._extent = self._posted = 0.0

    def update(self, x: float | None, y: float | None) -> str:
        """Update the extent by a position [m]; return the text to post if it has grown, else ""."""
        if not self._mission or x is None or y is None:
            return ""
        if self._start is None:
            self._start = (x, y)
        self._extent = max(self._extent, hypot(x - self._start[0], y - self._start[1]))
        grown = self._extent > self._posted * MIN_GROWTH
        if not grown or self._extent - self._posted < MIN_STEP:
            return ""
        self._posted = self._extent
        return f"mhash={self._mission},ext={trimmed(self._extent, 1)}"


class NodeReporter(App):
    """Publishes a vessel's node report, from its navigation and the state of its helm."""

    keeps_quotes = True
    may_lag = True
    publications = variables.published("""
        NODE_REPORT_LOCAL | text | m, deg, m/s | | | the vessel's node report: position, speed,
            heading, mode, type
        NODE_REPORT_LOCAL_FIRST | text | m, deg, m/s | | once | the first node report
        PLATFORM_REPORT_LOCAL | text | | | on change, with `plat_report_input` |
            `platform=alpha,utc_time=..,GPS_SAT=7`
        PNR_POST_GAP | number | s | >= 0 | with each report | time since the last report
        PNR_EXTRAP_POS_GAP | number | m | >= 0 | tick, with `extrap_enabled` | distance from the
            extrapolation of the last report
        PNR_EXTRAP_HDG_GAP | number | deg | [0, 180] | tick, with `extrap_enabled` | heading change
            since the last report
        PNR_MHASH | text | m | | as the distance grows, with `MISSION_HASH` | `mhash=..,ext=120`:
            greatest distance from the mission's start
    """)
    subscriptions = (
        heard.THRUST_MODE_REVERSE,
        variables.heard("NAV_TRANSP", what="transparency in reports", kind="number", unit="[0, 1]"),
        variables.heard("NAV_TRAJECTORY", what="trajectory in reports"),
        variables.heard("PLATFORM_COLOR", what="colour in reports"),
        variables.heard("NODE_COLOR_CHANGE", what="the same, with `allow_color_change`"),
        variables.heard("NODE_GROUP_UPDATE", what="group in reports"),
        variables.heard("NODE_NAME_UPDATE", what="name in reports"),
        variables.heard("AUX_MODE", what="auxiliary mode in reports"),
        variables.heard("PNR_PAUSE", what="`true`, `false`, `toggle`: pause the reports"),
    )
    subscribes = (
        *("NAV_X", "NAV_Y", "NAV_LAT", "NAV_LONG", "NAV_SPEED", "NAV_HEADING", "NAV_DEPTH"),
        *("NAV_ALTITUDE", "NAV_YAW", "NAV_TRANSP", "NAV_TRAJECTORY"),
        *("IVPHELM_STATE", "IVPHELM_SUMMARY", "IVPHELM_ALLSTOP"),
        *("PLATFORM_COLOR", "NODE_COLOR_CHANGE", "NODE_GROUP_UPDATE", "NODE_NAME_UPDATE"),
        *("AUX_MODE", "LOAD_WARNING", "THRUST_MODE_REVERSE", "MISSION_HASH", "PNR_PAUSE"),
        "the variables of alt_nav_prefix, rider and plat_report_input",
    )
    parameters = ReporterOptions.parameters()

    def configure(self) -> None:
        self._options = options = ReporterOptions.read(self.config)
        self._datum = read_datum(self.setting.globals)
        self._riders = options.rider
        self._platform = PlatformReport(self.community, options.plat_report_input)
        self._helm = HelmWatch()
        self._extent = MissionExtent()
        own = options.record(self.community)
        self._own = Navigation(own, "NAV_", options.hdg_error)
        self._alt = Navigation(_alternative(own, options), options.alt_nav_prefix or "", 0.0)
        self._handlers = self._make_handlers(options)
        self.publishes = self._make_publications(options)
        self._paused = options.paused
        self._last: Sighting | None = None
        self._last_time = self._started = -inf
        self._blackout = options.blackout_interval
        self._random = self.random("blackout")
        if not own.length:
            self.config_warning(f"platform_type {own.type}: no usual length; give platform_length")
        if self._datum is None and options.cross_fill_policy != "literal":
            self.config_warning("without LatOrigin and LongOrigin nothing is cross-filled")

    def _make_handlers(self, options: ReporterOptions) -> dict[str, list[Handler]]:
        """Return the handlers of each variable; some variables have several."""
        own, alt = self._own.record, self._alt.record
        sources: list[Handlers] = [
            self._own.handlers,
            self._alt.handlers if options.alt_nav_prefix else {},
            self._helm.handlers,
            Appearance(own, alt, color_changes=options.allow_color_change).handlers,
            {"MISSION_HASH": self._extent.take, "PNR_PAUSE": self._take_pause},
            {rider.variable: rider.take for rider in self._riders},
            {item.variable: item.take for item in self._platform.inputs},
        ]
        handlers: dict[str, list[Handler]] = {}
        for source in sources:
            for name, take in source.items():
                handlers.setdefault(name, []).append(take)
        return handlers

    def _make_publications(self, options: ReporterOptions) -> tuple[str, ...]:
        outputs = [options.node_report_output]
        if options.json_report not in ("", "true"):
            outputs.append(options.json_report)
        names = [*outputs, *(f"{name}_FIRST" for name in outputs), "PNR_POST_GAP", "PNR_MHASH"]
        if self._platform.inputs:
            names.append(options.plat_report_output)
        if options.extrap_enabled:
            names += ["PNR_EXTRAP_POS_GAP", "PNR_EXTRAP_HDG_GAP"]
        return tuple(names)

    def on_start(self) -> None:
        """Register for the variables of all handlers."""
        self._started = self.time
        self.register(*self._handlers)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Pass each value to the handlers of its variable."""
        now = self.time
        handlers = self._handlers
        for name, value, _, _, _, _, _ in mail:
            for take in handlers[name]:
                try:
                    take(value, now)
                except ValueError as error:
                    self.run_warning(f"{name} = {value!r}: {error}")

    def _take_pause(self, value: Value, _now: float) -> None:
        toggled = str(value).strip().lower() == "toggle"
        paused = not self._paused if toggled else truth(str(value))
        if paused is None:
            raise ValueError("expected true, false or toggle")
        self._paused = paused

    def iterate(self) -> None:
        """Post the reports that are due."""
        record = self._own.record
        gap = self.time - self._last_time if record.index else 0.0
        if self._may_report(gap) and not self._is_predictable(gap):
            self._report_position(gap)
        text = self._platform.text(self.time, self.utc)
        if text and not self._paused:
            self.post(self._options.plat_report_output, text)
        extent = self._extent.update(record.x, record.y)
        if extent:
            self.post("PNR_MHASH", extent)
        # A warning is part of one report only.
        record.load_warning = ""

    def _may_report(self, gap: float) -> bool:
        """Whether neither missing navigation nor the blackout forbids a report."""
        record = self._own.record
        placed = record.has_local_position or record.has_global_position
        moving = record.speed is not None and record.heading is not None
        starting = self.time - self._started < self._options.nav_grace_period
        if starting or (placed and moving):
            self.retract_run_warning(NO_NAVIGATION)
        elif NO_NAVIGATION not in self.run_warnings:
            self.run_warning(NO_NAVIGATION)
        blackout_over = not record.index or gap > self._blackout or self._blackout <= 0
        return placed and (moving or starting) and blackout_over

    def _is_predictable(self, gap: float) -> bool:
        """Whether no report is needed, as extrapolation of the last one is accurate enough."""
        options, last = self._options, self._last
        if not options.extrap_enabled or last is None or not 0 < gap < options.extrap_max_gap:
            return False
        here = Sighting.of(self._own.record)
        if here is None:
            return False
        distance, turn = last.gap_to(here, gap)
        self.post("PNR_EXTRAP_POS_GAP", distance)
        self.post("PNR_EXTRAP_HDG_GAP", turn)
        return distance < options.extrap_pos_thresh and turn < options.extrap_hdg_thresh

    def _report_position(self, gap: float) -> None:
        options, record = self._options, self._own.record
        change = self._random.uniform(-options.blackout_variance, options.blackout_variance)
        self._blackout = max(0.0, options.blackout_interval + change)
        due_riders = [(rider.field, rider.due(self.time)) for rider in self._riders]
        riders = [(field, value) for field, value in due_riders if value]
        self._complete(self._own)
        here = Sighting.of(record)
        if options.report_cog and self._last is not None and here is not None:
            record.cog = self._last.course_to(here)
        if self._paused:
            return
        self._post_report(record, riders, first=not record.index)
        self.post("PNR_POST_GAP", gap)
        self._last, self._last_time = here, self.time
        record.index += 1
        if self.time - self._alt.received < ALT_TIMEOUT:
            self._alt.record.index = record.index
            self._complete(self._alt)
            self._post_report(self._alt.record, riders, first=False)

    def _complete(self, navigation: Navigation) -> None:
        try:
            navigation.complete(self._options.cross_fill_policy, self._datum)
        except ValueError:
            self.run_warning(TOO_FAR)
        record = navigation.record
        record.mode = self._helm.mode(self.time, self._options.nohelm_threshold)
        record.allstop = self._helm.allstop
        record.time = self.utc

    def _post_report(self, record: NodeRecord, riders: Fields, *, first: bool) -> None:
        options = self._options
        fields = (
            record.fields(terse=options.terse_reports, global_only=options.coord_policy_global)
            + riders
        )
        texts: dict[str, str] = {}
        if options.json_report:
            name = (
                options.node_report_output if options.json_report == "true" else options.json_report
            )
            texts[name] = write_json(fields)
        if options.json_report != "true":
            texts[options.node_report_output] = write(fields)
        for name, text in texts.items():
            if first:
                self.post(f"{name}_FIRST", text)
            self.post(name, text)

    def report(self) -> Iterable[str]:
        """Yield the platform, the helm's mode and the last report."""
        record = self._own.record
        yield f"Vessel: {record.name}, {record.type}, {record.length} m"
        yield f"Paused: {str(self._paused).lower()}"
        yield f"Mode: {self._helm.mode(self.time, self._options.nohelm_threshold)}"
        yield f"Reports posted: {record.index}"
        yield f"Latest report: {write(record.fields())}"


def _alternative(own: NodeRecord, options: ReporterOptions) -> NodeRecord:
    """Return the record of a second navigation solution, initially a copy of the first."""
    record = copy(own)
    name = options.alt_nav_name
    record.name = own.name + name if name.startswith("_") else name
    record.group = options.alt_nav_group or own.group
    return record
