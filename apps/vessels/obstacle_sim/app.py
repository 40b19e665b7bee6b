"""``uFldObstacleSim``: simulates a field of obstacles, reported to vessels or sensed by them.

It runs on the shore and receives every vessel's node reports. The field may be regenerated, by the
app's own seeded generator, while no vessel is in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import cos, dist, inf, sin, tau
from random import Random

from steerageway.apps.shared import heard
from steerageway.apps.shared.datum import read_datum
from steerageway.apps.vessels.obstacle_sim.options import (
    Looks,
    ObstacleOptions,
    read_file,
    warnings_of,
)
from steerageway.bus import App, Message, variables
from steerageway.helm.contact import TIME_TOLERANCE, Contact, ContactList
from steerageway.moos.polygon import Polygon
from steerageway.moos.seglist import Point
from steerageway.moos.values import number_of, trimmed
from steerageway.moos.view import erased_seglist, look, point, points_text

CONNECTS = ("PMV_CONNECT", "VEHICLE_CONNECT", "OBM_CONNECT")
LABELS = 100  # labels of sensed points per obstacle and vessel, reused in turn
SHOWN_FOR = 10  # s, of a point

CORNERS = 8  # vertices of an obstacle
MAX_OFFSET = 0.6  # maximum angular offset of a vertex, as a fraction of the angle between vertices
TRIES = 5_000


def random_field(
    region: Polygon, count: int, sizes: tuple[float, float], apart: float, random: Random
) -> list[Polygon] | None:
    """Return random convex obstacles within a region.

    Args:
        region: contains them completely.
        count: number of obstacles.
        sizes: minimum and maximum diameter [m].
        apart: minimum distance of two [m].
    Returns: the obstacles; None if the tries did not suffice to place all of them.
    """
    placed: list[tuple[Point, float]] = []
    xs, ys = zip(*region.points, strict=True)
    for _ in range(TRIES):
        if len(placed) == count:
            break
        radius = random.uniform(*sizes) / 2
        centre = random.uniform(min(xs), max(xs)), random.uniform(min(ys), max(ys))
        if any(dist(centre, other) < radius + size + apart for other, size in placed):
            continue
        if region.contains(centre) and region.distance_to_edge(centre) >= radius:
            placed.append((centre, radius))
    if len(placed) < count:
        return None
    return [_rounded(centre, radius, random) for centre, radius in placed]


def random_point(obstacle: Polygon, seen_from: Point, random: Random) -> Point | None:
    """Return a random point of an obstacle's edges visible from a place; None from inside."""
    sides = zip(obstacle.edges, obstacle.faces(seen_from), strict=True)
    seen = [edge for edge, faces in sides if faces]
    if not seen:
        return None
    ((a, b),) = random.choices(seen, weights=[dist(*edge) for edge in seen])
    share = random.random()
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def _rounded(centre: Point, radius: float, random: Random) -> Polygon:
    """Return a convex polygon with its vertices on a circle, unevenly spaced."""
    step = tau / CORNERS
    # Offsets below one step keep the angles in order, so the polygon is convex.
    angles = [step * (k + random.uniform(0.0, MAX_OFFSET)) for k in range(CORNERS)]
    x, y = centre
    return Polygon(tuple((x + radius * cos(a), y + radius * sin(a)) for a in angles))


class ObstacleSim(App):
    """Simulates a field of obstacles, reported to vessels or sensed by them."""

    keeps_quotes = True
    publications = variables.published("""
        PLOGGER_CMD | text | | | once for each file of obstacles | `COPY_FILE_REQUEST =
            obstacles.txt`
        VIEW_POINT | text | m | | as they are sensed | points of obstacles, for viewers
        VIEW_POLYGON | text | m | | on change | obstacles, for viewers
        KNOWN_OBSTACLE | text | m, s | | at the start, for new vessels and viewers,
            `refresh_interval`, when regenerated | `pts={x,y:x,y:x,y},label=ob_0,duration=30`: an
            obstacle
        KNOWN_OBSTACLE_CLEAR | text | | `all` | when regenerated | the former obstacles are removed
        GIVEN_OBSTACLE | text | m, s | | as `KNOWN_OBSTACLE`, unless `post_points` | the same, for
            pObstacleMgr; a person may post it, too
        TRACKED_FEATURE_* | text | m | | tick, with `post_points` | `x=1,y=2,key=ob_0`: a point that
            the vessel senses
        UFOS_MIN_RNG | number | m | > 0 | once, when regenerated | minimum distance of two obstacles
    """)
    subscriptions = (
        heard.NODE_REPORT,
        *variables.subscribed("""
            PMV_CONNECT, VEHICLE_CONNECT | any | | | a new vessel or viewer: post all obstacles
            UFOS_RESET | any | | | regenerate the obstacles once all vessels are `reset_range` away
            UFOS_POINT_SIZE | text | | | `bigger`, `smaller` or a number: size of drawn points
        """),
    )
    subscribes = ("NODE_REPORT", *CONNECTS, "UFOS_RESET", "UFOS_POINT_SIZE")
    parameters = (*ObstacleOptions.parameters(), *Looks.parameters())

    def configure(self) -> None:
        """Read the parameters and the file of obstacles."""
        self._options = options = ObstacleOptions.read(self.config)
        looks = Looks.read(self.config)
        self._looks = looks if options.post_visuals else None
        self._read_file()
        self._ledger = ContactList("", inf, read_datum(self.setting.globals))
        self._rng = self.random("field")
        self._point_rng = self.random("points")
        self._obstacles = self._file.obstacles
        self._durations = self._draw_durations()
        self._label_count = len(self._obstacles)
        self._point_size = options.point_size
        self._points: Counter[str] = Counter()
        self._post_count = self._resets = 0
        self._post_due = True
        self._posted_at = self._reset_at = 0.0
        self._reset_requested = self._was_entered = self._newly_left = False
        self._nearest = 0.0

    def _read_file(self) -> None:
        """Read the file of obstacles, and warn of suspicious contents."""
        options = self._options
        self._file, missing = read_file(options.obstacle_file, self.setting.folder)
        given = options.obstacle_file
        self._file_name = "" if missing or given is None else given.value.strip()
        if options.crossed:
            least = f"{options.min_duration:g} counts"
            self.config_warning(f"max_duration is less than min_duration: {least}")
        for warning in [missing] if missing else warnings_of(self._file):
            self.config_warning(warning)

    def on_start(self) -> None:
        """Register, and request a copy of the file from the logger."""
        super().on_start()
        self._reset_at = self.time
        if self._file_name:
            self.post("PLOGGER_CMD", f"COPY_FILE_REQUEST = {self._file_name}")
        self._post_range()

    def _post_range(self) -> None:
        if self._file.min_range > 0:
            self.post("UFOS_MIN_RNG", self._file.min_range)

    def _draw_durations(self) -> dict[str, float]:
        durations = self._options.durations
        if durations is None:
            return {}
        return {key: self._rng.uniform(*durations) for key in self._obstacles}

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take node reports and commands."""
        for message in mail:
            text = str(message.value)
            if message.name == "NODE_REPORT":
                self._take_report(message)
            elif message.name == "UFOS_RESET":
                self._reset_requested = True
            elif message.name == "UFOS_POINT_SIZE":
                self._set_point_size(text)
            else:
                self._post_due = True

    def _take_report(self, message: Message) -> None:
        known = len(self._ledger)
        self._ledger.take_report(message.name, message.value, self.utc, self.run_warning)
        self._post_due |= len(self._ledger) > known

    def _set_point_size(self, text: str) -> None:
        word, size = text.strip().lower(), self._point_size
        if word in ("smaller", "bigger"):
            self._point_size = max(1.0, size - 1.0) if word == "smaller" else size + 1.0
        elif (number := number_of(word)) is not None and number >= 1:
            self._point_size = number
        else:
            self.run_warning(f"UFOS_POINT_SIZE = {text}: expected smaller, bigger or 1 or more")

    def iterate(self) -> None:
        """Regenerate the field if due, post it, and post the points that vessels sense."""
        self._update_nearest()
        if self._may_reset():
            self._reset()
        if self._post_due or self._has_passed(self._options.refresh_interval, self._posted_at):
            self._post_obstacles()
        if self._options.post_points:
            for contact in self._ledger:
                self._sense(contact)

    def _update_nearest(self) -> None:
        region = self._file.region
        if region is None:
            return
        before = self._nearest
        self._nearest = min((region.distance(c.track[:2]) for c in self._ledger), default=inf)
        self._was_entered |= self._nearest == 0.0
        if self._nearest == 0.0:
            self._newly_left = False
        elif self._was_entered and before == 0.0:
            self._newly_left = True

    def _may_reset(self) -> bool:
        options = self._options
        if self._file.missing or self._nearest <= options.reset_range:
            return False
        is_time = self._has_passed(options.reset_interval, self._reset_at)
        return self._reset_requested or (self._newly_left and is_time)

    def _has_passed(self, interval: float, since: float) -> bool:
        return interval > 0 and self.time - since >= interval - TIME_TOLERANCE

    def _reset(self) -> None:
        self._reset_at = self.time
        self._reset_requested = self._newly_left = False
        file, count = self._file, len(self._obstacles)
        assert file.region is not None
        sizes = (file.min_size, file.max_size)
        obstacles = random_field(file.region, count, sizes, file.min_range, self._rng)
        if obstacles is None:
            self.run_warning(f"there is no room for {count} obstacles; they stay where they are")
            return
        self.post("KNOWN_OBSTACLE_CLEAR", "all")
        self._post_range()
        if not self._options.reuse_ids:
            self._erase()
        labels = self._labels()
        self._obstacles = dict(zip(labels, obstacles, strict=True))
        self._durations = self._draw_durations()
        self._resets += 1
        self._post_due = True

    def _labels(self) -> list[str]:
        if self._options.reuse_ids:
            return list(self._obstacles)
        first = self._label_count
        self._label_count += len(self._obstacles)
        return [f"ob_{number}" for number in range(first, self._label_count)]

    def _sense(self, contact: Contact) -> None:
        here = contact.track[:2]
        for key, obstacle in self._obstacles.items():
            if obstacle.distance(here) > self._options.sensor_range:
                continue
            for _ in range(self._options.rate_points):
                found = random_point(obstacle, here, self._point_rng)
                if found is not None:
                    self._post_point(contact, key, found)

    def _post_obstacles(self) -> None:
        self._post_due = False
        self._posted_at = self.time
        self._post_count += 1
        looks = self._looks
        if looks is not None:
            self._draw(looks)
        for key, obstacle in self._obstacles.items():
            text = f"{_shape(key, obstacle)}{_source(obstacle)}"
            if key in self._durations:
                text += f",duration={trimmed(self._durations[key], 2)}"
            self.post("KNOWN_OBSTACLE", text)
            if not self._options.post_points:
                self.post("GIVEN_OBSTACLE", text)

    def _erase(self) -> None:
        """Erase the obstacles whose labels will not be reused."""
        for key, obstacle in self._obstacles.items():
            if self._looks is not None:
                self.post("VIEW_POLYGON", erased_seglist(key))
            if not self._options.post_points:
                self.post("GIVEN_OBSTACLE", f"{_shape(key, obstacle)},duration=0")

    def _draw(self, looks: Looks) -> None:
        for key, obstacle in self._obstacles.items():
            appearance = look(
                label=key,
                label_color=looks.poly_label_color,
                edge_color=looks.poly_edge_color,
                vertex_color=looks.poly_vert_color,
                vertex_size=looks.poly_vert_size,
                edge_size=looks.poly_edge_size,
            )
            opacity = trimmed(looks.poly_transparency, 2)
            inside = f"fill_color={looks.poly_fill_color},fill_transparency={opacity}"
            self.post("VIEW_POLYGON", f"{_points(obstacle)},{appearance},{inside}")
        region = self._file.region
        if looks.draw_region and region is not None:
            appearance = look(
                label="obs_region",
                edge_color=looks.region_edge_color,
                vertex_color=looks.region_vert_color,
            )
            self.post("VIEW_POLYGON", f"{_points(region)},{appearance}")

    def _post_point(self, contact: Contact, key: str, found: tuple[float, float]) -> None:
        x, y = found
        source = _source(self._obstacles[key])
        text = f"x={trimmed(x, 2)},y={trimmed(y, 2)},key={key}{source}"
        self.post(f"TRACKED_FEATURE_{contact.name.upper()}", text)
        self._points[key] += 1
        if self._looks is None:
            return
        appearance = look(
            label=f"{contact.name}:{key}:{self._points[key] % LABELS}",
            label_color="invisible",
            vertex_color=contact.record.color,
            vertex_size=self._point_size,
        )
        self.post("VIEW_POINT", f"{point(found, appearance, active=True)},duration={SHOWN_FOR}")

    def report(self) -> Iterable[str]:
        """Yield the field, and each obstacle."""
        file = self._file
        yield (
            f"obstacles: {len(self._obstacles)}, apart {file.min_range:g} m, "
            f"size {file.min_size:g} to {file.max_size:g} m"
        )
        yield f"told {self._post_count} times, thrown anew {self._resets} times"
        yield f"nearest vessel outside the region: {self._nearest:.0f} m"
        for key in self._obstacles:
            lasts = f"{self._durations[key]:.1f} s" if key in self._durations else "for good"
            yield f"{key}: lasts {lasts}, {self._points[key]} points sensed"


def _points(polygon: Polygon) -> str:
    return f"pts={{{points_text(polygon.points, 2)}}}"


def _shape(key: str, polygon: Polygon) -> str:
    return f"{_points(polygon)},label={key}"


def _source(polygon: Polygon) -> str:
    source = polygon.fields.get("vsource", "")
    return f",vsource={source}" if source else ""
