"""Recorded runs of reference programs, and their repetition.

A case is ``NAME.yaml`` (peer, constructor, initial state, inputs, integrator, step) beside
``NAME.csv`` or ``NAME.csv.gz``; columns that are zero throughout may be left out of the latter.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from math import copysign, cos, pi, radians, sin
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.state import WATER_DEPTH
from steerageway.world.arrays import Floats

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "tests" / "reference" / "vessels"
STATES = ("x", "y", "z", "phi", "theta", "psi", "u", "v", "w", "p", "q", "r")
RPM = pi / 30
PEER_STEP = 0.02
Command = Callable[[float, Floats], Floats]


@dataclass
class Case:
    """A run of a reference program, and the vessel that must repeat it.

    Attributes:
        about: the YAML file.
        rows: the CSV file's columns by name.
        dynamics, initial, surroundings: of the vessel here.
        units: what each command of the peer's is multiplied by.
        fixed: commands here that are constructor arguments there, in SI.
        actuators: the peer's actuator columns: place in the state, and factor to its unit.
        allocate: of forces to commands, where the peer's input is a force.
        depth_given: the water's depth is the last of the peer's inputs.
    """

    about: dict[str, Any]
    rows: dict[str, Floats]
    dynamics: Dynamics
    initial: Floats
    surroundings: Floats
    units: Floats
    fixed: list[float] = field(default_factory=list)
    actuators: dict[str, tuple[int, float]] = field(default_factory=dict)
    allocate: Callable[[Floats], Floats] | None = None
    depth_given: bool = False

    @property
    def tolerance(self) -> float:
        """Return the tolerance: 1e-9 in the reference's own scheme; others in the runs' README."""
        peer = self.about["case"].split("_")[0]
        if peer != "pvs":
            return {"mss": 1e-8, "tb": 1e-5}[peer]
        return 1e-4 if self.about["case"].endswith("_rk4") else 1e-9

    def simulate(self) -> Floats:
        """Return the states at the instants of the CSV file."""
        dt = float(self.about["step_s"])
        x, states, done = self.initial.copy(), [], 0
        command, advance = self._command(dt), self._scheme()
        for until in self.rows["t"]:
            for k in range(done, round(until / dt)):
                x = advance(x, command(k * dt, x), dt)
            done = round(until / dt)
            states.append(x)
        return np.array(states)

    def errors(self, states: Floats) -> dict[str, float]:
        """Return max|difference| / max|column| of every column, angles unwrapped."""
        columns = {name: (i, 1.0) for i, name in enumerate(STATES)} | self.actuators
        found = {}
        for name, (i, factor) in columns.items():
            ours = states[:, i] * factor
            reference = self.rows.get(name, np.zeros_like(ours))
            if name in ("phi", "theta", "psi"):
                ours, reference = np.unwrap(ours), np.unwrap(reference)
            found[name] = float(np.abs(ours - reference).max() / (np.abs(reference).max() or 1.0))
        return found

    def _scheme(self) -> Callable[[Floats, Floats, float], Floats]:
        vessel, around = self.dynamics, self.surroundings
        if "RK4" in self.about["integrator"]:
            return lambda x, command, dt: vessel.step(x, command, around, dt)
        if self.about["case"].startswith("mss"):
            return lambda x, command, dt: x + dt * vessel.derivative(x, command, around)
        return lambda x, command, dt: vessel.euler_step(x, command, around, dt)

    def _command(self, dt: float) -> Command:
        if "_zz" in self.about["case"]:
            return _zigzag(self.about["case"])
        inputs = self.about["inputs"]
        if isinstance(inputs, str):
            return self._read_command(dt)
        starts = np.array([row["t_from"] for row in inputs])
        values = [self._ours(np.array(row["u"], float)) for row in inputs]

        def command(t: float, x: Floats) -> Floats:
            i = int(np.searchsorted(starts, t + dt / 2, side="right")) - 1
            if self.depth_given:
                self.surroundings[WATER_DEPTH] = inputs[i]["u"][-1]
            return values[i]

        return command

    def _read_command(self, dt: float) -> Command:
        """Read commands from their columns, sampled as in the reference, for any step.

        They change after a round instant, not at it.
        """
        names = [name for name in self.rows if name.startswith("cmd_")]
        table = np.array([self.rows[name] for name in names]).T
        return lambda t, x: self._ours(
            table[
                int(
                    np.searchsorted(
                        self.rows["t"], PEER_STEP * ((t + dt / 2) // PEER_STEP) - dt / 2
                    )
                )
            ]
        )

    def _ours(self, given: Floats) -> Floats:
        if self.allocate is not None:
            return self.allocate(given)
        return np.array([*given[: len(self.units)] * self.units, *self.fixed])


def _zigzag(case: str) -> Command:
    """Order the rudder over at 10 s, and reverse it whenever the heading passes the angle outward.

    Source: IMO MSC.137(76); the angles stand in the case's name: zz2020.
    """
    angle, swing = (radians(int(part)) for part in re.findall(r"_zz(\d\d)(\d\d)", case)[0])
    held = {"order": 0.0, "since": -1.0}

    def command(t: float, x: Floats) -> Floats:
        if t >= 10 - 1e-9 and held["order"] == 0.0:
            held["order"] = angle
        elif abs(x[5]) >= swing and x[5] * x[11] > 0 and x[5] * held["order"] > 0:
            held["order"] = -copysign(angle, x[5])
        return np.array([held["order"]])

    return command


def names(folder: Path = FOLDER) -> list[str]:
    """Return the cases of a folder."""
    return sorted(path.stem for path in folder.glob("*.yaml"))


def case(name: str, folder: Path = FOLDER) -> Case:
    """Read a case and build its vessel."""
    about = yaml.safe_load((folder / f"{name}.yaml").read_text())
    path = folder / f"{name}.csv"
    text = (
        path.read_text()
        if path.exists()
        else gzip.decompress(path.with_suffix(".csv.gz").read_bytes()).decode()
    )
    header, *lines = text.splitlines()
    table = np.array([[float(cell) for cell in line.split(",")] for line in lines])
    rows = dict(zip(header.split(","), table.T, strict=True))
    peer, vessel = name.split("_")[:2]
    build = _tito_neri if peer == "tb" else _VESSELS[vessel]
    return build(about, rows, peer, _arguments(about["vehicle"]))


def _arguments(call: str) -> dict[str, float]:
    """Return the named arguments of a constructor call; angles given in degrees become radians."""
    pairs = re.findall(r"(\w+)\s*=\s*(-?[\d.eE+-]+)(\s*deg)?", call)
    return {key: radians(float(value)) if deg else float(value) for key, value, deg in pairs}


def _positional(call: str, skip: int) -> list[float]:
    """Return the numbers after the first arguments of a call in MSS's manner; angles in radians."""
    inside = call[call.index("(") + 1 : call.rindex(")")]
    inside = re.sub(r"\[.*?\]", "array", inside)
    found = []
    for part in inside.split(",")[skip:]:
        number = re.fullmatch(r"\s*(-?[\d.eE+-]+)\s*(deg)?\s*", part)
        if number:
            found.append(radians(float(number[1])) if number[2] else float(number[1]))
    return found


def _current(vessel: Dynamics, speed: float, towards: float, down: float = 0.0) -> Floats:
    return vessel.surroundings((speed * cos(towards), speed * sin(towards), down))


def _pvs(
    about: dict[str, Any],
    rows: dict[str, Floats],
    vessel: Dynamics,
    given: dict[str, float],
    **how: Any,
) -> Case:
    initial = about["initial"]
    actuators = [*np.array(initial["actuators"]) * how["units"], *how.get("fixed", [])]
    start = np.array([*initial["eta"], *initial["nu"], *actuators], float)
    around = _current(vessel, given.get("V_current", 0.0), given.get("beta_current", 0.0))
    columns = {
        name: (12 + i, 1 / how["units"][i])
        for i, name in enumerate(name for name in rows if name.startswith("act_"))
    }
    return Case(about, rows, vessel, start, around, actuators=columns, **how)


def _norrbin(folder: str) -> Callable[..., Case]:
    def build(about: Any, rows: Any, peer: str, given: dict[str, float]) -> Case:
        return _pvs(about, rows, load(ROOT / "inputs" / folder, peer), given, units=np.ones(1))

    return build


def _clarke(about: Any, rows: Any, peer: str, given: dict[str, float]) -> Case:
    keys = {"L": "length", "B": "breadth", "T": "draft", "Cb": "block_coefficient"}
    changed = {f"geometry.{key}": given[name] for name, key in keys.items() if name in given}
    thrust = given.get("tau_X", 1e5)
    vessel = load(
        ROOT / "inputs/clarke83",
        peer,
        {**changed, "thrusters.thrusters.1.thrust_max": max(thrust, 2e5)},
    )
    return _pvs(about, rows, vessel, given, units=np.ones(1), fixed=[thrust])


def _station(folder: str) -> Callable[..., Case]:
    def build(about: Any, rows: Any, peer: str, given: dict[str, float]) -> Case:
        if peer == "pvs":
            vessel = load(ROOT / "inputs" / folder, peer)
            return _pvs(about, rows, vessel, given, units=np.full(6, RPM))
        at_once = {f"thrusters.thrusters.{i}.T_prop": 0 for i in range(1, 7)}
        vessel = load(ROOT / "inputs" / folder, "", at_once)
        spread = np.linalg.pinv(vessel.parameters[3][[0, 1, 5]])  # type: ignore[call-overload]

        def allocate(force: Floats) -> Floats:
            squared = spread @ force
            return np.copysign(np.sqrt(abs(squared)), squared)

        x, y, psi, u, v, r = about["x0_in_the_peers_state_order"]
        start = np.array([x, y, 0, 0, 0, psi, u, v, 0, 0, 0, r, *[0] * 6], float)
        still = vessel.surroundings()
        return Case(about, rows, vessel, start, still, np.ones(3), allocate=allocate)

    return build


def _dsrv(about: Any, rows: Any, peer: str, given: dict[str, float]) -> Case:
    vessel = load(ROOT / "inputs/dsrv", peer)
    if peer == "pvs":
        return _pvs(about, rows, vessel, given, units=np.ones(1))
    w, q, x, z, theta = about["x0_in_the_peers_state_order"]
    start = np.array([x, 0, z, 0, theta, 0, vessel.initial[6], 0, w, 0, q, 0, 0], float)
    return Case(about, rows, vessel, start, vessel.surroundings(), np.ones(1))


def _mariner(about: Any, rows: Any, peer: str, given: dict[str, float]) -> Case:
    speed = given.get("U0", *(_positional(about["vehicle"], 2) or [7.7175]))
    vessel = load(ROOT / "inputs/mariner", peer, {"hydrodynamics.U0": speed})
    u, v, r, x, y, psi, delta = about["x0_in_the_peers_state_order"]
    start = np.array([x, y, 0, 0, 0, psi, speed + u, v, 0, 0, 0, r, -delta], float)
    columns = {"act_delta": (12, -1.0)}  # the peer counts its state positive to port
    return Case(about, rows, vessel, start, vessel.surroundings(), np.ones(1), actuators=columns)


def _tanker(about: Any, rows: Any, peer: str, given: dict[str, float]) -> Case:
    vessel = load(ROOT / "inputs/tanker", peer)
    if peer == "pvs":
        built = _pvs(
            about, rows, vessel, given, units=np.ones(1), fixed=[given.get("rpm", 80.0) * RPM]
        )
        built.surroundings[WATER_DEPTH] = given.get("depth", 20.0)
        return built
    u, v, r, x, y, psi, delta, n = about["x0_in_the_peers_state_order"]
    start = np.array([x, y, 0, 0, 0, psi, u, v, 0, 0, 0, r, delta, n * RPM], float)
    columns = {"act_delta": (12, 1.0), "act_n": (13, 1 / RPM)}
    units, around = np.array([1, RPM]), vessel.surroundings()
    return Case(about, rows, vessel, start, around, units, actuators=columns, depth_given=True)


def _container(about: Any, rows: Any, peer: str, given: dict[str, float]) -> Case:
    vessel = load(ROOT / "inputs/container", peer)
    u, v, r, x, y, psi, p, phi, delta, n = about["x0_in_the_peers_state_order"]
    start = np.array([x, y, 0, phi, 0, psi, u, v, 0, p, 0, r, delta, n * RPM], float)
    columns = {"act_delta": (12, 1.0), "act_n": (13, 1 / RPM)}
    units = np.array([1, RPM])
    return Case(about, rows, vessel, start, vessel.surroundings(), units, actuators=columns)


def _npsauv(about: Any, rows: Any, peer: str, given: dict[str, float]) -> Case:
    vessel = load(ROOT / "inputs/npsauv", peer)
    x = about["x0_in_the_peers_state_order"]
    start = np.array([*x[6:12], *x[:6], *x[12:16], x[16] * RPM], float)
    columns = {name: (12 + i, 1.0) for i, name in enumerate(("delta_r", "delta_s"))}
    columns |= {"delta_bp": (14, 1.0), "delta_bs": (15, 1.0), "n": (16, 1 / RPM)}
    around = _current(vessel, *(_positional(about["vehicle"], 2) or [0.0, 0.0]))
    units = np.array([1, 1, 1, 1, RPM])
    return Case(about, rows, vessel, start, around, units, actuators=columns)


def _otter(about: Any, rows: Any, peer: str, given: dict[str, float]) -> Case:
    if peer == "pvs":
        return _pvs(about, rows, load(ROOT / "inputs/otter", peer), given, units=np.ones(2))
    payload, *current = _positional(about["vehicle"], 2)
    place = re.search(r"\[(.*?)\]", about["vehicle"])
    changed = loaded_otter(payload, np.array(place[1].split(), float) if place else np.zeros(3))
    vessel = load(ROOT / "inputs/otter", peer, changed)
    return _mss_body(about, rows, vessel, current, np.ones(2))


def loaded_otter(payload: float, place: Floats) -> dict[str, object]:
    """Return what changes in the Otter's files with the payload [kg] and its place.

    The draught, and with it the stiffness; the common CG, and with it inertia and damping.
    Source: MSS ``otter.m``, Fossen (2021), chapters 3, 4 and 6.
    """
    rho, g, m, L, width, out, C_w, C_b = 1025.0, 9.81, 55.0, 2.0, 0.25, 0.395, 0.75, 0.4
    hull, mass = np.array([0.2, 0.0, -0.2]), 55.0 + payload
    common = (m * hull + payload * place) / mass
    inertia = m * np.array([0.432, 0.5, 0.5]) ** 2
    at_co = inertia.copy()
    for part, r in ((m, hull), (payload, place)):
        off, whole = r - common, r
        inertia += part * (off @ off - off**2)
        at_co += part * (whole @ whole - whole**2)
    A_wp, volume = 2 * C_w * L * width, mass / rho
    T = volume / (2 * C_b * width * L)
    section = 6 * C_w**3 / ((1 + C_w) * (1 + 2 * C_w))
    across = 2 * L * width**3 / 12 * section + A_wp * out**2
    along = 0.8 * 2 * width * L**3 / 12
    rise = (5 * T / 2 - 0.5 * volume / (L * width)) / 3 - (T - common[2])
    GM_T, GM_L = across / volume + rise, along / volume + rise
    added = np.array([0.2, 0.8, 1.7]) * inertia
    stiffness = rho * g * np.array([A_wp, volume * GM_T, volume * GM_L])
    M = np.array([mass + m, *(at_co + added)])
    swing = 2 * np.array([0.3, 0.2, 0.4]) * np.sqrt(stiffness * M[:3])
    figures = {
        **dict(zip(("K_pd", "M_qd", "N_rd"), -added, strict=True)),
        **dict(zip(("Z_w", "K_p", "M_q"), -swing, strict=True)),
        "Y_v": -(mass + 1.5 * m),
        "N_r": -M[3],
        "N_ar_r": -10 * M[3],
        "restoring.GM_T": GM_T,
        "restoring.GM_L": GM_L,
    }
    changed: dict[str, object] = {f"hydrodynamics.{k}": float(v) for k, v in figures.items()}
    changed |= {"geometry.draft": T, "inertia.buoyancy_mass": mass}
    changed |= {"inertia.payload.mass": payload}
    changed |= {f"inertia.payload.position.{i}": float(r) for i, r in enumerate(place, 1)}
    return changed


def _remus(about: Any, rows: Any, peer: str, given: dict[str, float]) -> Case:
    vessel, units = load(ROOT / "inputs/remus100", peer), np.array([1, 1, RPM])
    if peer == "pvs":
        return _pvs(about, rows, vessel, given, units=units)
    return _mss_body(about, rows, vessel, _positional(about["vehicle"], 2), units)


def _mss_body(
    about: dict[str, Any],
    rows: dict[str, Floats],
    vessel: Dynamics,
    current: list[float],
    units: Floats,
) -> Case:
    x = about["x0_in_the_peers_state_order"]
    start = np.array([*x[6:12], *x[:6], *[0] * len(units)], float)
    return Case(about, rows, vessel, start, _current(vessel, *(current or [0.0, 0.0])), units)


def _torpedo(about: Any, rows: Any, peer: str, given: dict[str, float]) -> Case:
    vessel = load(ROOT / "inputs/torpedo", peer)
    return _pvs(about, rows, vessel, given, units=np.array([1, 1, 1, 1, RPM]))


def _tito_neri(about: Any, rows: Any, peer: str, given: dict[str, float]) -> Case:
    vessel = load(ROOT / "inputs/tito_neri", "turtleboat")
    units = np.array([RPM, RPM, 1, 1, 1])
    initial = about["initial"]
    actuators = np.array(initial["actuators"]) * units
    start = np.array([0, 0, 0, 0, 0, initial["psi"], *initial["nu"], *actuators], float)
    states = ("rpm1", "rpm2", "bow", "a1", "a2")
    columns = {name: (12 + i, 1 / units[i]) for i, name in enumerate(states)}
    return Case(about, rows, vessel, start, vessel.surroundings(), units, actuators=columns)


def _osv(about: Any, rows: Any, peer: str, given: dict[str, float]) -> Case:
    vessel = load(ROOT / "inputs/osv", peer)
    current = _positional(about["vehicle"], 2)
    return _mss_body(about, rows, vessel, current, np.array([RPM] * 4 + [1, 1]))


_VESSELS: dict[str, Callable[..., Case]] = {
    "clarke83": _clarke,
    "container": _container,
    "dsrv": _dsrv,
    "frigate": _norrbin("frigate"),
    "mariner": _mariner,
    "npsauv": _npsauv,
    "osv": _osv,
    "otter": _otter,
    "remus100": _remus,
    "semisub": _station("semisub"),
    "supply": _station("supply"),
    "tanker": _tanker,
    "torpedo": _torpedo,
    "zefakkel": _norrbin("zeefakkel"),
}
