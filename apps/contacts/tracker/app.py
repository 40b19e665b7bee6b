"""``uTracker``: tracks objects in LiDAR scans, and publishes them as contacts and obstacles.

Returns are clustered. Small clusters are tracked: moving ones become contacts (``NODE_REPORT``),
static ones become obstacles (``GIVEN_OBSTACLE``). Long clusters are structures, which are cut into
obstacles. The contact and obstacle managers and the helm process both like any others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from math import atan2, degrees

import numpy as np

from steerageway.apps.contacts.tracker.options import TrackerOptions
from steerageway.apps.contacts.tracker.returns import Floats, Returns, in_cells, returns_of
from steerageway.apps.contacts.tracker.static_obstacles import SHARE, StaticObjects, Walls
from steerageway.apps.shared import heard
from steerageway.bus import App, Message, variables
from steerageway.moos import node_report
from steerageway.moos.values import trimmed, trimmed360
from steerageway.vessel.perception.tracking import Detection, Track, Tracker, boxed, detections

CONTACT, OBSTACLE, TRACKS = "NODE_REPORT", "GIVEN_OBSTACLE", "TRACKS"
REST_AGE = 1.5  # age at which a track without apparent motion is considered at rest [s]
CONTACT_AGE = 1.0  # a track that has moved for this time is published as a contact [s]
DIGITS = 3  # decimals of positions and velocities


class SceneTracker(App):
    """Tracks objects seen by LiDARs, and publishes them as contacts and obstacles."""

    publications = variables.published("""
        TRACKS | text | m, m/s, deg | JSON | | tracked objects:
            `{"time":12.3,"tracks":[{"id":1,"x":..,"y":..,"vx":..,"vy":..,"length":..,"breadth":..,"angle":..,"moving":true,"seen":12.3}]}`
        NODE_REPORT | text | m, deg, m/s | | tick, of moving objects | node report of a moving
            object detected by a LiDAR
        GIVEN_OBSTACLE | text | m, s | | when it is first seen, has grown or would expire | outline
            of a static obstacle, for pObstacleMgr; may also be posted by hand
    """)
    subscriptions = (heard.LIDAR,)
    subscribes = ("LIDAR_*", "or variables of cloud")
    parameters = TrackerOptions.parameters()

    def configure(self) -> None:
        self._options = TrackerOptions.read(self.config)
        options = self._options
        options.clouds.check(self.config)
        self._tracker = Tracker(options.tracker)
        self._static = StaticObjects(options.tracker.confirm, options.memory)
        self._walls = Walls()
        self._rest_cells: dict[
            int, set[str]
        ] = {}  # by track: cells in which it was recorded at rest
        self._moving_since: dict[int, float] = {}  # by track: start of its motion [s]
        self._time: float | None = None
        self._scans = self._late = 0
        self._tracks: list[Track] = []

    def on_start(self) -> None:
        self.register(*self._options.clouds.cloud)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Process point clouds; those of one time are one scan."""
        for time, clouds in self._options.clouds.scans(mail, self.run_warning):
            self._take(time, [returns_of(cloud, self._options) for cloud in clouds])

    def _take(self, time: float, scan: Sequence[Returns]) -> None:
        """Update tracks, walls and static obstacles by a scan."""
        if self._time is not None and time <= self._time:
            self._late += 1
            return
        options = self._options
        points, reach, counts = (np.concatenate(parts) for parts in zip(*scan, strict=True))
        seen = detections(points, reach, options.least_points, counts)
        split = [self._split(one) for one in seen]
        fixed = [points for points, _ in split if len(points)]
        self._time, self._scans = time, self._scans + 1
        self._tracks = self._tracker.step(time, [one for _, one in split if one is not None])
        if fixed:
            self._add_at_rest(np.concatenate(fixed), time)
        self._update_rest(time)

    def _split(self, one: Detection) -> tuple[Floats, Detection | None]:
        """Split a detection into returns of walls (n, 2), and a part that may be moving."""
        if one.length > self._options.largest:
            self._walls.add(one.points)
            return one.points, None
        on_wall = self._walls.contains(one.points)
        rest = one.points[~on_wall]
        passes = any(
            track.moving and np.hypot(*(track.belief.mean[:2] - one.place)) < track.length
            for track in self._tracks
        )
        # a vessel close to a wall merges with it: kept whole if too little would remain of it
        if not on_wall.any() or (len(rest) < self._options.least_points and passes):
            return one.points[:0], one
        if on_wall.mean() > SHARE and not passes:
            return one.points, None
        return one.points[on_wall], boxed(rest)

    def _update_rest(self, time: float) -> None:
        """Record tracks at rest; remove the records of tracks that move after all."""
        known = {track.number for track in self._tracker.tracks}
        self._rest_cells = {
            number: keys for number, keys in self._rest_cells.items() if number in known
        }
        self._moving_since = {
            number: since for number, since in self._moving_since.items() if number in known
        }
        for track in self._tracks:
            if track.moving:
                self._moving_since.setdefault(track.number, time)
                for key in sorted(self._rest_cells.pop(track.number, ())):
                    self._static.remove(key)
            elif track.seen == time and time - track.born >= REST_AGE:
                self._walls.add_at_rest(track.last.points, time)
                left = self._rest_cells.setdefault(track.number, set())
                left.update(self._add_at_rest(track.last.points, time))
            if not track.moving:
                self._moving_since.pop(track.number, None)

    def _add_at_rest(self, points: Floats, time: float) -> list[str]:
        """Record returns (n, 2) at rest; return the names of the cells that contain them."""
        names = []
        for (north, east), some in in_cells(points, self._options.cell).items():
            names.append(f"{self._options.prefix}at_{north}_{east}")
            self._static.add(names[-1], some[:, ::-1], time)
        return names

    def _name(self, track: Track) -> str:
        return f"{self._options.prefix}{track.number}"

    def iterate(self) -> None:
        """Post tracks, contacts and obstacles."""
        if self._time is None:
            return
        self.post(TRACKS, _tracks_text(self._time, self._tracks), time=self._time)
        if self._options.contacts:
            for track in self._tracks:
                since = self._moving_since.get(track.number, self._time)
                if track.seen == self._time and self._time - since >= CONTACT_AGE:
                    self.post(CONTACT, self._report(track))
        if self._options.obstacles:
            for text in self._static.due_texts(self.time):
                self.post(OBSTACLE, text)

    def _report(self, track: Track) -> str:
        """Return a track's node report."""
        north, east, u, v = (float(number) for number in track.belief.mean)
        utc = self.setting.epoch + (self._time or 0.0)
        fields = {
            "NAME": self._name(track),
            "X": trimmed(east, 2),
            "Y": trimmed(north, 2),
            "SPD": trimmed(track.speed, 2),
            "HDG": trimmed360(degrees(atan2(v, u)) % 360.0, 2),
            "TYPE": "ship",
            "VSOURCE": "lidar",
            "TIME": f"{utc:.2f}",
            "LENGTH": trimmed(max(track.length, 0.1), 2),
            "BEAM": trimmed(max(track.breadth, 0.1), 2),
        }
        return node_report.write(fields.items())

    def report(self) -> Iterable[str]:
        """Yield numbers of scans, tracks and static objects for the appcast."""
        yield f"{self._scans} scans, {self._late} left out as no later than the last one"
        moving = sum(track.moving for track in self._tracks)
        yield f"{len(self._tracks)} tracks, {moving} of them move; {len(self._static)} still things"


def _tracks_text(time: float, tracks: Sequence[Track]) -> str:
    """Return tracks as the JSON text of ``TRACKS``."""
    rows = []
    for track in tracks:
        north, east, u, v = (round(float(number), DIGITS) for number in track.belief.mean)
        row: dict[str, object] = {"id": track.number, "x": east, "y": north, "vx": v, "vy": u}
        row |= {"length": round(track.length, 2), "breadth": round(track.breadth, 2)}
        row["angle"] = round(degrees(track.last.angle), 1)
        rows.append({**row, "moving": track.moving, "seen": round(track.seen, DIGITS)})
    return json.dumps({"time": time, "tracks": rows}, separators=(",", ":"))
