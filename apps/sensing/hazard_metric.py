"""``uFldHazardMetric``: grades the reports of vessels that searched for objects on the sea floor.

A report costs a penalty for each hazard that it lacks and for each benign object that it contains,
and one for the time of the search beyond a limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from steerageway.apps.sensing.hazard_file import read_hazard_file
from steerageway.apps.shared.limited import Limited
from steerageway.bus import App, Entry, Message, Options, declare, variables
from steerageway.moos.hazard import Hazard, HazardReport, parse_report
from steerageway.moos.values import trimmed
from steerageway.moos.view import points_text

EVERY = 50  # iterations between two posts of the penalties
HALF_LANE = 20.0  # half the width of the lane that crosses few hazards [m]


@dataclass(frozen=True)
class MetricOptions(Options):
    """Parameters of the configuration block."""

    hazard_file: Entry | None = declare.line(
        "file with lines hazard = x=1,y=2,label=01,type=hazard, and region = pts={...}"
    )
    penalty_missed_hazard: float = declare.number(100, "for a hazard that is not reported")
    penalty_nonopt_hazard: float = declare.number(
        50, "announced to the vessels; no report costs it"
    )
    penalty_false_alarm: float = declare.number(10, "for a benign object that is reported")
    max_time: float | None = declare.limit(None, "time of the search without penalty", unit="s")
    penalty_max_time_over: float = declare.number(0, "for a search beyond max_time")
    penalty_max_time_rate: float = declare.number(0, "for each second beyond max_time")
    show_xpath: bool = declare.flag(
        False, "true: draw the lane to the north that crosses the fewest hazards"
    )


class HazardMetric(App):
    """Grades each ``HAZARDSET_REPORT``."""

    publications = variables.published("""
        HAZARD_SEARCH_SCORE | number | | | on each | of a report: 100 without penalties
        HAZARDSET_EVAL | text | | | on each | `vname=abe,total_score=120,norm_score=70,...`
        HAZARDSET_EVAL_* | text | | | on each | the same, by the vessel in capitals
        HAZARDSET_EVAL_FULL | text | | | on each | the same with each object's penalty
        HAZARDSET_EVAL_FULL_* | text | | | on each | the same, by the vessel in capitals
        UHZ_MISSION_PARAMS | text | | | every 50 ticks | the penalties, and the region
        VIEW_POLYGON | text | m | | once | the searched region, for viewers
    """)
    subscriptions = (
        variables.heard("HAZARDSET_REPORT", what="a vessel's report"),
        variables.heard("HAZARD_SEARCH_START", what="the time of the search begins", kind="any"),
    )
    parameters = MetricOptions.parameters()

    def configure(self) -> None:
        """Read the block and the file of objects."""
        options = self._options = MetricOptions.read(self.config)
        file = read_hazard_file(self.config, options.hazard_file, self.setting.folder)
        self._hazards, self._region = file.hazards, file.region
        self._since: float | None = None
        self._grades = Limited[str]()
        self._ticks = 0
        if not self._hazards:
            self.config_warning("no hazard_file with objects: every report has a score of 100")

    @property
    def _worst(self) -> float:
        """The penalty for a report of all benign objects and of no hazard."""
        of_kind = self._options.penalty_missed_hazard, self._options.penalty_false_alarm
        return sum(of_kind[0] if one.is_hazard else of_kind[1] for one in self._hazards.values())

    def on_start(self) -> None:
        """Register, announce the penalties, and draw the region."""
        super().on_start()
        self._announce()
        if self._region is not None:
            points = points_text(self._region.points, 5)
            self.post("VIEW_POLYGON", f"pts={{{points}}},label=search_region,edge_color=gray45")
        lane = self._lane() if self._options.show_xpath else ""
        if lane:
            look = "label=min_path,fill_color=yellow,fill_transparency=0.12"
            self.post("VIEW_POLYGON", f"pts={{{lane}}},{look}")

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Grade reports, and start the clock."""
        for message in mail:
            if message.name == "HAZARD_SEARCH_START":
                self._since = self.time
                continue
            text = str(message.value)
            try:
                report = parse_report(text)
                for doubt in report.doubts:
                    self.run_warning(f"HAZARDSET_REPORT: {doubt}")
                if report.labels:
                    self._grade(report)
                else:
                    self.event(f"a report of no object by {report.source}")
            except ValueError as error:
                self.run_warning(f"HAZARDSET_REPORT = {text}: {error}")

    def iterate(self) -> None:
        """Announce the penalties from time to time."""
        self._ticks += 1
        if self._ticks % EVERY == 0:
            self._announce()

    def _announce(self) -> None:
        options, region = self._options, self._region
        fields = {
            "penalty_missed_hazard": trimmed(options.penalty_missed_hazard),
            "penalty_nonopt_hazard": trimmed(options.penalty_nonopt_hazard),
            "penalty_false_alarm": trimmed(options.penalty_false_alarm),
            "penalty_max_time_over": trimmed(options.penalty_max_time_over),
            "max_time": trimmed(options.max_time or 0.0, 2),
            "penalty_max_time_rate": trimmed(options.penalty_max_time_rate),
            "transit_path_width": trimmed(HALF_LANE),
        }
        if region is not None:
            fields["search_region"] = f"pts={{{points_text(region.points, 5)}}}"
        self.post("UHZ_MISSION_PARAMS", ",".join(f"{key}={value}" for key, value in fields.items()))

    def _lane(self) -> str:
        """Return the corners of the lane to the north with the fewest hazards; "" without one."""
        if self._region is None:
            return ""
        xs, ys = zip(*self._region.points, strict=True)
        count = int(max(xs) - min(xs) - 2 * HALF_LANE)  # by steps of 1 m
        middles = [min(xs) + HALF_LANE + step for step in range(count)]
        if not middles:
            return ""
        places = [one.place for one in self._hazards.values() if one.is_hazard]
        x = min(middles, key=lambda x: sum(abs(east - x) <= HALF_LANE for east, _ in places))
        west, east, south, north = x - HALF_LANE, x + HALF_LANE, min(ys), max(ys)
        return points_text([(west, south), (west, north), (east, north), (east, south)], 5)

    def _grade(self, report: HazardReport) -> None:
        objects, options, now = self._hazards.values(), self._options, self.time
        missed = sum(one.is_hazard and one.label not in report.labels for one in objects)
        alarms = sum(not one.is_hazard and one.label in report.labels for one in objects)
        right = sum(one.is_hazard and one.label in report.labels for one in objects)
        searched = 0.0 if self._since is None else now - self._since
        over = 0.0 if options.max_time is None else searched - options.max_time
        late = (
            options.penalty_max_time_over + options.penalty_max_time_rate * over
            if over > 0
            else 0.0
        )
        of_missed, of_alarms = (
            missed * options.penalty_missed_hazard,
            alarms * options.penalty_false_alarm,
        )
        total = of_missed + of_alarms + late
        score = min(max(100 * (1 - total / self._worst), 0.0), 100.0) if self._worst else 100.0
        fields = {
            "vname": report.source,
            **({"report_name": report.name} if report.name else {}),
            "total_score": trimmed(total, 2),
            "norm_score": trimmed(score, 2),
            "score_missed_hazards": trimmed(of_missed),
            "score_false_alarms": trimmed(of_alarms),
            "score_time_overage": trimmed(late, 2),
            "total_objects": len(report.labels),
            "total_time": trimmed(searched),
            "received_time": trimmed(now),
            "start_time": trimmed(self._since or 0.0),
            "missed_hazards": missed,
            "correct_hazards": right,
            "false_alarms": alarms,
            "penalty_false_alarm": trimmed(options.penalty_false_alarm),
            "penalty_missed_hazard": trimmed(options.penalty_missed_hazard),
            "penalty_max_time_over": trimmed(options.penalty_max_time_over),
            "penalty_max_time_rate": trimmed(options.penalty_max_time_rate),
            "max_time": trimmed(options.max_time or 0.0),
        }
        self._grades[report.source] = f"penalties {trimmed(total, 2)}, score {trimmed(score, 2)}"
        self._post(report, ",".join(f"{key}={value}" for key, value in fields.items()), score)

    def _post(self, report: HazardReport, short: str, score: float) -> None:
        objects = "#".join(self._graded(one, report) for one in self._hazards.values())
        source = report.source.upper()
        self.post("HAZARD_SEARCH_SCORE", score)
        for name, text in (
            ("HAZARDSET_EVAL_FULL", f"{short},object_report={{{objects}}}"),
            ("HAZARDSET_EVAL", short),
        ):
            self.post(name, text)
            self.post(f"{name}_{source}", text)

    def _graded(self, one: Hazard, report: HazardReport) -> str:
        is_reported = one.label in report.labels
        text = f"label={one.label},truth={'hazard' if one.is_hazard else 'benign'}"
        text += f",report={'hazard' if is_reported else 'nothing'}"
        if one.is_hazard == is_reported:
            return text
        options = self._options
        of_kind = options.penalty_missed_hazard if one.is_hazard else options.penalty_false_alarm
        return f"{text},penalty={trimmed(of_kind, 2)}"

    def report(self) -> Iterable[str]:
        """Return the number of objects, and each vessel's last grade."""
        hazards = sum(one.is_hazard for one in self._hazards.values())
        yield f"hazards: {hazards}, benign: {len(self._hazards) - hazards}"
        yield from (f"{source}: {grade}" for source, grade in self._grades.items())
