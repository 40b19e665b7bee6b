"""``vessel show NAME --actuators``: step responses of the actuators.

With the hull at rest, one command at a time steps from 0 to its limit and back to 0; the response
is the actuator's state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, isfinite, isnan
from pathlib import Path

import numpy as np

from steerageway.vessel.errors import InvalidValue, NotFinite, OutsideEnvelope
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.state import ACTUATORS
from steerageway.world import pictures
from steerageway.world.arrays import Floats

SHORTEST, LONGEST = 0.25, 256.0  # minimum and maximum duration of a step [s]
SAMPLES = 1000  # of each of the two steps
STILL = 1e-3  # maximum change in the last tenth of a settled step, as a fraction of its range
REACHED = 1.0 - np.exp(-1.0)
COLOURS = (pictures.BLUE, "#c8553d", "#588157", "#7b5ea7", "#b8860b", "#444b54")


@dataclass(frozen=True, eq=False)
class Response:
    """Response to a step of one command, up and down.

    Attributes:
        name, unit: of the actuator.
        command: of the step, in the unit.
        times: (n,) [s]; the command steps to 0 in the middle.
        states: (n,) of the actuator.
    """

    name: str
    unit: str
    command: float
    times: Floats
    states: Floats

    @property
    def end(self) -> float:
        """Return the state at the end of the step up."""
        return float(self.states[len(self.states) // 2 - 1])

    def time_to(self, share: float) -> float:
        """Return the time to a fraction of the step up [s]; NaN for no motion."""
        half = len(self.states) // 2
        if self.end == 0.0:
            return float("nan")
        gone = self.states[:half] / self.end
        return float(np.interp(share, np.maximum.accumulate(gone), self.times[:half]))


def responses(vessel: Dynamics) -> list[Response]:
    """Return the response of every actuator that has a state."""
    names = [channel.name for channel in vessel.commands]
    return [
        _response(vessel, names.index(channel.name), row)
        for row, channel in enumerate(vessel.actuators)
        if channel.name in names
    ]


def _response(vessel: Dynamics, which: int, row: int) -> Response:
    channel = vessel.commands[which]
    given = next((v for v in (channel.high, -channel.low) if isfinite(v) and v > 0.0), 1.0)
    length = SHORTEST
    while True:
        times, states = _stepped(vessel, which, row, given, length)
        half = states[:SAMPLES]
        last = half[-SAMPLES // 10 :]
        if length >= LONGEST or np.ptp(last) <= STILL * max(np.ptp(half), abs(half[-1])):
            return Response(channel.name, channel.unit, given, times, states)
        length *= 2.0


def _stepped(
    vessel: Dynamics, which: int, row: int, given: float, length: float
) -> tuple[Floats, Floats]:
    """Return times and states (2 SAMPLES,) of a step up and one down, each ``length`` [s] long."""
    x, around, dt = vessel.initial.copy(), vessel.surroundings(), length / SAMPLES
    x[6:] = 0.0
    start = x.copy()
    found = []
    for command in (given, 0.0):
        orders = np.zeros(len(vessel.commands))
        orders[which] = command
        for _ in range(SAMPLES):
            x[:ACTUATORS] = start[:ACTUATORS]  # keep the hull at rest
            try:
                x = vessel.step(x, orders, around, dt)
            except (NotFinite, OutsideEnvelope) as error:
                raise InvalidValue(f"{vessel.name}: {error}") from None
            found.append(x[ACTUATORS + row])
    times: Floats = dt * np.arange(1.0, 2 * SAMPLES + 1)
    return times, np.array(found, np.float64)


def response_lines(vessel: Dynamics) -> Iterator[str]:
    """Yield a line for each actuator."""
    found = responses(vessel)
    if not found:
        yield "actuators: all without dynamics"
    for one in found:
        channel = next(c for c in vessel.commands if c.name == one.name)
        t63, t95 = one.time_to(REACHED), one.time_to(0.95)
        if isnan(t63):
            yield f"{one.name}: does not follow a command of {one.command:.4g} {one.unit}"
            continue
        unit = "" if one.unit == "1" else f" {one.unit}"
        late = f", after a dead time of {channel.delay:g} s" if 0.0 < channel.delay < inf else ""
        yield (
            f"{one.name}: a command of {one.command:.4g} brings {one.end:.4g}{unit}: 63 % "
            f"after {t63:.3g} s, 95 % after {t95:.3g} s{late}"
        )


def draw_responses(vessel: Dynamics, path: Path) -> None:
    """Write a plot of the responses.

    Raises:
        InvalidValue: no actuator has a state.
    """
    found = responses(vessel)
    if not found:
        raise InvalidValue(f"{vessel.name}: its actuators have no dynamics to plot")
    units = list(dict.fromkeys(one.unit for one in found))
    figure, panels = pictures.panels(len(units), 1, (6.4, 0.8 + 2.6 * len(units)))
    for panel, unit in zip(panels[:, 0], units, strict=True):
        for i, one in enumerate(one for one in found if one.unit == unit):
            colour = COLOURS[i % len(COLOURS)]
            middle = 0.5 * one.times[-1]
            steps = ([0.0, 0.0, middle, middle, one.times[-1]], [0.0, *[one.command] * 2, 0.0, 0.0])
            panel.plot(*steps, "--", color=colour, lw=0.8)
            panel.plot(one.times, one.states, color=colour, lw=1.8, label=one.name)
        pictures.labelled(panel, "", "", "-" if unit == "1" else unit)
        panel.legend(frameon=False)
    panels[-1, 0].set_xlabel("time [s]")
    panels[0, 0].set_title(f"{vessel.name}: commands dashed, actuators drawn through", loc="left")
    pictures.write(figure, path)
