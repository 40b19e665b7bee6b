"""``steerageway vessel tune NAME``: a configuration block with gains for the marine PID.

The vessel is linearised at a thrust, and gains of each loop are searched on the linear model; see
``design``. If none keep its heading, they are searched on the vessel itself; see ``turning``. The
slowest sufficient tick is chosen. Speed is controlled by a factor if thrust and speed are nearly
proportional, else by a loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import degrees, inf, radians
from typing import Any, NamedTuple

import numpy as np

from steerageway.vessel.errors import InvalidValue, NotFinite, OutsideEnvelope
from steerageway.vessel.fossen.commands import ActuatorMap
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.state import ACTUATORS, U_
from steerageway.vessel.tools.design import (
    Bounds,
    NoGains,
    OutOfReach,
    Plant,
    StepResponse,
    best_dive,
    best_turn,
    integrating,
    response_time,
    sampled,
)
from steerageway.vessel.tools.linear import eigenvalues
from steerageway.vessel.tools.pid_trial import DIVE, FASTER, tried
from steerageway.vessel.tools.trials import drives, full_ahead
from steerageway.vessel.tools.turning import TURN, TurnSimulator, UnderWay
from steerageway.world.arrays import Floats

THRUST = 60.0  # [%]
OTHERS = (0.5, 1.5)  # fractions of it at which heading and depth have to be kept, too
MOST_THRUST = 100.0 / OTHERS[1]  # [%]
TICKS = (4.0, 10.0, 20.0)  # [Hz]
RUDDERS = (100.0, 50.0, 25.0, 12.5)  # limits of the rudder to try [%]
MAX_ELEVATOR = 13.0  # [deg]
MAX_PITCH = 15.0  # [deg]
SLIGHT = 1e-3  # small angle, rate or fraction
PROPORTIONAL = 0.1  # maximum relative error of the speed with a factor


class Loops(NamedTuple):
    """Gains of heading (with the rudder limit) and depth, and the PID's tick rate [Hz].

    ``nonlinear``: found on the vessel itself, not on the linear model.
    """

    tick: float
    heading: tuple[StepResponse, float] | None
    depth: StepResponse | None
    nonlinear: bool


def tune(vessel: Dynamics, thrust: float = THRUST) -> Iterator[str]:
    """Yield the lines of a ``pMarinePIDV22`` block.

    Args:
        thrust: operating point [%]; the gains are valid from half to one and a half of it.

    Raises:
        InvalidValue: the vessel cannot be steered, or no gains were found.
    """
    orders = orders_of(vessel)
    turns, dives = orders.rudder.any(), orders.elevator.any()
    if not (turns or dives):
        raise InvalidValue(f"{vessel.name}: nothing answers to a rudder or an elevator order")
    if not drives(vessel, orders) and vessel.initial[U_] <= 0:
        raise InvalidValue(f"{vessel.name}: at rest, with nothing that drives it ahead")
    if not 0 < thrust <= MOST_THRUST:
        raise InvalidValue(
            f"--thrust {thrust:g}: expected a number above 0, {MOST_THRUST:.4g} at most"
        )
    cases = list(_under_way(vessel, orders, thrust))
    tick, heading, depth, nonlinear = _loops(vessel, orders, cases)
    yield f"// {vessel.name}, linearised at {cases[0].x[U_]:.3g} m/s. {_heading_comment(heading)}"
    if nonlinear:
        yield "// None did so on the vessel linearised: these were tried on the vessel itself."
    if _slows_down(vessel, orders):
        yield "// Nothing of its own drives it: the gains are for the speed it starts with."
    speed, accelerating = _speed(vessel, orders, cases[0], tick)
    block = ["ProcessConfig = pMarinePIDV22", "{", f"  AppTick = {tick:g}", "", *speed, ""]
    block += [*_turning(heading), *_diving(depth)]
    yield from block
    loops = {"turn": heading and heading[0], "speed": accelerating, "dive": depth}
    designed = {name: answer.settling for name, answer in loops.items() if answer}
    yield "  // Tried on the vessel itself, in still water:"
    for line in tried(vessel, orders, cases[0], as_data(block)["parameters"], designed):
        yield f"  //   {line}"
    yield "}"


def as_data(block: Sequence[str]) -> dict[str, Any]:
    """Return a block as data: ``parameters`` by name, and its comments as ``remarks``."""
    parameters: dict[str, float | str] = {}
    for line in block:
        name, equals, value = (part.strip() for part in line.partition("="))
        if equals and not line.startswith(("//", "ProcessConfig")):
            parameters[name] = value if value in ("true", "false") else float(value)
    remarks = [line.lstrip(" /") for line in block if line.lstrip().startswith("//")]
    return {"app": "pMarinePIDV22", "parameters": parameters, "remarks": remarks}


def _under_way(vessel: Dynamics, orders: ActuatorMap, thrust: float) -> Iterator[UnderWay]:
    """Yield the steady states at a thrust, and at less and more."""
    thrusts = (thrust, *(share * thrust for share in OTHERS))
    for each in thrusts if orders.thrust.any() else thrusts[:1]:
        try:
            yield UnderWay(each, full_ahead(vessel, orders, each))
        except (NotFinite, OutsideEnvelope) as error:
            what = f"at {each:g} % thrust, rudder amidships, its model fails: {error.what}"
            raise InvalidValue(f"{vessel.name}: {what}") from error


def _loops(vessel: Dynamics, orders: ActuatorMap, cases: Sequence[UnderWay]) -> Loops:
    """Return the gains of the slowest sufficient tick, on the linear model, else the vessel."""
    turns, dives = orders.rudder.any(), orders.elevator.any()
    depths: dict[float, StepResponse | NoGains | None] = {}
    lost, why = "heading", NoGains()
    for nonlinear in (False, True):
        for tick in TICKS:
            if tick not in depths:
                depths[tick] = _depth_or_why(vessel, orders, cases, 1 / tick) if dives else None
            try:
                heading = _heading(vessel, orders, cases, 1 / tick, nonlinear) if turns else None
            except NoGains as error:
                if not nonlinear:
                    lost, why = "heading", error
                continue
            depth = depths[tick]
            if not isinstance(depth, NoGains):
                return Loops(tick, heading, depth, nonlinear)
            lost, why = "depth", depth
        if lost == "depth":
            break
    raise InvalidValue(_untunable(vessel, orders, cases, lost, why)) from why


def _depth_or_why(
    vessel: Dynamics, orders: ActuatorMap, cases: Sequence[UnderWay], tick: float
) -> StepResponse | NoGains:
    try:
        return _depth(vessel, orders, cases, tick)
    except NoGains as error:
        return error


def _untunable(
    vessel: Dynamics, orders: ActuatorMap, cases: Sequence[UnderWay], lost: str, why: NoGains
) -> str:
    """Return the error that no gains were found, with the instability and a suggestion."""
    of = ", ".join(f"{case.thrust:g}" for case in sorted(cases, key=lambda case: case.thrust))
    growth = {
        case.thrust: float(eigenvalues(vessel, case.x, orders.commands(thrust=case.thrust))[0].real)
        for case in cases
    }
    worst = max(growth, key=lambda thrust: growth[thrust])
    text = f"{vessel.name}: none of the gains tried keeps its {lost}, linearised at {of} % thrust"
    text += f": {why}"
    if why.advice:
        return f"{text}. Try {why.advice}"
    advice = [f"--thrust below {cases[0].thrust:g}"] if orders.thrust.any() else []
    if growth[worst] > SLIGHT:
        text += f"; left alone at {worst:g} % it goes off e-fold in {1 / growth[worst]:.2g} s"
        if lost == "heading":
            advice.insert(0, "N_uv and Y_uv, as of a skeg (steerageway help vessel_files)")
    advice.append("gains by hand (steerageway help pid)")
    return f"{text}. Try {', or '.join(advice)}"


def _slows_down(vessel: Dynamics, orders: ActuatorMap) -> bool:
    """Return whether it loses its initial speed, as it has no thrusters."""
    rates = vessel.derivative(vessel.initial, orders.commands(), vessel.surroundings())
    return not orders.thrust.any() and bool(rates[U_] < -SLIGHT * vessel.initial[U_])


def _heading_comment(heading: tuple[StepResponse, float] | None) -> str:
    if heading is None:
        return "Nothing steers it."
    answer, _ = heading
    return (
        f"A turn of {TURN:g} degrees\n// settles in {answer.settling:.3g} s, "
        f"{100 * answer.overshoot:.0f} % beyond at most."
    )


def _turning(heading: tuple[StepResponse, float] | None) -> Iterator[str]:
    if heading is None:
        return
    answer, most = heading
    yield f"  yaw_pid_kp = {answer.gains[0]:.3g}"
    yield f"  yaw_pid_kd = {answer.gains[1]:.3g}"
    if most < 100.0:
        yield "  // more rudder takes too long from side to side"
        yield f"  maxrudder  = {most:g}"
    yield ""


def _heading(
    vessel: Dynamics, orders: ActuatorMap, cases: Sequence[UnderWay], tick: float, nonlinear: bool
) -> tuple[StepResponse, float]:
    """Return the gains from heading error [deg] to rudder [%], and the limit of the rudder [%].

    Raises:
        NoGains: no gains are good enough; of full rudder.
    """
    slew = _rudder_speed(vessel, orders, cases[0].x)
    plants = [_yaw(vessel, orders, case, tick)._replace(slew=slew) for case in cases]
    simulator = TurnSimulator(vessel, orders, cases)
    whys: list[NoGains] = []
    for most in RUDDERS:
        try:
            time = response_time(plants[0], TURN, most)
            if not nonlinear:
                found = best_turn(plants, TURN, most, most / TURN, time)
                if simulator.completes_large_turn(found, most, tick):
                    return found, most
                whys.append(NoGains(f"those for {TURN:g} degrees do not complete a large turn"))
            elif answer := simulator.best(most, tick, time):
                return answer, most
            else:
                whys.append(NoGains("it completes no turn, or swings too far, with any of them"))
        except NoGains as error:
            whys.append(error)
        except OutOfReach as error:
            limit = f"a rudder of {most:g} % turns it {error.reached:.2g} degrees at most"
            more = f", or --thrust above {cases[0].thrust:g}" if orders.thrust.any() else ""
            whys.append(NoGains(f"{limit}: expected {TURN:g}", f"a larger rudder{more}"))
    raise whys[0]


def _rudder_speed(vessel: Dynamics, orders: ActuatorMap, x: Floats) -> float:
    """Return the rate limit of the steering actuators [%/s]; inf if there is only a lag."""
    instant = 1 / TICKS[-1]
    slowest = inf
    for i in np.flatnonzero(orders.rudder).tolist():
        high = orders.high[i]
        full, little = (_moved(vessel, x, i, part * high, instant) for part in (1, SLIGHT))
        if full < 0.9 * little / SLIGHT:
            slowest = min(slowest, 100 * full / (high * instant))
    return slowest


def _moved(vessel: Dynamics, x: Floats, i: int, value: float, time: float) -> float:
    """Return the change of an actuator's state from zero towards a value in a time [s]."""
    command, state = np.zeros(len(vessel.commands)), x.copy()
    command[i] = value
    state[ACTUATORS:] = 0.0
    after = vessel.step(state, command, vessel.surroundings(), time / 4, steps=4)
    return abs(float(after[ACTUATORS + i]))


def _yaw(vessel: Dynamics, orders: ActuatorMap, case: UnderWay, tick: float) -> Plant:
    """Return the plant from rudder [%] to heading [deg] of a vessel under way."""
    thrust, x = case
    base = orders.commands(thrust=thrust)
    per_cent = (orders.commands(rudder=1.0, thrust=thrust) - base) * degrees(1.0)
    states = [5, 3, 7, 9, 11, *range(ACTUATORS, x.size)]
    return sampled(vessel, x, base, per_cent, states, tick)


def _speed(
    vessel: Dynamics, orders: ActuatorMap, cruise: UnderWay, tick: float
) -> tuple[list[str], StepResponse | None]:
    """Return lines: a speed factor, or gains from speed error [m/s] to the change of thrust [%]."""
    speed = float(cruise.x[U_])
    slow = full_ahead(vessel, orders, cruise.thrust / 2)[6]
    if not orders.thrust.any() or abs(2 * slow - speed) <= PROPORTIONAL * speed:
        return [f"  speed_factor = {cruise.thrust / speed:.3g}"], None
    base = orders.commands(thrust=cruise.thrust)
    per_cent = orders.commands(thrust=cruise.thrust + 1) - base
    states = [6, *range(ACTUATORS, cruise.x.size)]
    plant = sampled(vessel, cruise.x, base, per_cent, states, 1 / tick)
    step = FASTER * speed
    lost = f"{vessel.name}: no gains keep a speed of {speed:.3g} m/s"
    try:
        # The loop's time constant is about that of full thrust, but at least twenty ticks, since
        # the derivative averages nine differences.
        time = max(response_time(plant, step, 100.0 - cruise.thrust), 20 / tick)
        first = (100.0 - cruise.thrust) / step / (tick * time)
        loop = best_turn([integrating(plant)], step, 100.0, first, time)
    except OutOfReach as error:
        more = f"full thrust adds {error.reached:.2g} m/s at most, expected {step:.2g}"
        raise InvalidValue(f"{lost}: {more}. Try --thrust below {cruise.thrust:g}") from error
    except NoGains as error:
        raise InvalidValue(f"{lost}: {error}. Try another --thrust") from error
    names = ("speed_pid_kp", "speed_pid_kd")
    return [f"  {name} = {gain:.3g}" for name, gain in zip(names, loop.gains, strict=True)], loop


def _depth(
    vessel: Dynamics, orders: ActuatorMap, cases: Sequence[UnderWay], tick: float
) -> StepResponse:
    """Return the gains from depth error [m] to pitch and from pitch error to elevator [rad].

    Raises:
        NoGains: no gains are good enough.
        InvalidValue: its elevator is too weak.
    """
    plants = [_dive(vessel, orders, case, tick) for case in cases]
    bounds = Bounds(radians(MAX_PITCH), radians(MAX_ELEVATOR))
    speed = float(cases[0].x[U_])
    try:
        time = response_time(plants[0], DIVE / 10, bounds.elevator)
    except OutOfReach as error:
        limit = f"an elevator of {MAX_ELEVATOR:g} degrees takes it {error.reached:.2g} m deeper"
        raise InvalidValue(
            f"{vessel.name}: no gains keep its depth: {limit} at most at {cases[0].thrust:g} % "
            f"thrust: expected {DIVE / 10:g} m. Try larger fins, more speed, less buoyancy or a "
            "start below the surface"
        ) from error
    return best_dive(plants, DIVE, bounds, speed, time)


def _dive(vessel: Dynamics, orders: ActuatorMap, case: UnderWay, tick: float) -> Plant:
    """Return the plant from elevator [rad] to depth and pitch of a vessel under way."""
    thrust, x = case
    base = orders.commands(thrust=thrust)
    bow_down = (orders.commands(thrust=thrust, elevator=degrees(SLIGHT)) - base) / SLIGHT
    states = [2, 4, 6, 8, 10, *range(ACTUATORS, x.size)]
    return sampled(vessel, x, base, bow_down, states, tick)


def _diving(depth: StepResponse | None) -> Iterator[str]:
    if depth is None:
        yield "  depth_control = false"
        return
    kp, kd, kz = depth.gains
    yield f"  // a dive of {DIVE:g} m settles in {depth.settling:.3g} s"
    yield "  depth_control     = true"
    yield f"  maxpitch          = {MAX_PITCH:g}"
    yield f"  maxelevator       = {MAX_ELEVATOR:g}"
    yield f"  pitch_pid_kp      = {kp:.3g}"
    yield f"  pitch_pid_kd      = {kd:.3g}"
    yield f"  z_to_pitch_pid_kp = {kz:.3g}"
