"""Converts the simulator's mail into the track and surroundings that sensors measure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import cos, nan, radians, sin

import numpy as np

from steerageway.apps.sensing.simulator_block import Simulator
from steerageway.bus import Message, Value, nanoseconds
from steerageway.declarations import all_finite, finite, truth
from steerageway.geometry.marine import components
from steerageway.moos.values import pairs
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.polar import Wind
from steerageway.vessel.sensors.suite import Suite
from steerageway.vessel.sensors.track import STATE
from steerageway.vessel.sensors.truth import AIR, BOTTOM, FLOWS, WATER
from steerageway.world.constants import NANO

STATES = "USM_STATE"
DRIFT, WIND = "USM_DRIFT_SUMMARY", "WIND_CONDITIONS"
CHANGE = "WORLD_CHANGE"
DEPTHS = ("WATER_DEPTH", "USM_WATER_DEPTH")
FLOW = "USM_CURRENT_FIELD"
MILLIMETRES = 3  # decimals of the drift summary
POSE = ("Y", "X", "DEPTH", "HEADING", "SPEED_OVER_GROUND", "HEADING_OVER_GROUND")
PITCH = "PITCH"  # optional: not every simulator posts it


class Inbox:
    """Receives the simulator's mail.

    Attributes:
        subscriptions: the variables to register for.
    """

    def __init__(self, simulator: Simulator, suite: Suite, warn: Callable[[str], None]) -> None:
        self._suite, self._warn = suite, warn
        self._steps = simulator.fossen
        self._form: re.Pattern[str] | None = None
        self._pose = {f"{simulator.truth}{name}": name for name in (*POSE, PITCH)}
        states = (STATES,) if simulator.fossen else tuple(self._pose)
        flow = () if simulator.field is None else (FLOW,)
        self.subscriptions: Sequence[str] = (*states, DRIFT, WIND, *DEPTHS, *flow)
        self._tick: dict[str, float] = {}
        self._since = 0
        if simulator.wind is not None:
            self._note_wind(0, simulator.wind)
        self._generation = simulator.generation
        self._note_depth(0, simulator.water_depth)
        if simulator.environment is not None:
            from steerageway.world.weather import Weather

            suite.around.weather = Weather(simulator.environment)
            self.subscriptions = (*self.subscriptions, CHANGE)
        suite.around.field = simulator.field
        suite.around.note(0, FLOWS, float(simulator.flows))
        self._place: Sequence[float] | None = None  # north, east, down
        self._drifts: list[tuple[int, float, float]] = []  # from which the field is not subtracted

    def take(self, mail: Sequence[Message]) -> None:
        """Process mail, oldest first; invalid messages are skipped with a warning."""
        states: list[tuple[int, list[float]]] = []
        for message in mail:
            time = nanoseconds(message.time)
            try:
                if message.name == STATES:
                    states.append((time, self._state(message.value)))
                elif message.name in self._pose:
                    states += self._collected(time, self._pose[message.name], message.value)
                else:
                    self._take_around(time, message.name, message.value)
            except InvalidValue as error:
                self._warn(f"{message.name} = {message.value!r}: {error}")
        # The last tick of the mail may be complete: nothing of it can follow in later mail.
        states += self._completed()
        if self._suite.around.field is not None:
            self._subtract_field(states)
        self._extend(states)

    def _extend(self, states: list[tuple[int, list[float]]]) -> None:
        """Append the states that are later than all before them to the track."""
        track = self._suite.track
        last = -1 if track.end is None else track.end
        later = []
        for time, state in states:
            if time > last:
                later.append((time, state))
                last = time
        if later:
            take = track.take_steps if self._steps else track.take_ticks
            take([time for time, _ in later], [state for _, state in later])

    def _state(self, value: Value) -> list[float]:
        """Return the numbers of ``time=1,x=2,...`` but the time."""
        text = str(value)
        form = self._form or self._derive_form(text)
        found = form.fullmatch(text)
        if found is None:
            raise InvalidValue("expected the names of the first one, with a number each")
        numbers = all_finite(found.groups())
        if numbers is None:
            raise InvalidValue("expected a number behind each =")
        return numbers

    def _derive_form(self, text: str) -> re.Pattern[str]:
        """Derive the format and the actuators' names from the first state."""
        keys = [name for name, _ in pairs(text)]
        if len(keys) <= STATE:
            raise InvalidValue(f"expected time= and {STATE} numbers or more behind it")
        self._suite.track.names = tuple(keys[STATE + 1 :])
        first, *rest = map(re.escape, keys)
        self._form = re.compile(f"{first}=[^,]*" + "".join(f",{key}=([^,]*)" for key in rest))
        return self._form

    def _collected(self, time: int, name: str, value: Value) -> list[tuple[int, list[float]]]:
        """Store a variable of a tick; return the previous tick's state when a new tick begins."""
        if not isinstance(value, float):
            raise InvalidValue("expected a number")
        before = self._completed() if time != self._since else []
        self._since = time
        self._tick[name] = value
        return before

    def _completed(self) -> list[tuple[int, list[float]]]:
        """Return the state of the tick if all its variables were received; it is then removed."""
        tick = self._tick
        if not all(name in tick for name in POSE):
            return []
        self._tick = {}
        course, speed = radians(tick["HEADING_OVER_GROUND"]), tick["SPEED_OVER_GROUND"]
        place = [tick["Y"], tick["X"], tick["DEPTH"]]
        attitude = [0.0, tick.get(PITCH, 0.0), radians(tick["HEADING"])]
        return [(self._since, [*place, *attitude, speed * cos(course), speed * sin(course)])]

    def _take_around(self, time: int, name: str, value: Value) -> None:
        around = self._suite.around
        if name in DEPTHS:
            if not isinstance(value, float) or value < 0:
                raise InvalidValue("expected a number at least 0")
            self._note_depth(time, self._generation.water_depth(value))
        elif name == WIND:
            self._note_wind(time, Wind.read(str(value)))
        elif name == CHANGE and around.weather is not None:
            from steerageway.apps.shared.environments import change_of

            around.weather.take(change_of(str(value)))
        elif name == FLOW:
            flows = truth(str(value))
            if flows is None:
                raise InvalidValue("expected true or false")
            around.note(time, FLOWS, float(flows))
        else:
            drift = dict(pairs(str(value)))
            east, north = (finite(drift.get(key, "")) for key in ("xmag", "ymag"))
            if east is None or north is None:
                raise InvalidValue("expected ang=,mag=,xmag=,ymag=")
            if around.field is not None:
                self._drifts.append((time, east, north))
            else:
                around.note(time, WATER, (north, east, 0.0))

    def _subtract_field(self, states: list[tuple[int, list[float]]]) -> None:
        """Subtract the field's current from each drift posted: the rest is uniform.

        A drift is posted for the place of the vessel at that time, so it waits for a first state.
        """
        around, waiting = self._suite.around, []
        for time, east, north in self._drifts:
            known = [state[:3] for instant, state in states if instant <= time]
            place = known[-1] if known else self._place or (states[0][1][:3] if states else None)
            if place is None:
                waiting.append((time, east, north))
                continue
            if around.at(np.array([time]))[0, FLOWS] != 0.0 and around.field is not None:
                x, y, z = place
                to_east, to_north = around.field.at(y, x, max(0.0, z), time / NANO)
                east, north = (
                    round(east - to_east, MILLIMETRES),
                    round(north - to_north, MILLIMETRES),
                )
            around.note(time, WATER, (north, east, 0.0))
        self._drifts = waiting
        if states:
            self._place = states[-1][1][:3]

    def _note_depth(self, time: int, depth: float | None) -> None:
        self._suite.around.note(time, BOTTOM, nan if depth is None else depth)

    def _note_wind(self, time: int, wind: Wind) -> None:
        east, north = components(wind.direction + 180.0, wind.speed)
        self._suite.around.note(time, AIR, (north, east, 0.0))
