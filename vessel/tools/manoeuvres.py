"""``steerageway vessel trials NAME``: manoeuvring trials, with tracks and figures as data.

Each event is a dictionary, a line of JSON on the command line: ``progress`` before a trial,
``result`` after it, ``end`` after all. A process that prints them may be ended at any time. Runs
are deterministic, in still water, from rest or from the speed at full thrust.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import degrees, log, pi, radians, sqrt
from typing import Any

import numpy as np

from steerageway.vessel.errors import InvalidValue, NotFinite, OutsideEnvelope
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.layout import M_INV
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.state import ACTUATORS, PHI, PSI, R_, U_, shown
from steerageway.vessel.tools import spiral
from steerageway.vessel.tools.closed_loop import at_rest, pushed
from steerageway.vessel.tools.inertia import coefficients
from steerageway.vessel.tools.trials import (
    DT,
    NOT_BACK,
    PATIENCE,
    SAMPLE,
    circle_of,
    drives,
    full_ahead,
    turning_track,
    without_propulsion,
    zigzag,
    zigzag_rudder,
)
from steerageway.world.arrays import Floats

POINTS = 1000  # maximum number of points of a track
PER_SAMPLE = round(SAMPLE / DT)
INITIAL_TURN = 10.0  # change of heading, by as much rudder, of the initial turning ability [deg]
STOPPED = 0.1  # fraction of the initial speed at the end of a stop
HALF, RUDDER = 50.0, 25.0  # thrust and rudder of the step responses [%]
STEP_TIME = 60.0  # [s]
SLIGHTLY = 0.01  # acceleration at the start of a step of force [m/s², rad/s²]
AXES = ("surge", "sway", "heave", "roll", "pitch", "yaw")
HEEL, DECAY_TIME = 10.0, 60.0  # [deg], [s]
DECAYED = 0.05  # fraction of the first heel below which a swing is not counted
SEA_TIME, SEA_START, SEA_THRUST = 120.0, 20.0, 50.0  # [s], [s], [%]
DEGREES = ("phi", "theta", "psi", "p", "q", "r")
COLUMNS = ("x", "y", "z", "phi", "theta", "psi", "u", "v", "w", "p", "q", "r")
LENGTH, SPEED, TIME, RATE, ANGLE = "m", "m/s", "s", "°/s", "°"
UNITS = {
    **dict.fromkeys(("top_speed", "from_speed", "speed"), SPEED),
    **dict.fromkeys(("time", "time_to_63_percent", "time_to_99_percent"), TIME),
    **dict.fromkeys(("time_constant", "period"), TIME),
    **dict.fromkeys(("distance_to_99_percent", "head_reach", "track_reach", "advance"), LENGTH),
    **dict.fromkeys(("transfer", "tactical_diameter", "initial_turning", "radius"), LENGTH),
    **dict.fromkeys(("significant_heave", "displacement"), LENGTH),
    **dict.fromkeys(("rate", "gain_per_percent", "loop_height", "full_rate", "difference"), RATE),
    **dict.fromkeys(("first_overshoot", "second_overshoot"), ANGLE),
    **dict.fromkeys(("significant_roll", "significant_pitch"), ANGLE),
    "force": "N",
    "loop_width": "%",
    "slope": "% per °/s",
}
"""Units of the trials' figures; those of names that have a number in them are by ``unit_of``."""
TURNED = tuple(f"{axis}_force" for axis in AXES[3:])
OF_TURNED = {"force": "N m", "speed": "rad/s", "displacement": "rad"}
Outcome = tuple[dict[str, float], Floats, Floats]
"""Figures, times (n,) [s], and states (n, 12 + m)."""

# The trials of a run without --only; spirals and pull_out take longer.
NAMES = (
    *("acceleration", "stop", "crash_stop", "turning_circle", "zigzag_10", "zigzag_20"),
    *("thrust_step", "rudder_step", "roll_decay", "waves"),
)


class Trials:
    """Trials of a vessel."""

    def __init__(self, vessel: Dynamics, sea_state: int = 3) -> None:
        self.vessel, self.orders = vessel, orders_of(vessel)
        self.sea_state = sea_state
        self._cruise: Floats | None = None

    @property
    def cruise(self) -> Floats:
        """Return the steady state at full thrust, computed once."""
        if self._cruise is None:
            self._cruise = full_ahead(self.vessel, self.orders)
        return self._cruise

    def events(self, names: Sequence[str] = NAMES) -> Iterator[dict[str, Any]]:
        """Yield the events of some trials.

        Raises:
            InvalidValue: an unknown name of a trial.
        """
        unknown = [name for name in names if name not in TRIALS]
        if unknown:
            raise InvalidValue(f"{unknown[0]}: no such trial; expected {', '.join(TRIALS)}")
        for i, name in enumerate(names):
            yield {"event": "progress", "trial": name, "share": i / len(names)}
            yield self._result(name)
        yield {"event": "end", "vessel": self.vessel.name}

    def _result(self, name: str) -> dict[str, Any]:
        result: dict[str, Any] = {"event": "result", "trial": name}
        try:
            figures, times, states = TRIALS[name](self)
        except (InvalidValue, NotFinite, OutsideEnvelope) as error:
            return {**result, "figures": {}, "series": {}, "without": str(error)}
        return {**result, "figures": figures, "series": series(self.vessel, times, states)}


def series(vessel: Dynamics, times: Floats, states: Floats) -> dict[str, list[float]]:
    """Return columns of a track: t [s], the pose [m, deg], velocities [m/s, deg/s], actuators."""
    every = max(1, -(-len(times) // POINTS))
    kept = np.unique(np.append(np.arange(0, len(times), every), len(times) - 1))
    found = {"t": times[kept]}
    for i, name in enumerate(COLUMNS):
        scale = degrees(1.0) if name in DEGREES else 1.0
        found[name] = scale * states[kept, i]
    for i, channel in enumerate(vessel.actuators):
        found[channel.name] = shown(channel)[0] * states[kept, ACTUATORS + i]
    return {name: [float(f"{value:.9g}") for value in column] for name, column in found.items()}


def run(
    vessel: Dynamics,
    x: Floats,
    command: Floats,
    until: Callable[[Floats], bool],
    most: float = PATIENCE,
) -> tuple[Floats, Floats]:
    """Return times (n,) and states (n, 12 + m), until a condition holds or the time is over."""
    track = [x]
    for k in range(round(most / SAMPLE)):
        around = vessel.surroundings(time=k * SAMPLE)
        track.append(vessel.step(track[-1], command, around, DT, steps=PER_SAMPLE))
        if until(track[-1]):
            break
    return _times(track), np.array(track)


def _times(states: Sequence[Floats] | Floats) -> Floats:
    """Return the times (n,) [s] of states that are ``SAMPLE`` apart."""
    return np.arange(len(states)) * np.float64(SAMPLE)


def acceleration(trials: Trials) -> Outcome:
    """From rest to 99 % of top speed at full thrust."""
    top, to_63, times, states = _from_rest(trials, 100.0)
    figures = {"top_speed": top, "time_to_63_percent": to_63, "time_to_99_percent": times[-1]}
    figures = {name: float(value) for name, value in figures.items()}
    return {**figures, "distance_to_99_percent": _way(states)}, times, states


def _from_rest(trials: Trials, thrust: float) -> tuple[float, float, Floats, Floats]:
    """Return the speed at a thrust, the time to 63 % of it, and times and states up to 99 %."""
    _needs_thrust(trials)
    vessel, orders = trials.vessel, trials.orders
    last = float((trials.cruise if thrust == 100.0 else full_ahead(vessel, orders, thrust))[6])
    rest = vessel.initial.copy()
    rest[6:12] = 0.0
    command = orders.commands(thrust=thrust)
    times, states = run(vessel, rest, command, lambda x: float(x[U_]) >= 0.99 * last)
    reached = int(np.argmax(states[:, U_] >= (1.0 - np.exp(-1.0)) * last))
    return last, float(times[reached]), times, states


def stop(trials: Trials) -> Outcome:
    """From top speed with the thrust off to a tenth of it."""
    return _stopping(trials, 0.0, STOPPED * float(trials.cruise[6]))


def crash_stop(trials: Trials) -> Outcome:
    """From top speed with full thrust astern to rest."""
    _needs(trials.orders.low * trials.orders.thrust, "no propulsion astern")
    return _stopping(trials, -100.0, 0.0)


def _stopping(trials: Trials, thrust: float, slow: float) -> Outcome:
    _needs_thrust(trials)
    command = trials.orders.commands(thrust=thrust)
    times, states = run(trials.vessel, trials.cruise, command, lambda x: float(x[U_]) <= slow)
    figures = {"from_speed": float(trials.cruise[6]), "time": float(times[-1])}
    ahead = np.array([np.cos(states[0, PSI]), np.sin(states[0, PSI])])
    figures["head_reach"] = float((states[-1, :2] - states[0, :2]) @ ahead)
    return {**figures, "track_reach": _way(states)}, times, states


def turning(trials: Trials) -> Outcome:
    """A turn of 540 degrees at full thrust and rudder to starboard; see ``Circle``."""
    _needs(trials.orders.rudder, "no steering")
    path = turning_track(trials.vessel, trials.orders, trials.cruise)
    if path is None:
        raise InvalidValue(f"{trials.vessel.name}: no turn of 540 degrees within an hour")
    found = circle_of(path)._asdict()
    figures = {**found, "rate": degrees(found["rate"])}
    return figures, _times(path), path


def _zigzag(angle: float) -> Callable[[Trials], Outcome]:
    def trial(trials: Trials) -> Outcome:
        _needs(trials.orders.rudder, "no steering")
        seen: list[tuple[float, Floats]] = [(0.0, trials.cruise)]
        overshoots = zigzag(
            trials.vessel, trials.orders, trials.cruise, angle, lambda t, x: seen.append((t, x))
        )
        if overshoots is None:
            raise InvalidValue(f"{trials.vessel.name}: {NOT_BACK}")
        times, states = (np.array(column) for column in zip(*seen, strict=True))
        figures = {"first_overshoot": overshoots[0], "second_overshoot": overshoots[1]}
        rudder = zigzag_rudder(trials.orders, angle)
        if rudder is not None and rudder < angle:
            figures["rudder_angle"] = rudder
        elif angle == INITIAL_TURN:
            figures["initial_turning"] = _way_until(states, radians(angle))
        return figures, times, states

    return trial


def thrust_step(trials: Trials) -> Outcome:
    """From rest at half thrust: time to 63 % of the final speed."""
    last, to_63, times, states = _from_rest(trials, HALF)
    return {"speed": last, "time_constant": to_63}, times, states


def rudder_step(trials: Trials) -> Outcome:
    """From top speed a quarter of the rudder: yaw rate, and Nomoto's K and T from it."""
    orders = trials.orders
    _needs(orders.rudder, "no steering")
    command = orders.commands(rudder=RUDDER, thrust=100.0)
    times, states = run(trials.vessel, trials.cruise, command, lambda x: False, STEP_TIME)
    rates = states[:, R_]
    last = float(rates[-1])
    if abs(last) < 1e-9:
        raise InvalidValue(f"{trials.vessel.name}: it does not turn")
    reached = int(np.argmax(rates / last >= 1.0 - np.exp(-1.0)))
    figures = {"rate": degrees(last), "gain_per_percent": degrees(last) / RUDDER}
    return {**figures, "time_constant": float(times[reached])}, times, states


def roll_decay(trials: Trials) -> Outcome:
    """Released at rest from a heel of 10 degrees: period and damping ratio of the roll."""
    vessel = trials.vessel
    x = vessel.initial.copy()
    x[6:12] = 0.0
    rest = float(x[PHI])
    x[PHI] += radians(HEEL)
    command = np.zeros(len(vessel.commands))
    times, states = run(vessel, x, command, lambda x: False, DECAY_TIME)
    heel = states[:, PHI] - rest
    if abs(heel[-1] - heel[0]) < 1e-9:
        raise InvalidValue(f"{vessel.name}: roll is not free, or has no righting moment")
    tops = _tops(times, np.abs(heel))
    if len(tops) < 2:
        return {"swings": float(len(tops))}, times, states
    half = float(np.diff([t for t, _ in tops]).mean())
    ratios = [a / b for (_, a), (_, b) in pairwise(tops)]
    decrement = log(float(np.exp(np.mean(np.log(ratios))))) / pi
    figures = {"period": 2.0 * half, "damping_ratio": decrement / sqrt(1.0 + decrement**2)}
    return {**figures, "swings": float(len(tops))}, times, states


def _tops(times: Floats, heel: Floats) -> list[tuple[float, float]]:
    """Return time and amplitude of each swing, by a parabola through its highest three points."""
    found = []
    for i in range(1, len(heel) - 1):
        a, b, c = heel[i - 1 : i + 2].tolist()
        if a < b >= c and b > DECAYED * heel[0]:
            bend = a - 2.0 * b + c
            at = 0.5 * (a - c) / bend
            found.append((float(times[i]) + at * SAMPLE, b - 0.25 * (a - c) * at))
    return [(float(times[0]), float(heel[0])), *found]


def waves(trials: Trials) -> Outcome:
    """Half thrust in JONSWAP head seas: significant motions, 4 standard deviations."""
    vessel = _in_sea(trials)
    command = trials.orders.commands(thrust=SEA_THRUST)
    times, states = run(vessel, vessel.initial, command, lambda x: False, SEA_TIME)
    if vessel.wave_motion is not None:
        pairs = np.stack((states, np.zeros_like(states)), axis=1)
        states = vessel.wave_motion.added(pairs, times)[:, 0]
    late = states[times >= SEA_START]
    figures = {
        "significant_heave": 4.0 * float(late[:, 2].std()),
        "significant_roll": 4.0 * degrees(float(late[:, 3].std())),
        "significant_pitch": 4.0 * degrees(float(late[:, 4].std())),
        "speed": float(late[:, 6].mean()),
        "sea_state": float(trials.sea_state),
    }
    return figures, times, states


def spirals(trials: Trials) -> Outcome:
    """Dieudonné's spiral: steady yaw rates by rudder angle, and the loop of an unstable ship."""
    _needs(trials.orders.rudder, "no steering")
    rates, states = spiral.spiral(trials.vessel, trials.orders, trials.cruise)
    width, height = spiral.loop_of(rates)
    half = len(rates) // 2 + 1
    figures = {"loop_width": width, "loop_height": degrees(height)}
    by_angle = zip(spiral.SPIRAL[:half], rates[:half].tolist(), strict=True)
    figures |= {f"rate_at_{angle}_percent": degrees(rate) for angle, rate in by_angle}
    return figures, _times(states), states


def reverse_spirals(trials: Trials) -> Outcome:
    """Bech's spiral: the rudders that hold yaw rates; of an unstable ship they go the wrong way."""
    _needs(trials.orders.rudder, "no steering")
    full, rudders, states = spiral.reverse_spiral(trials.vessel, trials.orders, trials.cruise)
    held = dict(zip(spiral.RATES, rudders.tolist(), strict=True))
    figures = {"full_rate": degrees(full), "slope": (held[10] - held[-10]) / (0.2 * degrees(full))}
    figures |= {f"rudder_at_{share}_percent": rudder for share, rudder in held.items()}
    return figures, _times(states), states


def _force_step(axis: int) -> Callable[[Trials], Outcome]:
    def trial(trials: Trials) -> Outcome:
        """From rest a constant force or moment: what it comes to, and the time to 63 % of that."""
        vessel = trials.vessel
        x = at_rest(vessel)
        tau = np.zeros(6)
        tau[axis] = SLIGHTLY / coefficients(vessel).matrices[M_INV][axis, axis]
        # two runs: without the force it may sink or pitch to its place at rest
        free, states = (_under(vessel, x, force) for force in (np.zeros(6), tau))
        speed, moved = (states - free)[:, 6 + axis], (states - free)[:, axis]
        drives = abs(float(speed[-1])) > 0.5 * float(abs(speed).max())  # nothing restores it
        answer = speed if drives else moved
        reached = int(np.argmax(answer / answer[-1] >= 1.0 - np.exp(-1.0)))
        last = float(answer[-1])
        figures = {"force": float(tau[axis]), "speed" if drives else "displacement": last}
        times = _times(states)
        return {**figures, "time_constant": float(times[reached])}, times, states

    return trial


def _under(vessel: Dynamics, x: Floats, tau: Floats) -> Floats:
    """Return the states, every ``SAMPLE``, under a force (6,) on the hull."""
    track = [x]
    for _ in range(round(STEP_TIME / SAMPLE)):
        track.append(pushed(vessel, track[-1], tau, SAMPLE, PER_SAMPLE))
    return np.array(track)


def pull_out(trials: Trials) -> Outcome:
    """Yaw rates left after turns to both sides with the rudder put amidships."""
    _needs(trials.orders.rudder, "no steering")
    left, states = spiral.pull_out(trials.vessel, trials.orders, trials.cruise)
    figures = {"rate_after_starboard": degrees(left[0]), "rate_after_port": degrees(left[1])}
    figures["difference"] = degrees(abs(left[0] - left[1]))
    return figures, _times(states), states


def _in_sea(trials: Trials) -> Dynamics:
    from steerageway.vessel.fossen.in_sea import in_sea
    from steerageway.world.reading import load

    vessel = trials.vessel
    known = vessel.wave_motion is not None or (
        vessel.floating is not None and vessel.floating.waves != "none"
    )
    if not known:
        raise InvalidValue(
            f"{vessel.name}: its files say nothing of waves: expected hydrostatics, loads or "
            "wave_motion"
        )
    ahead = degrees(float(vessel.initial[5])) % 360.0
    given = {"waves.sea_state": trials.sea_state, "waves.direction_from": ahead}
    sea = load(None, 0, {key: (f"{value:g}", "trials") for key, value in given.items()}).sea()
    return in_sea(vessel, sea)


def _needs(effect: Floats, without: str) -> None:
    if not effect.any():
        raise InvalidValue(without)


def _needs_thrust(trials: Trials) -> None:
    if not drives(trials.vessel, trials.orders):
        raise InvalidValue(without_propulsion(trials.vessel, trials.orders))


def _way(states: Floats) -> float:
    """Return the length of a track in the plane [m]."""
    return float(np.hypot(*np.diff(states[:, :2], axis=0).T).sum())


def _way_until(states: Floats, angle: float) -> float:
    """Return the way [m] to a change of heading [rad], the first of a track."""
    turned = np.abs(states[:, PSI] - states[0, PSI])
    last = int(np.argmax(turned >= angle))
    share = (angle - turned[last - 1]) / (turned[last] - turned[last - 1])
    return _way(states[:last]) + float(share) * _way(states[last - 1 : last + 1])


TRIALS: dict[str, Callable[[Trials], Outcome]] = {
    "acceleration": acceleration,
    "stop": stop,
    "crash_stop": crash_stop,
    "turning_circle": turning,
    "zigzag_10": _zigzag(10.0),
    "zigzag_20": _zigzag(20.0),
    "thrust_step": thrust_step,
    "rudder_step": rudder_step,
    "roll_decay": roll_decay,
    "waves": waves,
    "spiral": spirals,
    "reverse_spiral": reverse_spirals,
    "pull_out": pull_out,
    **{f"{name}_force": _force_step(axis) for axis, name in enumerate(AXES)},
}


def imo_limits(length: float, speed: float) -> dict[tuple[str, str], float]:
    """Return the largest figures of ships of 100 m and more, by trial and figure [m, deg].

    Args:
        length: between perpendiculars [m]. speed: of the approach [m/s].

    Raises:
        InvalidValue: length or speed are not positive.

    Source: IMO resolution MSC.137(76), Standards for ship manoeuvrability, section 5.3.
    """
    if not (length > 0.0 and speed > 0.0):
        raise InvalidValue(f"length {length:g} m, speed {speed:g} m/s: expected both above 0")
    slow = length / speed
    return {
        ("turning_circle", "advance"): 4.5 * length,
        ("turning_circle", "tactical_diameter"): 5.0 * length,
        ("zigzag_10", "initial_turning"): 2.5 * length,
        ("zigzag_10", "first_overshoot"): min(max(5.0 + 0.5 * slow, 10.0), 20.0),
        ("zigzag_10", "second_overshoot"): min(max(17.5 + 0.75 * slow, 25.0), 40.0),
        ("zigzag_20", "first_overshoot"): 25.0,
        ("crash_stop", "track_reach"): 15.0 * length,
    }


def lines_of(event: dict[str, Any]) -> Iterator[str]:
    """Yield an event as text."""
    if event["event"] == "result":
        without = event.get("without", "")
        trial, figures = event["trial"], event["figures"].items()
        result = ", ".join(
            f"{name} {value:.4g} {unit_of(trial, name)}".rstrip() for name, value in figures
        )
        yield f"{trial}: {result or 'none: ' + without}"


def unit_of(trial: str, figure: str) -> str:
    """Return the unit of a figure of a trial; "" for a number without one."""
    if trial in TURNED and figure in OF_TURNED:
        return OF_TURNED[figure]
    if figure in UNITS:
        return UNITS[figure]
    return RATE if figure.startswith("rate_") else "%" if figure.startswith("rudder_at_") else ""
