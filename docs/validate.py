"""Vessels as measured beside vessels as computed, for docs/validation.md.

``python docs/validate.py`` prints the tables of that page; ``--draw`` draws its pictures.
"""

from __future__ import annotations

import csv
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import copysign, pi, sqrt
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from steerageway.control import Recording, mmg, replace_values
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.state import ACTUATORS, PHI, PSI, R_, U_, V_
from steerageway.vessel.tools.inertia import inertia_of
from steerageway.world.arrays import Floats

ROOT = Path(__file__).parents[1]
SEA_TRIALS = ROOT / "tests/reference/sea_trials"
DT, COARSE, NEAR = 0.04, 5, 2.0  # of the model of 7 m: fine steps this near to a switch [deg]
LENGTHS, DEGREES = 0.05, 2.0  # what a computed figure may differ by: its share, or degrees
RPM = pi / 30


@dataclass(frozen=True)
class Row:
    """A figure, as measured and as computed in some ways; ``unit`` "°" or another."""

    what: str
    unit: str
    measured: float
    computed: tuple[float, ...]
    digits: int = 2

    def missed(self, computed: float) -> bool:
        """Whether a computed figure differs by more than the goal."""
        most = DEGREES if self.unit == "°" else LENGTHS * abs(self.measured)
        return abs(computed - self.measured) > most

    def text(self) -> str:
        """Return the row of the page; misses are bold."""
        cells = [f"{self.what} [{self.unit}]", f"{self.measured:.{self.digits}f}"]
        for one in self.computed:
            figure = f"{one:.{self.digits}f}"
            cells.append(f"**{figure}**" if self.missed(one) else figure)
        return f"| {' | '.join(cells)} |"


def changed(vessel: str, **keys: Any) -> Dynamics:
    """Return a vessel of inputs/ with some keys, ``file__key``, replaced."""
    return load(
        ROOT / "inputs" / vessel,
        overrides={key.replace("__", "."): value for key, value in keys.items()},
    )


def under_way(vessel: Dynamics, speed: float, rpm: float) -> Floats:
    """Return the state straight ahead at a speed [m/s] and a shaft speed."""
    x = np.zeros(ACTUATORS + len(vessel.actuators))
    x[U_], x[ACTUATORS + 1] = speed, rpm * RPM
    return x


def turn(vessel: Dynamics, x: Floats, rudder: float, angle: float = 2 * pi) -> Floats:
    """Return the states of a turn through an angle [rad] with a rudder angle [deg]."""
    command, around, track = [np.radians(rudder), *x[ACTUATORS + 1 :]], vessel.surroundings(), [x]
    while abs(track[-1][PSI]) < angle:
        track.append(vessel.step(track[-1], command, around, DT, COARSE))
    return np.array(track)


def advance_and_diameter(heading: Floats, place: Floats) -> tuple[float, float]:
    """Return the advance at 90 degrees and the tactical diameter at 180, in the unit of places.

    Args:
        heading: (n,) from the approach [rad]. place: (n, 2) from the order, ahead and to starboard.
    """
    turned = np.abs(heading)
    ahead, aside = (np.interp(a, turned, p) for a, p in zip((pi / 2, pi), place.T, strict=True))
    return float(ahead), abs(float(aside))


def zigzag(
    vessel: Dynamics, x: Floats, angle: float, overshoots: int = 2
) -> tuple[list[float], Floats]:
    """Return the overshoots [deg] of a zig-zag, and its times and states (n, 1 + states).

    Args:
        angle: of the rudder and of the heading [deg], first to starboard if positive.
    """
    rudder, most, around, found = angle, 0.0, vessel.surroundings(), list[float]()
    track = [np.append(0.0, x)]
    while len(found) < overshoots:
        steps = 1 if abs(abs(np.degrees(x[PSI])) - abs(angle)) < NEAR else COARSE
        x = vessel.step(x, [np.radians(rudder), *x[ACTUATORS + 1 :]], around, DT, steps)
        track.append(np.append(track[-1][0] + DT * steps, x))
        turned = float(np.degrees(x[PSI])) * copysign(1.0, rudder)
        if turned >= abs(angle) and x[R_] * rudder > 0.0:
            rudder, most = -rudder, turned
        elif most and turned < 0.0:
            if -turned < most:
                found.append(most - abs(angle))
                most = 0.0
            else:
                most = -turned
    return found, np.array(track)


MODEL = 7.0  # length of MARIN's model [m]
SCALE = sqrt(320.0 / MODEL)  # of time and of speed
APPROACH, SHAFT = 7.97, 91.7  # of MARIN's runs, at full scale [m/s], [rpm]
TURNS = {-1.0: (2.99, 3.08), 1.0: (3.09, 3.34)}  # by the side: advance, tactical diameter [L_pp]
ZIGZAGS = {
    (10.0, 1.0): (8.0, 22.1),
    (10.0, -1.0): (9.4, 15.1),
    (20.0, 1.0): (12.8, 15.8),
    (20.0, -1.0): (15.6, 12.8),
}
"""By rudder and first side, 1 starboard: first and second overshoot [deg]."""
BALANCED = 0.01556  # R_0 with which MARIN's shaft speed drives the model at its approach speed
INPUTS: tuple[tuple[str, dict[str, float]], ...] = (
    ("w_P0 0.35, of the full scale", {"thrusters__thrusters.1.wake": 0.35}),
    ("rudder at once", {"control_surfaces__control_surfaces.1.control_surface_deltad_max": 1e3}),
    ("x_P -0.65", {"hydrodynamics__x_P": -0.65}),
    ("k_zz 0.26", {"hydrodynamics__k_zz": 0.26}),
    ("N_v 10 % less", {"hydrodynamics__N_v": -0.1233}),
    ("N_r 10 % less", {"hydrodynamics__N_r": -0.0441}),
    ("Y_v 10 % less", {"hydrodynamics__Y_v": -0.2835}),
    ("f_alpha 10 % less", {"hydrodynamics__f_alpha": 2.472}),
    ("gamma_R_plus 20 % less", {"hydrodynamics__gamma_R_plus": 0.512}),
    ("gamma_R_minus 20 % less", {"hydrodynamics__gamma_R_minus": 0.316}),
)


WAYS: dict[str, tuple[str, dict[str, float]]] = {
    "data as published": ("#0072B2", {}),
    "R_0 of the shaft's speed": ("#D55E00", {"hydrodynamics__R_0": BALANCED}),
    "N_v 10 % more, too": (
        "#009E73",
        {"hydrodynamics__R_0": BALANCED, "hydrodynamics__N_v": -0.1507},
    ),
}
"""Columns of the table and curves of the picture: colour, and changed keys."""


@cache
def kvlcc2(way: str) -> tuple[Dynamics, Floats]:
    """Return MARIN's model by one of ``WAYS``, and its approach."""
    keys = WAYS[way][1]
    ship = changed("kvlcc2_l7", **keys)
    shaft = SHAFT * SCALE if keys else ship.initial[ACTUATORS + 1] / RPM
    return ship, under_way(ship, APPROACH / SCALE, shaft)


def kvlcc2_rows() -> Iterator[Row]:
    """Yield the figures of MARIN's series, computed in each of ``WAYS``."""
    ways = [kvlcc2(way) for way in WAYS]
    shafts = [x[ACTUATORS + 1] / RPM / SCALE for _, x in ways]
    yield Row("shaft speed at 15.5 kn", "rpm", SHAFT, tuple(shafts), 1)
    for side, measured in TURNS.items():
        found = [turn_figures(ship, x, side) for ship, x in ways]
        for i, what in enumerate(("advance", "tactical diameter")):
            text = f"35° to {'starboard' if side > 0 else 'port'}: {what}"
            yield Row(text, "L_pp", measured[i], tuple(each[i] for each in found))
    for (angle, side), measured in ZIGZAGS.items():
        found = [zigzag(ship, x, side * angle)[0] for ship, x in ways]
        first = "starboard" if side > 0 else "port"
        for i, which in enumerate(("first", "second")):
            text = f"{angle:.0f}/{angle:.0f}, first to {first}: {which} overshoot"
            yield Row(text, "°", measured[i], tuple(each[i] for each in found), 1)


def turn_figures(ship: Dynamics, x: Floats, side: float) -> tuple[float, float]:
    """Return advance and tactical diameter of 35 degrees of rudder, in lengths."""
    track = turn(ship, x, 35.0 * side, 1.1 * pi)
    return advance_and_diameter(track[:, PSI], track[:, :2] / MODEL)


def kvlcc2_inputs() -> Iterator[str]:
    """Yield the rows that show the effect of each input on the figures, from the balanced ship."""
    _, x = kvlcc2("R_0 of the shaft's speed")
    for name, keys in (("R_0 of the shaft's speed", {}), *INPUTS):
        ship = changed("kvlcc2_l7", **{"hydrodynamics__R_0": BALANCED, **keys})
        cells = [f"{figure:.2f}" for figure in turn_figures(ship, x, 1.0)]
        for angle, side in ZIGZAGS:
            cells.append(", ".join(f"{o:.1f}" for o in zigzag(ship, x, side * angle)[0]))
        yield f"| {' | '.join((name, *cells))} |"


CAPTIVE, CAPTIVE_SHAFT = 1.1702, 9.9  # of the captive tests: speed [m/s] and shaft [rps]
STRONGER = {"hydrodynamics__N_v": -0.1507}


def captive_rows() -> Iterator[Row]:
    """Yield Y and N of the model that is towed with a drift, rudder amidships, in 1/1000.

    Prime by L² and L³; the published model at that Froude number and J, with N_v 10 % larger, too.
    """
    ships = [changed("kvlcc2_l7", **keys) for keys in ({}, STRONGER)]
    scale = APPROACH / SCALE / CAPTIVE  # of speeds, from their model to ours
    unit = 500.0 * (scale * CAPTIVE * MODEL) ** 2 / 1e3
    tests = np.genfromtxt(SEA_TRIALS / "kvlcc2_captive.csv", delimiter=",", names=True)
    for drift, *measured in tests.tolist():
        x = under_way(ships[0], APPROACH / SCALE, 60 * CAPTIVE_SHAFT / scale)
        x[U_], x[V_] = x[U_] * np.cos(np.radians(drift)), -x[U_] * np.sin(np.radians(drift))
        found = []
        for ship in ships:  # without rotation, force is mass times rate
            rates = ship.derivative(x, x[ACTUATORS:], ship.surroundings())[6:12]
            tau = np.asarray(inertia_of(ship)) @ rates
            found.append((tau[1] / unit, tau[5] / unit / MODEL))
        for i, axis in enumerate("YN"):
            computed = tuple(float(each[i]) for each in found)
            yield Row(f"drift {drift:.0f}°: {axis}'", "10⁻³", 1e3 * measured[i], computed)


def recorded(run: str) -> dict[str, Floats]:
    """Return columns of a recorded run of MARIN, psi positive to starboard."""
    with (SEA_TRIALS / f"kvlcc2_{run}.csv").open() as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def ordered(run: dict[str, Floats]) -> float:
    """Return the time of the order [s], from the rudder's motion at its rate."""
    rudder = np.abs(run["delta_deg"] - run["delta_deg"][0])
    i = int(np.argmax(rudder > 5.0))
    rate = (rudder[i + 1] - rudder[i]) / (run["t_s"][i + 1] - run["t_s"][i])
    return float(run["t_s"][i] - rudder[i] / rate)


def draw_kvlcc2(panels: Sequence[Any]) -> None:
    """Draw a turn and two zig-zags, recorded and computed."""
    run = recorded("turn_delta_plus35")
    start = [float(np.interp(ordered(run), run["t_s"], run[name])) for name in ("x_m", "y_m")]
    turned = int(np.argmax(run["psi_deg"] < -540.0))
    aside, ahead = run["y_m"][:turned] - start[1], run["x_m"][:turned] - start[0]
    panels[0].plot(aside / 320, ahead / 320, "k", lw=2)
    for way, (color, _) in WAYS.items():
        track = turn(*kvlcc2(way), -35.0, 3 * pi)
        panels[0].plot(track[:, 1] / MODEL, track[:, 0] / MODEL, color=color)
    panels[0].set(xlabel="to starboard [L_pp]", ylabel="ahead [L_pp]", title="35° to port")
    panels[0].set_aspect("equal")
    for panel, angle in zip(panels[1:], (10, 20), strict=True):
        run = recorded(f"zigzag_delta_plus{angle}")
        panel.plot(run["t_s"] - ordered(run), run["psi_deg"], "k", lw=2)
        for way, (color, _) in WAYS.items():
            _, track = zigzag(*kvlcc2(way), -float(angle), 3)
            panel.plot(track[:, 0] * SCALE, np.degrees(track[:, 1 + PSI]), color=color)
        panel.set(xlabel="time [s]", ylabel="heading [°]", title=f"{angle}/{angle}, first to port")
    panels[2].legend(("MARIN", *WAYS), frameon=False, fontsize=6, loc="upper left")
    panels[2].set_ylim(top=62)


def as_recording(run: str) -> Recording:
    """Return a recorded run at the model's scale, the rudder's sign as ours."""
    raw = recorded(run)
    times = raw["t_s"] / SCALE
    grid = np.arange(times[0], times[-1], float(np.median(np.diff(times))))
    factors = {
        "cs_1": ("delta_deg", -pi / 180),
        "th_1": ("rpm", RPM * SCALE),
        "psi": ("psi_deg", pi / 180),
        "r": ("r_degps", SCALE * pi / 180),
    }
    columns = {
        name: factor * np.interp(grid, times, raw[column])
        for name, (column, factor) in factors.items()
    }
    units = {"cs_1": "rad", "th_1": "rad/s", "psi": "rad", "r": "rad/s"}
    return Recording(grid - grid[0], columns, units, run)


def heading_fits(ship: Dynamics, run: Recording) -> tuple[float, float]:
    """Return 100 (1 - |e| / |psi - mean|) of the heading in both halves of a run [%]."""
    psi, r, delta, shaft = (run.columns[name] for name in ("psi", "r", "cs_1", "th_1"))
    x = under_way(ship, APPROACH / SCALE, SHAFT * SCALE)
    x[PSI], x[R_], x[ACTUATORS] = psi[0], r[:5].mean(), delta[0]
    track, around = [x], ship.surroundings()
    for command in zip(delta[:-1], shaft[:-1], strict=True):
        track.append(ship.step(track[-1], command, around, run.step / 4, 4))
    error = np.array(track)[:, PSI] - psi
    fits = []
    for half in np.array_split(np.arange(len(psi)), 2):
        spread = np.linalg.norm(psi[half] - psi[half].mean())
        fits.append(100.0 * (1.0 - float(np.linalg.norm(error[half]) / spread)))
    return fits[0], fits[1]


def identified_rows() -> Iterator[str]:
    """Yield fits of the heading in a zig-zag: as published, and identified from its first half."""
    run, keys = as_recording("zigzag_delta_plus20"), {"R_0": BALANCED}
    ship = changed("kvlcc2_l7", hydrodynamics__R_0=BALANCED)
    yield "| none | " + " | ".join(f"{fit:.0f}" for fit in heading_fits(ship, run)) + " |"
    with TemporaryDirectory() as folder:
        sheet = copytree(ROOT / "inputs" / "kvlcc2_l7", Path(folder) / "ship")
        replace_values(sheet, keys, "the shaft's speed")
        for free in (("N_v",), ("N_v", "N_r")):
            found = mmg(run, sheet, free, prior=0.1, held_back=0.5)
            values = ", ".join(f"{name} = {found[name]:.3f}" for name in free)
            yield f"| {values} | {found.train_fit['psi']:.0f} | {found.fit['psi']:.0f} |"


ESSO = 3.0  # length of the model of the Esso Osaka [m]
POND: dict[tuple[float, float], tuple[float, float, float]] = {
    (10.0, 34.9): (0.161, 2.39, 21.1),  # the mean of 2 runs
    (10.0, -35.3): (0.140, 1.94, 20.9),  # of 2
    (10.0, 19.5): (0.236, 4.45, 14.4),  # of 3
    (10.0, -20.2): (0.203, 3.52, 16.1),  # 1 run
    (8.0, 34.9): (0.118, 2.25, 21.5),  # of 2
}
"""Turns of the model of the Esso Osaka, by shaft [rps] and rudder [deg], to starboard if positive.

Speed [m/s], diameter [L_pp] and drift angle amidships [deg]: mean over the revolution that begins
150 degrees after the order, of runs of FRT-DS-ESSO with that rudder and shaft throughout (35 to
starboard: 14 Sep 13:39, 13:51; to port: 14 Sep 14:16, 14 Oct 15:21; 20: 14 Oct 14:29, 14:39, 14 Sep
15:58; to port: 14 Oct 15:06; at 8 rps: 14 Oct 14:08, 14 Sep 14:50). Diameters by 2 U / r, and by
circles fitted to the track less its drift with the wind, are the same within 0.08.
"""
STEADY = 300.0  # after so long a turn is steady [s]


def esso_rows() -> Iterator[Row]:
    """Yield steady turns of the model of the Esso Osaka: as published, and with C_rY = 1."""
    ships = [changed("esso_osaka_l3", **keys) for keys in ({}, {"hydrodynamics__C_rY": 1.0})]
    for (shaft, rudder), measured in POND.items():
        found = [steady_turn(ship, shaft, rudder) for ship in ships]
        side = "starboard" if rudder > 0.0 else "port"
        text = f"{abs(rudder):.0f}° to {side}, {shaft:.0f} rps"
        figures = (("speed", "m/s", 3), ("diameter", "L_pp", 2), ("drift angle", "°", 1))
        for i, (what, unit, digits) in enumerate(figures):
            computed = tuple(each[i] for each in found)
            yield Row(f"{text}: {what}", unit, measured[i], computed, digits)


def steady_turn(ship: Dynamics, shaft: float, rudder: float) -> tuple[float, float, float]:
    """Return speed [m/s], diameter [L_pp] and drift angle [deg] in a model's steady turn."""
    x = under_way(ship, ship.initial[U_], 60 * shaft)
    command = [np.radians(rudder), x[ACTUATORS + 1]]
    x = ship.step(x, command, ship.surroundings(), DT, round(STEADY / DT))
    speed, drift = float(np.hypot(x[U_], x[V_])), float(np.arctan2(abs(x[V_]), x[U_]))
    return speed, 2.0 * speed / abs(float(x[R_])) / ESSO, float(np.degrees(drift))


MARINER = 160.93  # [m]


def mariner_rows() -> Iterator[str]:
    """Yield trials of the Mariner with forces prime by its service speed, and by its speed."""
    ships = [load(ROOT / "inputs/mariner", peer_compat=peer) for peer in ("", "mss")]
    for side, name in ((1.0, "starboard"), (-1.0, "port")):
        tracks = [turn(ship, ship.initial, 35.0 * side) for ship in ships]
        places = [advance_and_diameter(t[:, PSI], t[:, :2] / MARINER) for t in tracks]
        for what, limit, figures in zip(
            ("advance", "tactical diameter"), (4.5, 5), zip(*places, strict=True), strict=True
        ):
            cells = " | ".join(f"{figure:.2f}" for figure in figures)
            yield f"| 35° to {name}: {what} [L_pp] | {limit} | {cells} |"
        slowed = " | ".join(f"{t[-1, U_] / t[0, U_]:.2f}" for t in tracks)
        yield f"| 35° to {name}: speed left, of that before | - | {slowed} |"
    for angle, limit in ((10.0, 15.4), (20.0, 25)):
        first = " | ".join(f"{zigzag(ship, ship.initial, angle)[0][0]:.1f}" for ship in ships)
        what = f"{angle:.0f}/{angle:.0f}, first to starboard: first overshoot [°]"
        yield f"| {what} | {limit} | {first} |"


def draw_mariner(panels: Sequence[Any]) -> None:
    """Draw turns to both sides, prime by the service speed, and by the speed."""
    for peer, color, name in (("", "#0072B2", "prime by U_0"), ("mss", "#D55E00", "by U, as MSS")):
        ship = load(ROOT / "inputs/mariner", peer_compat=peer)
        for side in (1.0, -1.0):
            track = turn(ship, ship.initial, 35.0 * side, 3 * pi) / MARINER
            label = name if side > 0.0 else None
            panels[0].plot(track[:, 1], track[:, 0], color=color, label=label)
    for aside in (-5.0, 5.0):
        panels[0].axvline(aside, color="k", lw=0.8, ls=":")
    panels[0].set(xlabel="to starboard [L_pp]", ylabel="ahead [L_pp]", title="35° to both sides")
    panels[0].set_aspect("equal")
    panels[0].set_ylim(bottom=-6.5)
    panels[0].legend(frameon=False, fontsize=6, loc="lower center")


HEADINGS = (25.0, 35.0, 45.0, 60.0, 90.0, 120.0, 150.0, 180.0)
HELM = (0.6, 0.15, 0.3)  # of the helmsman: rudder per error of the heading, its integral, the rate


@cache
def dinghy() -> Dynamics:
    """Return the dinghy of inputs/."""
    return load(ROOT / "inputs/dinghy")


def sailed(heading: float, wind: float = 5.0, power: float = 1.0, seconds: float = 45.0) -> Floats:
    """Return the dinghy's state after a while on a heading off the wind [deg], from north [m/s]."""
    vessel, wanted = dinghy(), np.radians(heading)
    around, x, lasting = vessel.surroundings(wind=(-wind, 0.0)), vessel.initial.copy(), 0.0
    x[PSI], x[U_], tick = wanted, 1.0, 0.1
    for _ in range(round(seconds / tick)):
        error = float(x[PSI] - wanted)
        lasting = float(np.clip(lasting + tick * error, -2.0, 2.0))
        order = np.clip(-np.dot(HELM, (error, lasting, x[R_])), -0.6, 0.6)
        x = vessel.step(x, [order, power], around, tick / 5, 5)
    return x


def speed_and_course(x: Floats) -> tuple[float, float]:
    """Return the speed [m/s] and the course [rad] of a state in still water."""
    return float(np.hypot(x[U_], x[V_])), float(x[PSI] + np.arctan2(x[V_], x[U_]))


def dinghy_rows() -> Iterator[str]:
    """Yield the dinghy's speeds by its heading off a wind of 5 m/s."""
    for heading in HEADINGS:
        x = sailed(heading)
        speed, course = speed_and_course(x)
        leeway, heel = abs(np.degrees(course - x[PSI])), abs(np.degrees(x[PHI]))
        cells = f"{speed:.2f} | {speed * np.cos(course):.2f} | {leeway:.1f} | {heel:.1f}"
        yield f"| {heading:.0f}° | {cells} |"


def draw_dinghy(panels: Sequence[Any]) -> None:
    """Draw the dinghy's polars in three winds, the wind from above."""
    for wind, color in ((3.0, "#56B4E9"), (5.0, "#0072B2"), (7.0, "#D55E00")):
        found = [speed_and_course(sailed(h, wind)) for h in np.linspace(25.0, 180.0, 24)]
        speed, course = np.array(found).T
        for side in (1.0, -1.0):
            label = f"wind {wind:.0f} m/s" if side > 0.0 else None
            aside, ahead = side * speed * np.sin(course), speed * np.cos(course)
            panels[0].plot(aside, ahead, color=color, label=label)
    panels[0].set(xlabel="across the wind [m/s]", ylabel="to windward [m/s]", title="dinghy")
    panels[0].set_aspect("equal")
    panels[0].set_ylim(bottom=-5.5)
    panels[0].legend(frameon=False, fontsize=6, loc="lower center")


SURGE = {"vessel__active_dof": [1, 0, 0, 0, 0, 0]}
DEEP = {**SURGE, "initial_conditions__start_location": [0, 0, 20]}
SPEEDS: tuple[tuple[str, str, float, dict[str, Any], tuple[float, ...]], ...] = (
    ("BlueROV2 heavy", "bluerov2_heavy", 1.5, DEEP, (1, 1, -1, -1, 0, 0, 0, 0)),
    ("BlueROV2", "bluerov2", 1.5, DEEP, (1, 1, -1, -1, 0, 0)),
    ("Heron, damping of its simulator", "heron", 1.7, {"hydrodynamics__X_uuu": 0.0}, (1, 1)),
    ("Heron of `inputs/`", "heron", 1.7, {}, (1, 1)),
    ("Otter", "otter", 3.09, {}, (103.93, 103.93)),
    ("REMUS 100, at 1525 rpm", "remus100", 2.5, DEEP, (0, 0, 1525 * RPM)),
)
"""Top speeds [m/s]: vessel, as published by its maker or tested, changed keys, command."""


LAKE = {0.153: 0.248, 0.701: 1.516, 1.0: 1.441}
"""Speeds [m/s] of a Kingfisher by the order of both jets: means of 4, 5 and 4 runs."""
JETS: tuple[dict[str, Any], ...] = ({}, {"hydrodynamics__X_uuu": 0.0})


def ahead(name: str, command: Sequence[float], keys: dict[str, Any]) -> float:
    """Return a vessel's speed ahead [m/s] after two minutes of a command."""
    vessel = changed(name, **keys)
    x = vessel.step(vessel.initial, list(command), vessel.surroundings(), 0.02, 6000)
    return float(x[U_])


def speed_rows() -> Iterator[Row]:
    """Yield the speeds ahead of small vessels at full thrust."""
    for what, name, measured, keys, command in SPEEDS:
        yield Row(what, "m/s", measured, (ahead(name, command, keys),))


def lake_rows() -> Iterator[Row]:
    """Yield the speeds of the Heron by the order of its jets: its damping, and its simulator's."""
    for order, measured in LAKE.items():
        found = tuple(ahead("heron", (order, order), keys) for keys in JETS)
        yield Row(f"order of {100 * order:.0f} %", "m/s", measured, found)


TABLES: dict[str, Callable[[], list[str]]] = {
    "KVLCC2": lambda: [row.text() for row in kvlcc2_rows()],
    "KVLCC2, captive": lambda: [row.text() for row in captive_rows()],
    "Esso Osaka": lambda: [row.text() for row in esso_rows()],
    "Mariner": lambda: list(mariner_rows()),
    "Dinghy": lambda: list(dinghy_rows()),
    "Small vessels": lambda: [row.text() for row in speed_rows()],
    "Heron": lambda: [row.text() for row in lake_rows()],
    "KVLCC2, each input": lambda: list(kvlcc2_inputs()),
    "KVLCC2, identified": lambda: list(identified_rows()),
}
PICTURES = {
    "validation_kvlcc2.png": (3, draw_kvlcc2),
    "validation_mariner.png": (1, draw_mariner),
    "validation_dinghy.png": (1, draw_dinghy),
}


def draw(name: str, into: Path) -> None:
    """Draw a picture of the page."""
    from steerageway.world import pictures

    columns, drawn = PICTURES[name]
    figure, panels = pictures.panels(1, columns, (3.1 * columns, 2.9))
    drawn(panels[0])
    for panel in panels[0]:
        panel.grid(color="#dfe3e8", linewidth=0.8)
    pictures.write(figure, into / name)


def main() -> None:
    """Print the tables, or draw the pictures."""
    parser = ArgumentParser(description="Print the tables of docs/validation.md.")
    parser.add_argument("--draw", action="store_true", help="draw its pictures instead")
    if parser.parse_args().draw:
        for name in PICTURES:
            draw(name, ROOT / "docs")
        return
    for name, rows in TABLES.items():
        print(f"{name}:", *rows(), sep="\n")


if __name__ == "__main__":
    main()
