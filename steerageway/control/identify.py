"""Identification of vessels from recorded runs: Nomoto's models, resistance, Fossen's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from steerageway.control.estimation import Estimate, Unknown, estimate, per_cent
from steerageway.control.recording import Recording
from steerageway.diagnostics.nearest import did_you_mean
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.commands import FULL
from steerageway.vessel.fossen.folder import load, read_folder
from steerageway.vessel.fossen.keys.vessel import MODEL
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.state import PSI, R_, U_, V_
from steerageway.vessel.tools.place import folder_of
from steerageway.world.arrays import Floats

KINDS = ("first", "second", "norrbin")
WIDTH = 10.0  # of the bounds of a coefficient, as a factor both ways
LONGEST_STEP = 0.02  # of the simulated vessel [s]
FIRST = {"u(0)": U_, "v(0)": V_, "r(0)": R_, "psi(0)": PSI}
MEASURED = {"u": "m/s", "v": "m/s", "r": "rad/s", "psi": "rad"}
POOR = 90.0  # fit below which a law of thrust is in doubt [%]
STILL = 1e-9  # change of an input that is none
Rates = Callable[[list[float], float], list[float]]


def nomoto(run: Recording, kind: str = "first", *, held_back: float = 0.25) -> Estimate:
    """Estimate Nomoto's model of steering from rudder to yaw rate.

    first: T r' + r = K (delta + bias); second: T1 T2 r'' + (T1 + T2) r' + r = K (delta + bias + T3
    delta'); norrbin: T r' + r + n_3 r³ = K (delta + bias).

    Args:
        run: with ``rudder`` [rad or %], and ``r`` [rad/s] or ``psi`` [rad].
        kind: one of ``KINDS``. held_back: see ``estimate``.

    Raises:
        InvalidValue: a column is missing or has another unit; the rudder does not move.

    Source: Nomoto et al. (1957); Norrbin (1963); Fossen (2021), section 7.3.
    """
    if kind not in KINDS:
        raise InvalidValue(f"{kind}: no such model; expected {', '.join(KINDS)}")
    seen = {"r": run.need("r", "rad/s")} if run.has("r") else {"psi": run.need("psi", "rad")}
    rudder = _excited(run, "rudder", "rad", "%")
    rate = seen["r"] if "r" in seen else np.gradient(seen["psi"], run.step)
    scale = float(rate.std()) / float(rudder.std())
    lean = float(np.sign(np.corrcoef(np.cumsum(rudder - rudder.mean()), rate)[0, 1]) or 1.0)
    time = 5.0 * run.step
    per = "1/s" if run.units["rudder"] == "rad" else "rad/s per %"
    unknowns = [Unknown("K", 2.0 * lean * scale, unit=per)]
    unknowns.append(Unknown("T", max(time, 5.0), 0.2 * run.step, 1e5, "s"))
    if kind == "second":
        unknowns.append(Unknown("T2", max(0.1 * time, 0.5), 0.1 * run.step, 1e5, "s"))
        unknowns.append(Unknown("T3", 0.1, -1e5, 1e5, "s"))
    if kind == "norrbin":
        unknowns.append(Unknown("n_3", 1.0, unit="s²/rad²"))
    unknowns.append(Unknown("bias", 0.0, unit=run.units["rudder"], nuisance=True))
    unknowns.append(Unknown("r(0)", float(rate[:5].mean()), unit="rad/s", nuisance=True))
    if "psi" in seen:
        unknowns.append(Unknown("psi(0)", float(seen["psi"][0]), unit="rad", nuisance=True))

    def simulate(theta: Floats) -> dict[str, Floats]:
        given = dict(zip((one.name for one in unknowns), theta.tolist(), strict=True))
        start = [given.get("psi(0)", 0.0), given["r(0)"], 0.0]
        track = _integrated(_steering(kind, given), start, rudder + given["bias"], run.step)
        r = track[:, 1]
        if kind == "second":  # the zero of the rudder's rate is added to the output
            r = track[:, 1] + given["T3"] * track[:, 2]
        return {"psi": track[:, 0], "r": r}

    return estimate(simulate, unknowns, seen, held_back=held_back)


def _steering(kind: str, given: dict[str, float]) -> Rates:
    """Return the rates of psi, r and r' (of the second order only) by state and rudder."""
    K, T = given["K"], given["T"]
    if kind == "second":
        T2, T3 = given["T2"], given["T3"]

        def second(x: list[float], delta: float) -> list[float]:
            bend = (K * delta - x[1] - (T + T2) * x[2]) / (T * T2)
            return [x[1] + T3 * x[2], x[2], bend]

        return second
    n_3 = given.get("n_3", 0.0)

    def first(x: list[float], delta: float) -> list[float]:
        r = x[1]
        return [r, (K * delta - r - n_3 * r * r * r) / T, 0.0]

    return first


def _integrated(rates: Rates, start: Sequence[float], inputs: Floats, dt: float) -> Floats:
    """Return the states (n, k) by Runge-Kutta of order 4, each input held over its step."""
    x, track = list(start), [list(start)]
    for value in inputs[:-1].tolist():
        a = rates(x, value)
        b = rates([p + 0.5 * dt * q for p, q in zip(x, a, strict=True)], value)
        c = rates([p + 0.5 * dt * q for p, q in zip(x, b, strict=True)], value)
        d = rates([p + dt * q for p, q in zip(x, c, strict=True)], value)
        x = [
            min(max(p + dt / 6.0 * (i + 2.0 * j + 2.0 * k + m), -1e6), 1e6)
            for p, i, j, k, m in zip(x, a, b, c, d, strict=True)
        ]
        track.append(x)
    return np.array(track)


def surge(run: Recording, mass: float | None = None, *, held_back: float = 0.25) -> Estimate:
    """Estimate resistance and thrust: m u' = -R1 u - R2 u|u| + thrust_1 s.

    s is the order as a part of the greatest one of the run, n, or n|n|: of the two laws the one
    that fits better, which a remark names.

    Args:
        run: with ``u`` [m/s] and ``thrust`` [%, rad/s or N]; a force is s, in N.
        mass: with added mass [kg]; None: all three are per kg of it.
        held_back: see ``estimate``.

    Raises:
        InvalidValue: a column is missing or has another unit; the thrust does not change.
    """
    given = _excited(run, "thrust", "%", "rad/s", "N")
    if run.units["thrust"] == "N":
        return _pushed(run, given, mass, "1" if mass else "1/kg", held_back)
    greatest = float(abs(given).max())
    part = given / greatest
    unit = f"{'N' if mass else 'N/kg'} at {greatest:.4g} {run.units['thrust']}"
    laws = {"the square of the order": part * abs(part), "the order": part}
    found = {law: _pushed(run, s, mass, unit, held_back) for law, s in laws.items()}
    law, other = sorted(laws, key=lambda law: found[law].noise["u"])
    fit, less = (found[one].train_fit.get("u") for one in (law, other))
    remark = f"thrust is taken to go with {law}: fit {per_cent(fit)}; with {other} {per_cent(less)}"
    if fit is None or fit < POOR:
        remark += "; neither may be the vessel's law: a column of thrust in N needs none"
    return replace(found[law], remarks=(remark, *found[law].remarks))


def _pushed(
    run: Recording, push: Floats, mass: float | None, unit: str, held_back: float
) -> Estimate:
    """Estimate resistance, and the factor thrust_1, of this unit, of ``push`` (n,)."""
    u, m = run.need("u", "m/s"), mass or 1.0
    fast = max(float(abs(u).max()), 1e-3)
    first = 0.1 * m
    unknowns = (
        Unknown("R1", first, 0.0, 1e9, "N s/m" if mass else "1/s"),
        Unknown("R2", first / fast, 0.0, 1e9, "N s²/m²" if mass else "1/m"),
        Unknown("thrust_1", 2.0 * first * fast / float(abs(push).max()), 0.0, 1e9, unit),
        Unknown("u(0)", float(u[:5].mean()), unit="m/s", nuisance=True),
    )

    def simulate(theta: Floats) -> dict[str, Floats]:
        linear, quadratic, k, start = theta.tolist()

        def rates(x: list[float], value: float) -> list[float]:
            return [(k * value - linear * x[0] - quadratic * x[0] * abs(x[0])) / m]

        return {"u": _integrated(rates, [start], push, run.step)[:, 0]}

    return estimate(simulate, unknowns, {"u": u}, held_back=held_back)


def fossen3(
    run: Recording,
    vessel: str | Path,
    free: Sequence[str],
    *,
    prior: float | None = None,
    held_back: float = 0.25,
) -> Estimate:
    """Estimate coefficients of a vessel's files by simulating its run.

    Args:
        run: the orders ``rudder`` and ``thrust`` [%], or commands of actuators by name, and any of
            ``u``, ``v`` [m/s], ``r`` [rad/s] and ``psi`` [rad].
        vessel: folder, or name of a shipped vessel: the first values.
        free: keys of hydrodynamics.yml (``X_u``), or of another file (``inertia.mass``).
        prior: standard deviation of the first values, relative to them; None: nothing is known.
        held_back: see ``estimate``.

    Raises:
        InvalidValue: a key is not a number of its file; nothing moves the vessel; a parameter is
            not observable.
    """
    folder = folder_of(str(vessel))
    keys = [key if "." in key else f"hydrodynamics.{key}" for key in free]
    unknowns = [
        _coefficient(folder, key, name, prior) for key, name in zip(keys, free, strict=True)
    ]
    run.check_units()
    seen = {name: run.need(name, unit) for name, unit in MEASURED.items() if run.has(name)}
    if not seen or not free:
        raise InvalidValue(f"{run.source}: expected free parameters, and u, v, r or psi measured")
    base = load(folder)
    inputs = _commands(run, base.name, [c.name for c in base.commands], folder)
    start = base.initial.copy()
    if base.floating is not None:
        start[2:5] = base.floating.rest
    for name, i in (("u", U_), ("v", V_), ("r", R_)):
        if name in run.columns:  # else it starts as its files say
            start[i] = run.columns[name][:5].mean()
            unknowns.append(Unknown(f"{name}(0)", float(start[i]), nuisance=True))
    start[PSI] = float(seen["psi"][0]) if "psi" in seen else 0.0
    if "psi" in seen:
        unknowns.append(Unknown("psi(0)", float(start[PSI]), nuisance=True))
    model = _Simulated(folder, keys, [one.name for one in unknowns], start, inputs, run.step)
    return estimate(model.run, unknowns, seen, held_back=held_back)


def mmg(
    run: Recording,
    vessel: str | Path,
    free: Sequence[str],
    *,
    prior: float | None = None,
    held_back: float = 0.25,
) -> Estimate:
    """Estimate coefficients of a ship of the MMG method, ``R_0`` or ``N_v``, as ``fossen3`` does.

    Raises:
        InvalidValue: as ``fossen3``; or the vessel is of another model.
    """
    model = read_folder(folder_of(str(vessel))).files["vessel"].choice(MODEL)
    if model != "mmg":
        raise InvalidValue(f"{vessel}: model {model}: expected mmg, or --model fossen3")
    return fossen3(run, vessel, free, prior=prior, held_back=held_back)


class _Simulated(NamedTuple):
    """A vessel with changed keys, in a run: names and values of the unknowns, start and inputs."""

    folder: Path
    keys: Sequence[str]
    names: Sequence[str]
    start: Floats
    inputs: Floats
    dt: float

    def run(self, theta: Floats) -> dict[str, Floats]:
        """Return what may be measured (n,), for the unknowns: the keys, then start values."""
        values, inputs = theta.tolist(), self.inputs
        model = load(self.folder, overrides=dict(zip(self.keys, values, strict=False)))
        x = self.start.copy()
        for name, value in zip(self.names[len(self.keys) :], values[len(self.keys) :], strict=True):
            x[FIRST[name]] = value
        steps = max(1, int(np.ceil(self.dt / LONGEST_STEP)))
        held = np.flatnonzero(np.append(True, np.any(np.diff(inputs, axis=0) != 0.0, axis=1)))
        rows, calm = [x[np.newaxis]], model.surroundings()
        for k, first in enumerate(held.tolist()):
            last = held[k + 1] if k + 1 < len(held) else len(inputs)
            count = int(last - first) - (k + 1 == len(held))
            if count:
                track = model.trace(x, inputs[first], calm, self.dt / steps, count * steps)
                rows.append(track[steps - 1 :: steps, 0])
                x = rows[-1][-1]
        whole = np.concatenate(rows)
        return {"psi": whole[:, PSI], "r": whole[:, R_], "u": whole[:, U_], "v": whole[:, V_]}


def _coefficient(folder: Path, key: str, name: str, prior: float | None) -> Unknown:
    file, _, inner = key.partition(".")
    files = read_folder(folder).files
    section = files.get(file)
    known = [] if section is None else list(section.nodes)
    if section is None or inner not in known:
        raise InvalidValue(f"--free {name}: no such key; {did_you_mean(inner, known)}", str(folder))
    try:
        value = float(section.text(inner))
    except ValueError:
        value = 0.0
    if value == 0.0:
        raise InvalidValue(
            f"--free {name}: expected a key whose value is a number but 0", str(folder)
        )
    low, high = sorted((value / WIDTH, value * WIDTH))
    return Unknown(name, value, low, high, prior=None if prior is None else prior * abs(value))


def _commands(run: Recording, name: str, names: Sequence[str], folder: Path) -> Floats:
    """Return the commands (n, m) of a run: by actuators' names, else by the helm's orders."""
    found = [column for column in names if run.has(column)]
    if found:
        rows = [run.columns.get(column, np.zeros_like(run.times)) for column in names]
        commands = np.array(rows).T
    else:
        mapping = orders_of(load(folder))
        shares = np.zeros((len(run.times), len(mapping.full_orders)))
        for i, order in enumerate(mapping.full_orders):
            if order in ("rudder", "thrust") and run.has(order):
                shares[:, i] = np.clip(run.need(order, "%") / FULL, -1.0, 1.0)
        commands = mapping.commands_of(shares)
    if not np.ptp(commands, axis=0).max(initial=0.0) > STILL:
        expected = f"expected changes of rudder or thrust, or of {', '.join(names)}"
        raise InvalidValue(f"{run.source}: without excitation of {name}: {expected}")
    return commands


def _excited(run: Recording, name: str, *units: str) -> Floats:
    """Return an input.

    Raises:
        InvalidValue: it is constant: nothing can be identified from it; see also ``check_units``.
    """
    run.check_units()
    values = run.need(name, *units)
    if not float(np.ptp(values)) > STILL:
        raise InvalidValue(
            f"{run.source}: without excitation: {name} stays at {values[0]:g} {run.units[name]}; "
            "expected a run in which it changes, as a zig-zag or steps"
        )
    return values
