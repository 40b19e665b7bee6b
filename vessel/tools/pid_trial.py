"""Steps of a vessel under the marine PID, on its own equations: whether gains do their work.

The controller is that of the app, at its tick; each loop is tried alone, from steady motion ahead.
Sensors and the helm come in addition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import degrees

from steerageway.vessel.bounds import bounded
from steerageway.vessel.errors import VesselError
from steerageway.vessel.fossen.commands import ActuatorMap
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.state import PSI, THETA, U_, Z_
from steerageway.vessel.pid import Gains, PidEngine, PidParameters, ScalarPid
from steerageway.vessel.tools.closed_loop import answer_of
from steerageway.vessel.tools.turning import TURN, UnderWay
from steerageway.world.arrays import Floats

DIVE, FASTER = 5.0, 0.1  # steps of depth [m], and of speed as a fraction of it
PATIENCE = {"turn": 60.0, "speed": 120.0, "dive": 120.0}  # least duration [s]
LONGER = 6.0  # duration over the settling time of the design
Law = Callable[[Floats, float], Floats]


def tried(
    vessel: Dynamics,
    orders: ActuatorMap,
    case: UnderWay,
    block: Mapping[str, float | str],
    designed: Mapping[str, float],
) -> Iterator[str]:
    """Yield what steps do with the gains of a block, a sentence each.

    Args:
        vessel: the vessel. orders: its map. case: from where the steps start.
        block: parameters of ``pMarinePIDV22``, with ``AppTick`` [Hz].
        designed: settling time of each loop's design [s], ``turn``, ``speed`` or ``dive``.
    """
    tick, speed = 1.0 / float(block["AppTick"]), float(case.x[U_])
    steps = {
        "turn": (TURN, degrees(1.0), PSI, f"a turn of {TURN:g} degrees"),
        "speed": (FASTER * speed, 1.0, U_, f"a change of speed of {FASTER * speed:.2g} m/s"),
        "dive": (DIVE, 1.0, Z_, f"a dive of {DIVE:g} m"),
    }
    for loop, time in designed.items():
        size, scale, state, text = steps[loop]
        law = _speed_law if loop == "speed" else _steering_law
        long = max(PATIENCE[loop], LONGER * time)
        try:
            command, x, states = law(orders, case, block, {loop: size}), case.x, []
            for k in range(round(long / tick)):
                x = case.advanced(vessel, orders, x, command(x, k * tick), tick)
                states.append(x)
        except VesselError as error:
            yield f"warning: {text}: its model fails: {error}".partition("\n")[0]
            continue
        track = [scale * float(x[state] - case.x[state]) for x in states]
        yield answer_of(size, track, tick).said(text, tick)


def _gains(block: Mapping[str, float | str], loop: str) -> Gains:
    kp, kd = (float(block.get(f"{loop}_pid_{gain}", 0.0)) for gain in ("kp", "kd"))
    return Gains(kp=kp, kd=kd)


def _steering_law(
    orders: ActuatorMap,
    case: UnderWay,
    block: Mapping[str, float | str],
    step: Mapping[str, float],
) -> Law:
    """Return the law of heading and depth, at a constant thrust."""
    engine = PidEngine(
        PidParameters(
            yaw=_gains(block, "yaw"),
            pitch=_gains(block, "pitch"),
            z_to_pitch=_gains(block, "z_to_pitch"),
            speed_factor=case.thrust,
            max_rudder=float(block.get("maxrudder", 100.0)),
            max_pitch=float(block.get("maxpitch", 15.0)),
            max_elevator=float(block.get("maxelevator", 13.0)),
            depth_control=block["depth_control"] == "true",
            simulation=True,
        )
    )
    engine.take_control()
    first = case.x

    def law(x: Floats, time: float) -> Floats:
        for told, value in (
            (engine.desired_speed, 1.0),
            (engine.speed, 1.0),
            (engine.desired_heading, degrees(float(first[PSI])) + step.get("turn", 0.0)),
            (engine.heading, degrees(float(x[PSI]))),
            (engine.desired_depth, float(first[Z_]) + step.get("dive", 0.0)),
            (engine.depth, float(x[Z_])),
            (engine.pitch, float(x[THETA])),
        ):
            told.tell(value, time)
        out = engine.step(time)
        return orders.commands(out.rudder, out.thrust, out.elevator)

    return law


def _speed_law(
    orders: ActuatorMap,
    case: UnderWay,
    block: Mapping[str, float | str],
    step: Mapping[str, float],
) -> Law:
    """Return the law of speed, whose output is a change of the last thrust."""
    pid, thrust, wanted = ScalarPid(_gains(block, "speed"), 100.0), [case.thrust], float(case.x[U_])

    def law(x: Floats, time: float) -> Floats:
        change = pid.step(wanted + step["speed"] - float(x[U_]), time)
        thrust[0] = max(bounded(thrust[0] + change, 100.0), 0.0)
        return orders.commands(thrust=thrust[0])

    return law
