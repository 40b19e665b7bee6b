"""``pPathPlanner``: plans a path to a goal through a map, around what stands and what moves.

The path becomes an update of a waypoint behavior, whose helm follows it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot, radians

import numpy as np

from steerageway.apps.shared import heard
from steerageway.apps.shared.datum import read_datum
from steerageway.bus import App, Message, Options, declare, variables
from steerageway.helm.contact import REPORTS, ContactList
from steerageway.moos import view
from steerageway.moos.seglist import Point, SegListError, parse_seglist
from steerageway.moos.values import trimmed
from steerageway.vessel.perception.measurement import unpack
from steerageway.vessel.planning import Mover, Plan, Planner, PlannerSettings
from steerageway.vessel.planning.planner import warm

MAP, GOAL, UPDATE, PLAN, STATE = (
    *("OCCUPANCY_MAP", "PLAN_GOAL", "PLAN_UPDATE", "PATH_PLAN", "PLAN_STATE"),
)
POSE = ("NAV_X", "NAV_Y", "NAV_HEADING")
WAITING, PLANNED, PARTIAL, BLOCKED, REACHED = (
    *("waiting", "planned", "partial", "blocked", "reached"),
)
LOOKS = "label=plan,edge_color=limegreen,edge_size=2,vertex_size=0"
NEAREST, AWAY = 20, 1000.0  # number of vessels that a path keeps clear of; within [m]
FASTEST, LONGEST = 100.0, 500.0  # expected of a vessel [m/s], [m]
MOST_GOALS, FARTHEST = 1000, 1e7
OFF_PATH = 4.0  # [m] from the path at which it is planned again
LOOK = 2.0  # time ahead of the vessel at which the path's speed is ordered [s]
LENGTH = 5.0  # of a vessel whose report has none [m]


@dataclass(frozen=True)
class PlannerOptions(Options):
    """Parameters of the configuration block."""

    goal: str = declare.text("", f"a first {GOAL}")
    speed: float = declare.number(1, "speed along the path", unit="m/s", above=0)
    turn_radius: float = declare.number(5, "least turning radius", unit="m", above=0)
    clearance: float = declare.number(
        2.5, "least distance of the vessel's middle from what is occupied", unit="m", above=0
    )
    comfort: float = declare.number(8, "distance below which a path costs more", unit="m", above=0)
    goal_radius: float = declare.number(4, "distance at which a goal is reached", unit="m", above=0)
    horizon: float = declare.number(
        60, "time for which the motion of others is predicted", unit="s", low=0
    )
    replan_interval: float = declare.number(
        5, "age at which a path that is still clear is planned again", unit="s", low=0
    )
    most_states: int = declare.whole(
        100_000, "number of states at which a search ends, with the path that comes nearest",
        low=100, high=1_000_000,
    )  # fmt: skip
    map_max_age: float = declare.number(
        5, "age of the map at which the vessel stops", unit="s", above=0
    )
    contact_max_age: float = declare.number(
        10, "age at which the report of a vessel is dropped", unit="s", above=0
    )
    match_vsource: str = declare.text(
        "", "take only reports of this source (VSOURCE), as `lidar`; default: all"
    )

    @property
    def settings(self) -> PlannerSettings:
        """The settings of the planner."""
        return PlannerSettings(
            *(
                self.speed,
                self.turn_radius,
                self.clearance,
                max(self.comfort, self.clearance + 0.1),
            ),
            *(self.goal_radius, self.horizon, self.most_states),
        )


class PathPlanner(App):
    """Plans paths: a map, node reports and a goal in, updates of a waypoint behavior out."""

    last_wins = True
    publications = (
        variables.text(
            UPDATE,
            "`points = 1,2:3,4 # speed = 1`: the path, as an update of a waypoint behavior",
            unit="m, m/s",
            when="when the path or its speed changes",
        ),
        variables.text(
            PLAN,
            'the path: `{"time":12.0,"goal":[0,90],"complete":true,"searched":900,"states":'
            "[[x,y,heading,time,speed],..]}`",
            unit="m, deg, s, m/s",
            range="JSON",
            when="when it changes",
        ),
        *variables.published(f"""
            {STATE} | text | | `waiting`, `planned`, `partial`, `blocked`, `reached` | on change |
                what became of the goal
            VIEW_SEGLIST | text | m | | when it changes | the path, drawn
        """),
    )
    subscriptions = (
        variables.heard(
            GOAL, what="places to go to, one after another: `0,90` or `0,90:40,90`; or `off`",
            unit="m",
        ),
        heard.NODE_REPORT,
    )  # fmt: skip
    subscribes = (MAP, GOAL, *POSE, *REPORTS)
    parameters = PlannerOptions.parameters()

    def configure(self) -> None:
        self._options = options = PlannerOptions.read(self.config)
        if options.comfort <= options.clearance and "comfort" in self.config:
            raise self.config.error(
                self.config.line("comfort"), f"expected above clearance, {options.clearance:g}"
            )
        warm()
        self._planner = Planner(options.settings)
        self._contacts = ContactList(
            self.setting.community, options.contact_max_age, read_datum(self.setting.globals)
        )
        self._pose: dict[str, float] = {}
        self._goals: list[Point] = []
        self._plan: Plan | None = None
        self._made = 0.0
        self._mapped: float | None = None  # time of the map's receipt [s]
        self._state = ""
        self._ordered: float | None = None
        self._plans = 0

    def on_start(self) -> None:
        """Register the subscriptions; take the block's goal."""
        super().on_start()
        if self._options.goal:
            self._aim(self._options.goal)
        self._tell(WAITING)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take the map, the pose, goals and node reports."""
        for message in mail:
            name, value = message.name, message.value
            if name == MAP:
                try:
                    self._planner.take(unpack(value))
                    self._mapped = self.time
                except ValueError as error:
                    self.run_warning(f"{MAP}: {error}")
            elif name in POSE:
                if isinstance(value, float) and abs(value) <= FARTHEST:
                    self._pose[name] = value
            elif name == GOAL:
                self._aim(str(value))
            else:
                self._contacts.take_report(name, value, self.utc, self.run_warning)

    def _aim(self, text: str) -> None:
        """Take goals; the path to others is dropped."""
        try:
            goals = [] if text.strip().lower() == "off" else list(parse_seglist(text).points)
            if len(goals) > MOST_GOALS or any(max(map(abs, goal)) > FARTHEST for goal in goals):
                raise SegListError(f"expected at most {MOST_GOALS} places within {FARTHEST:g} m")
        except SegListError as error:
            self.run_warning(f"{GOAL} = {text[:80]!r}: {error}")
            return
        self._goals, self._plan = goals, None
        if not goals:
            self._stop(WAITING)

    def iterate(self) -> None:
        """Keep the path, or plan another one; order its speed."""
        self._contacts.remove_expired(self.utc)
        if len(self._pose) < len(POSE) or self._mapped is None:
            return
        x, y, heading = (self._pose[name] for name in POSE)
        while self._goals and hypot(x - self._goals[0][0], y - self._goals[0][1]) <= (
            self._options.goal_radius
        ):
            self._goals.pop(0)
            self._plan = None
            if not self._goals:
                self._stop(REACHED)
        if not self._goals:
            return
        old = f"the map is older than {self._options.map_max_age:g} s: no path"
        if self.time - self._mapped > self._options.map_max_age:
            self.run_warning(old)
            self._plan = None
            self._stop(BLOCKED)
            return
        self.retract_run_warning(old)
        movers = self._movers()
        if self._plan is None or not self._keeps(self._plan, (y, x), movers):
            self._plan_again((y, x, radians(heading)), movers)
        if self._plan is not None:
            self._order(self._speed(self._plan, (y, x)))

    def _keeps(self, plan: Plan, place: Point, movers: Sequence[Mover]) -> bool:
        """Whether a path is new enough, followed, and still clear."""
        new = self.time - self._made < self._options.replan_interval
        return (
            new
            and plan.nearest(*place)[1] <= OFF_PATH
            and self._planner.is_clear(plan, place, movers)
        )

    def _plan_again(self, pose: tuple[float, float, float], movers: Sequence[Mover]) -> None:
        goal = self._goals[0]
        self._plan = plan = self._planner.plan(pose, (goal[1], goal[0]), movers)
        self._made = self.time
        self._plans += 1
        if plan is None:
            self._stop(BLOCKED)
            return
        self._tell(PLANNED if plan.complete else PARTIAL)
        points = [(east, north) for north, east in plan.waypoints().tolist()[1:]]
        if plan.complete and plan.nearest(goal[1], goal[0])[1] > self._options.goal_radius:
            points.append(goal)  # it lies beyond the map
        self._ordered = self._speed(plan, (pose[0], pose[1]))
        text = ":".join(f"{trimmed(a, 2)},{trimmed(b, 2)}" for a, b in points)
        self.post(UPDATE, f"points = {text} # speed = {trimmed(self._ordered, 2)}")
        self.post("VIEW_SEGLIST", view.seglist(points, LOOKS))
        self.post(PLAN, self._written(plan, goal))

    def _written(self, plan: Plan, goal: Point) -> str:
        rows = plan.states[:, [1, 0, 2, 3, 4]]
        rows[:, 2] = np.degrees(rows[:, 2]) % 360.0
        rows[:, 3] += self._made
        tree = {"time": self._made, "goal": list(goal), "complete": plan.complete}
        tree |= {"searched": plan.searched, "states": np.round(rows, 2).tolist()}
        return json.dumps(tree, separators=(",", ":"))

    def _speed(self, plan: Plan, place: Point) -> float:
        """Return the speed of the path a little ahead of a place."""
        index, _ = plan.nearest(*place)
        soon = plan.states[:, 3] >= plan.states[index, 3] + LOOK
        return float(plan.states[int(soon.argmax()) if soon.any() else -1, 4])

    def _order(self, speed: float) -> None:
        if speed != self._ordered:
            self._ordered = speed
            self.post(UPDATE, f"speed = {trimmed(speed, 2)}")

    def _stop(self, state: str) -> None:
        self._order(0.0)
        self._tell(state)

    def _tell(self, state: str) -> None:
        if state != self._state:
            self._state = state
            self.post(STATE, state)

    def _movers(self) -> list[Mover]:
        """Return the nearest vessels' present places and velocities."""
        wanted, found = self._options.match_vsource.lower(), []
        x, y = self._pose["NAV_X"], self._pose["NAV_Y"]
        for contact in self._contacts:
            if wanted and contact.record.vsource.lower() != wanted:
                continue
            length = contact.record.length or LENGTH
            if abs(contact.track.speed) > FASTEST or length > LONGEST:
                expected = f"at most {FASTEST:g} m/s and {LONGEST:g} m long"
                self.run_warning(f"NODE_REPORT of {contact.name}: expected {expected}")
                continue
            track = contact.now(self.utc, None)
            if (away := hypot(track.x - x, track.y - y)) <= AWAY:
                east, north = track.velocity
                found.append((away, Mover(track.y, track.x, north, east, length)))
        return [mover for _, mover in sorted(found)[:NEAREST]]

    def report(self) -> Iterable[str]:
        """Yield the state of the plan for the appcast."""
        yield f"{self._state}: {len(self._goals)} goals, {self._plans} plans"
        if self._plan is not None:
            end = self._plan.states[-1]
            yield f"path: {end[3]:.0f} s, of {self._plan.searched} states that were searched"
        yield f"{len(self._contacts)} vessels around"
