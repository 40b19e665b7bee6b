"""Figures of a kinematic vessel's block: speed, turning and diving, as text and as a picture.

``steerageway vessel show alpha.moos --output alpha.png`` repeats the figures of the manual of
``uSimMarineV22`` for any block: each curve is computed by steps of the model itself. Every tool of
``steerageway vessel`` takes a vessel of ``model = fossen`` with the lines of its block.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from steerageway.apps.shared.generation import FMU, FOSSEN, MODELS, generation_of
from steerageway.apps.shared.simulator import SIMULATORS, Simulator, simulator_of
from steerageway.apps.shared.terminal import ignoring_closed_pipe, say
from steerageway.apps.shared.vessel_options import FossenOptions
from steerageway.apps.vessels.usim_marine.parameters import SimulatorOptions
from steerageway.apps.vessels.usim_marine.reading import in_force, read_craft
from steerageway.bus import ConfigError
from steerageway.declarations.arguments import Parser
from steerageway.moos.errors import FormatError
from steerageway.moos.mission import read_mission
from steerageway.vessel.craft import Craft
from steerageway.vessel.errors import VesselError
from steerageway.vessel.kinematic import KinematicParameters
from steerageway.vessel.model import Inputs, Motion
from steerageway.vessel.thrust_map import FULL, ThrustMap
from steerageway.world import pictures

SHARES = (25.0, 50.0, 75.0, 100.0)  # of rudder and elevator, one curve each [%]
MISSION = ".moos"
STEP = 0.1  # [s]
LONG = 1000  # steps until the speed has settled
DEEP = 1000.0  # deep enough not to reach the surface in a step [m]
PARTS = 25  # intervals of a curve


class BlockVessel(NamedTuple):
    """The vessel of a simulator's block: the block's name, its model, and parameters."""

    name: str
    kind: str
    craft: Craft[Motion]
    parameters: KinematicParameters


def read_simulator(path: Path) -> Simulator:
    """Return the simulator of a mission file.

    Raises:
        FormatError, ConfigError: there is none, or a line is invalid.
    """
    found = simulator_of(read_mission(path, environment=os.environ))
    if found is None:
        raise ConfigError(
            str(path), "Run", "no simulator", f"expected one of {', '.join(SIMULATORS)}"
        )
    model = found.block.choice("model", default=found.kind.default_model, among=MODELS)
    return found._replace(model=model)


def read_block(path: Path) -> BlockVessel:
    """Read the block of a thrust-map vessel.

    Raises:
        FormatError, ConfigError: there is no block, a line is invalid, or it has another model.
    """
    name, _, config, model = read_simulator(path)
    if model in (FMU, FOSSEN):
        expected = "expected a thrust-map vessel: this one's figures are not known by its block"
        raise ConfigError(str(path), "model", model, expected)
    config = in_force(config, model, warn=lambda doubt, where: None)
    options = SimulatorOptions.read(config)
    craft = read_craft(options, config, generation_of(model), warn=lambda doubt, where: None)
    parameters: KinematicParameters = craft.model.parameters  # type: ignore[attr-defined]
    return BlockVessel(name, model, craft, parameters)


def lines(vessel: BlockVessel) -> Iterator[str]:
    """Yield the figures as text."""
    chart = vessel.parameters.thrust_map
    yield f"{vessel.name}, model = {vessel.kind}"
    thrusts = range(-100, 101, 20)
    yield "speed [m/s] by thrust [%]: " + _pairs((t, chart.speed(t)) for t in thrusts)
    speeds = sorted({round(chart.speed(t), 3) for t in thrusts})
    yield "thrust [%] by speed [m/s]: " + _pairs((s, chart.thrust(s)) for s in speeds)
    thrusts = range(20, 101, 20)
    turns = {t: turn(vessel, t, FULL) for t in thrusts}
    yield "turn [deg/s] at full rudder, by thrust [%]: " + _pairs(
        (t, rate) for t, (rate, _) in turns.items()
    )
    yield "speed [m/s] in that turn, by thrust [%]: " + _pairs(
        (t, speed) for t, (_, speed) in turns.items()
    )
    yield "depth [m/s, down] at full elevator, by speed [m/s]: " + _pairs(
        (chart.speed(t), depth_rate(vessel, chart.speed(t), FULL)) for t in thrusts
    )


def _pairs(pairs: Iterator[tuple[float, float]]) -> str:
    return ", ".join(f"{a:g}: {round(b, 4) + 0.0:g}" for a, b in pairs)


def settled(vessel: BlockVessel, thrust: float, rudder: float) -> Motion:
    """Return the steady motion under commands [%]."""
    motion = Motion(depth=DEEP)
    inputs = Inputs(thrust=thrust, rudder=rudder)
    for _ in range(LONG):
        motion = vessel.craft.model.step(motion, inputs, STEP)
    return vessel.craft.model.settled(motion, inputs)


def turn(vessel: BlockVessel, thrust: float, rudder: float) -> tuple[float, float]:
    """Return the steady rate of turn [deg/s] under commands [%], and the speed in it [m/s]."""
    before = settled(vessel, thrust, rudder)
    after = vessel.craft.model.step(before, Inputs(thrust=thrust, rudder=rudder), STEP)
    return ((after.heading - before.heading + 180.0) % 360.0 - 180.0) / STEP, before.speed


def depth_rate(vessel: BlockVessel, speed: float, elevator: float) -> float:
    """Return the depth rate at a speed, for an elevator command [%] [m/s, down]."""
    inputs = Inputs(thrust=vessel.parameters.thrust_map.thrust(speed), elevator=elevator)
    motion = Motion(depth=DEEP, speed=speed)
    for _ in range(LONG):
        before, motion = motion, vessel.craft.model.step(motion, inputs, STEP)
    return (motion.depth - before.depth) / STEP


def draw(vessel: BlockVessel, path: Path) -> None:
    """Write a picture of six panels."""
    chart = vessel.parameters.thrust_map
    figure, panels = pictures.panels(2, 3, (11.0, 6.4))
    figure.suptitle(f"{vessel.name}, model = {vessel.kind}", x=0.01, ha="left")
    by_thrust, inverse, depths, turns, turns_by_speed, loss = panels.flat
    _draw_map(by_thrust, inverse, chart)
    ahead = [FULL * k / PARTS for k in range(PARTS + 1)]
    speeds = [chart.speed(FULL) * k / PARTS for k in range(PARTS + 1)]
    cruise = [chart.speed(thrust) for thrust in ahead]
    for share in SHARES:
        label = f"{share:g} %"
        depths.plot(speeds, [depth_rate(vessel, s, share) for s in speeds], label=label)
        rates, slowed = zip(*(turn(vessel, thrust, share) for thrust in ahead), strict=True)
        turns.plot(ahead, rates, label=label)
        turns_by_speed.plot(cruise, rates, label=label)
        loss.plot(ahead, slowed, label=label)
    for panel, title, x, y in (
        (depths, "diving, by elevator", "speed [m/s]", "depth rate [m/s, down]"),
        (turns, "turning, by rudder", "thrust [%]", "turn [deg/s]"),
        (turns_by_speed, "turning, by rudder", "speed straight ahead [m/s]", "turn [deg/s]"),
        (loss, "speed in a turn, by rudder", "thrust [%]", "speed [m/s]"),
    ):
        pictures.labelled(panel, title, x, y)
        panel.legend(frameon=False, fontsize="small")
    pictures.write(figure, path)


def _draw_map(by_thrust: Any, inverse: Any, chart: ThrustMap) -> None:
    thrusts = [2.0 * FULL * k / PARTS - FULL for k in range(PARTS + 1)]
    by_thrust.plot(thrusts, [chart.speed(thrust) for thrust in thrusts])
    given = [(-FULL, chart.speed(-FULL)), *chart.astern, (0.0, 0.0), *chart.ahead]
    by_thrust.plot(*zip(*given, strict=True), "o", ms=4)
    pictures.labelled(by_thrust, "the thrust map", "thrust [%]", "speed [m/s]")
    low, high = chart.speed(-FULL), chart.speed(FULL)
    speeds = [low + (high - low) * k / PARTS for k in range(PARTS + 1)]
    inverse.plot(speeds, [chart.thrust(speed) for speed in speeds])
    pictures.labelled(inverse, "its inverse", "speed [m/s]", "thrust of least size [%]")


def main(arguments: Sequence[str], prog: str) -> int:
    """Show the vessel of a mission file, or use another tool on it; return the exit code.

    Args:
        arguments: the tool, and its arguments, among them the file.
        prog: how the program was called.
    """
    mission = Path(next(word for word in arguments if word.endswith(MISSION)))
    try:
        simulator = read_simulator(mission)
        if simulator.model == FOSSEN:
            from steerageway.apps.shared.vessel_block import read_choice
            from steerageway.vessel.__main__ import main as tools

            mapped = FossenOptions.read(simulator.block).actuator_map
            home = mission.resolve().parent
            choice = read_choice(simulator.block, (home, *home.parents), mapped=mapped)
            return tools(arguments, prog, choice)
        tool, *others = arguments
        if tool != "show":
            expected = f"expected model = fossen, whose vessel is made of files, for {tool}"
            raise ConfigError(str(mission), "model", simulator.model, expected)
    except (FormatError, ConfigError) as error:
        print(error, file=sys.stderr)
        return 2
    with ignoring_closed_pipe():
        return _show(others, f"{prog} {tool}")
    return 0


def _show(arguments: Sequence[str], prog: str) -> int:
    """Show a thrust-map vessel; return the exit code."""
    parser = Parser(prog=prog, description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("mission", type=Path, metavar=f"MISSION{MISSION}")
    parser.add_argument("--output", type=Path, help="picture to write, as alpha.png")
    options = parser.parse_args(arguments)
    try:
        vessel = read_block(options.mission)
        for line in lines(vessel):
            say(line)
        if options.output is not None:
            draw(vessel, options.output)
    except (FormatError, ConfigError, VesselError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0
