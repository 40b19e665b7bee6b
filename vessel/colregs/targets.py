"""The motion of other vessels in a scenario: stubborn, erratic, or as the rules say.

A vessel turns at a limited rate and keeps its speed, but for an erratic one. What obeys the rules
gives way to the own vessel by the smallest turn that passes at a safe range, to starboard (when
overtaking to the nearer side), and returns to its route when past and clear.
"""

from __future__ import annotations

from math import cos, exp, hypot, radians, sin, sqrt
from random import Random

from steerageway.geometry.encounter import Track, closest_approach, separation
from steerageway.geometry.marine import angle180, angle360
from steerageway.vessel.colregs.scenario import Conduct, Target, course
from steerageway.vessel.colregs.situations import Situation, situation

TURN_RADIUS = 3.0  # of a turn [lengths]
REACHED = 2.0  # a point of the route is reached within this range [lengths]
ACTS, CLEAR = 30.0, 10.0  # range within which it gives way, and at which it passes [lengths]
STEP = 5.0  # between the turns that it considers [deg]
MOST_TURN = 90.0  # [deg]
SWAY, SURGE = 15.0, 0.15  # deviation of an erratic vessel's course [deg] and speed (a share)
MEMORY = 12.0  # lengths that it sails until it has forgotten its deviation


class Motion:
    """A target under way.

    Attributes:
        track: where it is.
        target: what the scenario says of it.
    """

    def __init__(self, target: Target, random: Random) -> None:
        self.target, self.track = target, target.start
        self._random = random
        self._ahead = list(target.route)
        self._course = target.start.heading
        self._sway = self._surge = 0.0
        self._turn: float | None = None  # from its course, while it gives way [deg]

    def step(self, dt: float, own: Track) -> None:
        """Move on by a time [s].

        Args:
            own: the own vessel.
        """
        target, length = self.target, self.target.length
        while self._ahead and self._is_near(*self._ahead[0]):
            self._ahead.pop(0)
        if self._ahead:
            self._course = course((self.track.x, self.track.y), self._ahead[0])
        wanted, speed = self._course, target.start.speed
        if target.conduct == Conduct.ERRATIC:
            self._stray(dt)
            wanted, speed = wanted + self._sway, speed * (1.0 + self._surge)
        elif target.conduct == Conduct.RULES:
            wanted += self._giving_way(own)
        most = 57.3 * self.track.speed / (TURN_RADIUS * length) * dt
        turn = min(max(angle180(wanted - self.track.heading), -most), most)
        heading = angle360(self.track.heading + turn)
        middle = radians(self.track.heading + turn / 2.0)
        way = speed * dt
        x, y = self.track.x + way * sin(middle), self.track.y + way * cos(middle)
        self.track = Track(x, y, heading, speed)

    def _is_near(self, x: float, y: float) -> bool:
        away = hypot(x - self.track.x, y - self.track.y)
        return away <= REACHED * self.target.length

    def _stray(self, dt: float) -> None:
        """Let course and speed deviate: an Ornstein-Uhlenbeck process, exact for any step."""
        kept = exp(-dt * self.target.start.speed / (MEMORY * self.target.length))
        fresh = sqrt(1.0 - kept * kept)
        self._sway = kept * self._sway + SWAY * fresh * self._random.gauss(0.0, 1.0)
        self._surge = kept * self._surge + SURGE * fresh * self._random.gauss(0.0, 1.0)
        self._surge = max(self._surge, -0.9)

    def _giving_way(self, own: Track) -> float:
        """Return the turn from its course [deg]."""
        straight = self.track._replace(heading=self._course)
        ahead = closest_approach(straight, own)
        if self._turn is not None:
            if ahead.time == 0.0 or ahead.range >= CLEAR * self.target.length:
                self._turn = None
            return self._turn or 0.0
        risk = ahead.time > 0.0 and ahead.range < CLEAR * self.target.length
        if not risk or separation(self.track, own) > ACTS * self.target.length:
            return 0.0
        met = situation(self.track, own)
        if met.gives_way:
            self._turn = self._least_turn(own, met)
        return self._turn or 0.0

    def _least_turn(self, own: Track, met: Situation) -> float:
        sides = (1.0, -1.0) if met == Situation.OVERTAKING else (1.0,)
        best, widest = STEP, -1.0
        for k in range(1, round(MOST_TURN / STEP) + 1):
            for side in sides:
                turn = side * k * STEP
                turned = self.track._replace(heading=self._course + turn)
                passes = closest_approach(turned, own).range
                if passes >= CLEAR * self.target.length:
                    return turn
                if passes > widest:
                    best, widest = turn, passes
        return best
