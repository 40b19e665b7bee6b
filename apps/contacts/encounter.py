"""``uEncounter``: moves the other vessels of a scenario, and scores the own one by the COLREGs.

The own vessel hears of the others by node reports, with the errors of a sensor if asked for. At the
end the app posts the scores of the true tracks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import cos, radians, sin
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from steerageway.apps.contacts.own_track import NAVIGATION, own_track
from steerageway.apps.shared.encounters import CONDUCTS, LENGTH, NOISES, SPEED, WRITTEN
from steerageway.bus import App, Config, Message, Options, at_line, declare, variables
from steerageway.geometry.encounter import Track, bearing, separation
from steerageway.moos.node_report import NodeRecord, write
from steerageway.moos.polygon import DIGITS, is_convex
from steerageway.moos.view import points_text
from steerageway.vessel.colregs.evaluation import Passage, evaluate, is_clear
from steerageway.vessel.colregs.scenario import Conduct, Polygon, Scenario, Target, read_scenarios
from steerageway.vessel.colregs.targets import Motion
from steerageway.vessel.errors import InvalidValue
from steerageway.world.triangulation import triangles_of

OVER = "over"
HORIZON = 1.6  # a run lasts at most this times the straight passage


class Noise(NamedTuple):
    """Errors of a sensor, as standard deviations.

    Attributes:
        position: to either direction [lengths].
        range, bearing: of a radar's position: a share of the range, [deg].
        course: [deg]; speed: a share of the own vessel's.
    """

    position: float = 0.0
    range: float = 0.0
    bearing: float = 0.0
    course: float = 0.0
    speed: float = 0.0


_ERRORS = dict(
    zip(
        NOISES,
        (
            Noise(),
            Noise(position=0.04, course=1.0, speed=0.01),
            Noise(position=0.12, range=0.005, bearing=0.5, course=1.5, speed=0.04),
        ),
        strict=True,
    )
)
"""AIS: positions within 10 m (ITU-R M.1371, position accuracy), for a length of 125 m. Radar: 30 m
or 1 % in range, 1 deg in bearing, 3 deg in course and 0.8 kn in speed at 95 % (IMO MSC.192(79))."""


@dataclass(frozen=True)
class EncounterOptions(Options):
    """Parameters of the app's configuration block."""

    file: Path | None = declare.value(
        "", lambda text: Path(text.strip()), "YAML file of scenarios, from the mission's folder"
    )
    scenario: str = declare.text("", "name of a scenario of the file; default: the first")
    length: float = declare.number(
        LENGTH,
        "length of the own vessel; distances scale with it",
        unit="m",
        above=0,
    )
    speed: float = declare.number(
        SPEED, "speed of its passage; all speeds scale with it", unit="m/s", above=0
    )
    variation: int = declare.whole(0, "seed by which starts and speeds vary; 0: as written", low=0)
    conduct: str = declare.choice(WRITTEN, CONDUCTS, "how the other vessels sail")
    noise: str = declare.choice(
        "none", dict.fromkeys(NOISES, ""), "errors of the reported positions, courses, speeds"
    )
    report_interval: float = declare.number(
        1, "interval between node reports of a vessel", unit="s", above=0
    )


class Encounter(App):
    """Moves the vessels of a scenario, and scores the own one."""

    publications = variables.published("""
        NODE_REPORT | text | m, deg, m/s | | `report_interval` | node report of a vessel of the
            scenario
        ROUTE | text | m, m/s | | at the start | `points=0,300 # speed=2`: the own passage, as an
            update of a waypoint behavior
        OBSTACLE_INFO | text | m | | at the start | `name=shoal1#poly=pts={..}#id=shoal1`: a shoal
            or separation zone of the chart, in convex parts, as an update of a behavior that avoids
            obstacles
        ENCOUNTER | text | | `over` | at the end | the scenario is over
        ENCOUNTER_SCORE | text | | | at the end | the scores, as JSON
        ENCOUNTER_TRACKS | text | m, deg | | at the end | the tracks, as JSON
    """)
    subscriptions = (
        variables.heard(
            *NAVIGATION, what="the own vessel's position, heading and speed", kind="number"
        ),
    )
    parameters = EncounterOptions.parameters()

    def configure(self) -> None:
        """Read the parameters and the scenario."""
        self._options = options = EncounterOptions.read(self.config)
        self.scenario = self._read(options).scaled(options.length, options.speed)
        self.scenario = self.scenario.varied(options.variation)
        self._noise = _ERRORS[options.noise]
        self._errors = self.random(f"noise {options.variation}")
        self._motions = [
            Motion(_conducted(one, options.conduct), self._conduct_of(number))
            for number, one in enumerate(self.scenario.targets, 1)
        ]
        self._own: dict[str, float] = {}
        self._rows: list[tuple[float, Track, list[Track]]] = []
        self._moved, self._reported, self._over = 0.0, float("-inf"), False

    def _conduct_of(self, number: int) -> Random:
        return self.random(f"conduct {number} {self._options.variation}")

    def _read(self, options: EncounterOptions) -> Scenario:
        entry = self.config.line("file")
        if options.file is None:
            raise Config.error(entry, "expected a line file = SCENARIOS.yml")
        with at_line(entry, (InvalidValue, OSError)):
            found = read_scenarios(self.setting.folder / options.file)
        named = {one.name: one for one in found}
        if options.scenario and options.scenario not in named:
            line = self.config.entry("scenario") or entry
            raise Config.error(line, f"expected one of {', '.join(named)}")
        return named[options.scenario or found[0].name]

    def on_start(self) -> None:
        """Register for the own vessel's navigation; post its route, and what its chart shows."""
        super().on_start()
        x, y = self.scenario.goal
        self.post("ROUTE", f"points={x:.2f},{y:.2f} # speed={self._options.speed:g}")
        charted = (("shoal", self.scenario.shallow), ("zone", self.scenario.zones))
        for kind, polygons in charted:
            for number, points in enumerate(chain.from_iterable(map(_convex, polygons)), 1):
                key, text = f"{kind}{number}", points_text(points, DIGITS)
                self.post("OBSTACLE_INFO", f"name={key}#poly=pts={{{text}}},label={key}#id={key}")

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take the own vessel's navigation."""
        for message in mail:
            if isinstance(message.value, float):
                self._own[message.name] = message.value

    def iterate(self) -> None:
        """Move the vessels, report them, and score the own one at the end."""
        own = own_track(self._own)
        if self._over or own is None:
            return
        for motion in self._motions:
            motion.step(self.time - self._moved, own)
        self._moved = self.time
        tracks = [motion.track for motion in self._motions]
        self._rows.append((self.time, own, tracks))
        if self.time - self._reported >= self._options.report_interval - 1e-6:
            self._reported = self.time
            for number, track in enumerate(tracks, 1):
                self.post("NODE_REPORT", self._report(number, track, own))
        clear = is_clear(self.scenario, own, tracks)
        if clear or self.time > HORIZON * self.scenario.way / self._options.speed:
            self._end(clear=clear)

    def _report(self, number: int, track: Track, own: Track) -> str:
        seen = track if self._noise == Noise() else self._with_errors(track, own)
        record = NodeRecord(
            name=f"target{number}",
            x=seen.x,
            y=seen.y,
            heading=seen.heading,
            speed=seen.speed,
            type="ship",
            length=self.scenario.targets[number - 1].length,
            time=self.utc,
        )
        return write(record.fields())

    def _with_errors(self, track: Track, own: Track) -> Track:
        """Return a track as the sensor gives it."""
        noise, draw = self._noise, self._errors.gauss
        length, speed = self.scenario.length, self._options.speed
        away, angle = separation(own, track), radians(bearing(own, track))
        radial = noise.range * away * draw(0.0, 1.0)
        across = away * radians(noise.bearing) * draw(0.0, 1.0)
        east, north = (noise.position * length * draw(0.0, 1.0) for _ in range(2))
        return Track(
            x=track.x + east + radial * sin(angle) + across * cos(angle),
            y=track.y + north + radial * cos(angle) - across * sin(angle),
            heading=(track.heading + noise.course * draw(0.0, 1.0)) % 360.0,
            speed=max(0.0, track.speed + noise.speed * speed * draw(0.0, 1.0)),
        )

    def _end(self, *, clear: bool) -> None:
        self._over = True
        times, own, others = zip(*self._rows, strict=True)
        passage = Passage(
            np.array(times),
            np.array(own),
            tuple(np.array(tracks) for tracks in zip(*others, strict=True)),
            clear,
        )
        result = evaluate(self.scenario, passage)
        self.post("ENCOUNTER_SCORE", json.dumps(result))
        every = max(1, len(times) // 200)
        tracks = [passage.own, *passage.others]
        self.post(
            "ENCOUNTER_TRACKS",
            json.dumps(
                {
                    "times": np.round(passage.times[::every], 2).tolist(),
                    "tracks": [np.round(one[::every, :3], 2).tolist() for one in tracks],
                }
            ),
        )
        self.post("ENCOUNTER", OVER)

    def report(self) -> Iterable[str]:
        """Yield the scenario and the vessels for the appcast."""
        yield f"scenario: {self.scenario.name}, variation {self._options.variation}"
        for number, motion in enumerate(self._motions, 1):
            x, y, heading, speed = motion.track
            yield f"target{number}: x={x:.1f}, y={y:.1f}, hdg={heading:.0f}, spd={speed:.2f}"


def _convex(polygon: Polygon) -> Iterable[Polygon]:
    """Return a polygon, or the triangles of one that is not convex."""
    if is_convex(polygon):
        return (polygon,)
    corners = np.array([(*point, 0.0) for point in polygon])
    return (tuple(polygon[i] for i in triangle) for triangle in triangles_of(corners))


def _conducted(target: Target, conduct: str) -> Target:
    """Return a target with its conduct replaced, unless it is to be as written."""
    return target if conduct == WRITTEN else replace(target, conduct=Conduct(conduct))
