"""Identification recovers parameters of simulated vessels within the intervals that it states."""

from __future__ import annotations

import json
import shutil
from math import radians
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.signal import cont2discrete, lfilter

from steerageway.control import (
    Recording,
    fossen3,
    mmg,
    nomoto,
    read_recording,
    replace_values,
    surge,
)
from steerageway.control.estimation import Unknown, estimate
from steerageway.control.identify import KINDS
from steerageway.launcher.identify import ORDERS
from steerageway.launcher.verbs import main
from steerageway.moos.alog import banner
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load, read_folder
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.state import R_, U_, V_
from steerageway.world.arrays import Floats

INPUTS = Path(__file__).parents[2] / "inputs"
SHIPS = 10


def sailed(vessel: Dynamics, commands: Floats, dt: float) -> Floats:
    """Return the states (n, 12 + m) of a vessel's own equations, each command held for dt."""
    rows, calm = [vessel.initial], vessel.surroundings()
    for command in commands[:-1]:
        rows.append(vessel.step(rows[-1], command, calm, dt / 10, steps=10))
    return np.array(rows)


@pytest.mark.slow
def test_ten_ships_lie_within_the_stated_intervals() -> None:
    """Norrbin's ships of random K and T, by the simulator's model, with noise of a gyro.

    With 20 intervals of 95 %, 17 or more hold the truth in 98.4 % of all such tests.
    """
    rng, dt, n, held, widths = np.random.default_rng(44), 0.5, 400, 0, []
    for _ in range(SHIPS):
        K, T = float(rng.uniform(0.1, 0.5)), float(rng.uniform(5.0, 40.0))
        gains = [{"U": 4, "K": K, "T": T, "n_3": 0.0}]
        lag = {"control_surfaces.control_surfaces.1.control_surface_T": 0.0}
        ship = load("zeefakkel", overrides={"hydrodynamics.gains": gains, **lag})
        rudder = radians(15.0) * np.sign(
            np.sin(2 * np.pi * np.arange(n) * dt / rng.uniform(30, 90))
        )
        slow = np.clip(np.convolve(rudder, np.ones(9) / 9.0, "same"), -1.0, 1.0)  # within 10 deg/s
        r = sailed(ship, slow[:, np.newaxis], dt)[:, R_] + rng.normal(0.0, radians(0.1), n)
        run = Recording(dt * np.arange(n), {"rudder": slow, "r": r}, UNITS, "ship")
        found = nomoto(run)
        for name, truth in (("K", K), ("T", T)):
            low, high = found.interval(name)
            held += low <= truth <= high
            widths.append((high - low) / truth)
        assert found.white["r"] > 1e-4
    assert 17 <= held <= 20
    assert max(widths) < 0.5


VESSELS = {
    **dict.fromkeys(("otter", "heron"), ("X_u", "N_r")),
    **dict.fromkeys(("remus100", "sookshma", "torpedo"), ("N_r",)),
    **dict.fromkeys(("kvlcc2_l7", "esso_osaka_l3"), ("R_0", "N_v")),
    "blueboat": ("Y_v", "N_r"),
    "bluerov2_heavy": ("X_au_u", "N_ar_r"),
    "tito_neri": ("X_u", "Y_v"),
}


@pytest.mark.slow
def test_coefficients_of_ten_vessels_lie_within_the_stated_intervals(tmp_path: Path) -> None:
    """Of one minute of orders at random; the sheets are wrong by up to 60 %.

    With 17 intervals of 95 %, 14 or more hold the truth in 99.1 % of all such tests.
    """
    rng, dt, n, held = np.random.default_rng(46), 0.2, 300, 0
    units = {"rudder": "%", "thrust": "%", "u": "m/s", "v": "m/s", "r": "rad/s"}
    for name, free in VESSELS.items():
        vessel = load(INPUTS / name)
        orders = np.repeat(rng.uniform((-80, 20), (80, 80), (8, 2)), 40, axis=0)[:n]
        columns = {"rudder": orders[:, 0], "thrust": orders[:, 1]}
        x = sailed(vessel, np.array([orders_of(vessel).commands(*pair) for pair in orders]), dt)
        for what, i, size in (("u", U_, 0.02), ("v", V_, 0.02), ("r", R_, 0.005)):
            columns[what] = x[:, i] + rng.normal(0.0, size, n)
        hydrodynamics = read_folder(INPUTS / name)["hydrodynamics"]
        truth = {key: float(hydrodynamics.text(key)) for key in free}
        sheet = shutil.copytree(INPUTS / name, tmp_path / name)
        replace_values(sheet, {key: v * rng.uniform(0.6, 1.6) for key, v in truth.items()}, "")
        found = fossen3(Recording(dt * np.arange(n), columns, units, name), sheet, free)
        for key, value in truth.items():
            low, high = found.interval(key)
            held += low <= value <= high
            assert high - low < 0.3 * abs(value), f"{name}: {key}"
    assert held >= 14


def test_a_linear_model_has_the_values_and_deviations_of_its_normal_equations() -> None:
    """(X' X)^-1 of two columns that hardly differ, and their correlation, which is remarked."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(400, 1)) + 0.2 * rng.normal(size=(400, 2))
    y = X @ [3.0, -2.0] + 0.1 * rng.normal(size=400)
    unknowns = [Unknown("a", 1.0), Unknown("b", 1.0)]
    found = estimate(lambda theta: {"y": X @ theta}, unknowns, {"y": y}, held_back=0.0)
    values, *_ = np.linalg.lstsq(X, y, rcond=None)
    C = np.linalg.inv(X.T @ X) * np.mean((y - X @ values) ** 2)
    assert found.values == pytest.approx(values, rel=1e-8)
    assert found.deviations == pytest.approx(np.sqrt(np.diag(C)), rel=1e-6)
    correlation = C[0, 1] / np.sqrt(C[0, 0] * C[1, 1])
    assert found.correlation[0, 1] == pytest.approx(correlation, abs=1e-6)
    assert f"b and a are collinear (correlation {correlation:.3f})" in str(found)


def tacking(n: int, dt: float) -> Floats:
    """Return a rudder (n,) [rad] that changes sides, each time for another while."""
    sides = np.sign(np.sin(0.05 * (dt * np.arange(n)) ** 1.15))
    return 0.3 * np.where(sides == 0.0, 1.0, sides)


@pytest.mark.slow
def test_nomotos_second_order_is_that_of_its_transfer_function() -> None:
    """K (1 + T3 s) / ((1 + T1 s) (1 + T2 s)), sampled by scipy with the rudder held."""
    K, T1, T2, T3, dt, n = 0.2, 20.0, 3.0, 6.0, 0.5, 600
    denominator = np.polymul([T1, 1.0], [T2, 1.0])
    numerator, denominator, _ = cont2discrete(([K * T3, K], denominator), dt)
    rudder = tacking(n, dt)
    r = lfilter(numerator[0], denominator, rudder)
    noise = np.random.default_rng(8).normal(0.0, 1e-4, n)
    run = Recording(dt * np.arange(n), {"rudder": rudder, "r": r + noise}, UNITS, "filter")
    found = nomoto(run, "second")
    times = sorted((found["T"], found["T2"]))
    assert [found["K"], found["T3"], *times] == pytest.approx([K, T3, T2, T1], rel=0.02)
    low, high = found.interval("K")
    assert low <= K <= high
    assert found.white["r"] > 0.01
    poorer = nomoto(run, "first")
    assert poorer.fit["r"] < found.fit["r"]
    assert "the residuals of r are not white" in str(poorer)


@pytest.mark.slow
def test_norrbins_terms_are_those_of_scipys_integration_found_from_headings() -> None:
    """T r' + r + n_3 r³ = K delta."""
    K, T, n_3, dt, n = 0.3, 10.0, 60.0, 0.5, 400
    rudder = tacking(n, dt)
    rows = [np.zeros(2)]
    for delta in rudder[:-1]:
        step = solve_ivp(
            lambda _, x, d: [x[1], (K * d - x[1] - n_3 * x[1] ** 3) / T],
            (0.0, dt),
            rows[-1],
            "DOP853",
            args=(delta,),
            rtol=1e-10,
            atol=1e-12,
        )
        rows.append(step.y[:, -1])
    psi = np.array(rows)[:, 0] + np.random.default_rng(9).normal(0.0, 2e-3, n)
    columns, units = {"rudder": rudder, "psi": psi}, {"rudder": "rad", "psi": "rad"}
    found = nomoto(Recording(dt * np.arange(n), columns, units, "scipy"), "norrbin")
    for name, truth in (("K", K), ("T", T), ("n_3", n_3)):
        low, high = found.interval(name)
        assert low <= truth <= high
        assert high - low < 0.3 * truth


@pytest.mark.slow
def test_residuals_that_hang_together_count_as_few_samples() -> None:
    """The mean of a first-order process of rho has a variance (1 + rho) / (1 - rho) as large."""
    rho, n, runs = 0.9, 1000, 60
    drawn = np.random.default_rng(7).normal(size=(runs, n + 100))
    noise = lfilter([1.0], [1.0, -rho], drawn)[:, 100:]
    truth = 3.0
    found = [
        estimate(
            lambda theta: {"y": np.full(n, theta[0])},
            [Unknown("c", 1.0)],
            {"y": truth + row},
            held_back=0.0,
        )
        for row in noise
    ]
    expected = np.sqrt((1.0 + rho) / (1.0 - rho) / (1.0 - rho**2) / n)
    assert np.mean([one.deviations[0] for one in found]) == pytest.approx(expected, rel=0.15)
    held = [one.interval("c")[0] <= truth <= one.interval("c")[1] for one in found]
    assert sum(held) >= 0.8 * runs  # of intervals as for white residuals 35 %


def test_a_part_kept_back_in_which_nothing_changes_has_no_fit() -> None:
    """A sine that stops, with a noise of 1e-6 of it; the rest of a line fits by 100 %."""
    x = np.append(np.sin(0.3 * np.arange(75)), np.zeros(25))
    noise = 1e-6 * np.random.default_rng(3).normal(size=100)
    for moves in (False, True):
        x[75:] = np.arange(25) * float(moves)
        found = estimate(
            lambda theta: {"y": theta[0] * x}, [Unknown("c", 1.0)], {"y": 3 * x + noise}
        )
        assert found.train_fit["y"] == pytest.approx(100.0, abs=1e-3)
        assert found.fit == pytest.approx({"y": 100.0} if moves else {}, abs=1e-3)
        assert ("kept back none (nothing changes there)" in str(found)) is not moves


UNITS = {"rudder": "rad", "r": "rad/s", "u": "m/s", "v": "m/s", "th_1": "rad/s", "th_2": "rad/s"}


def otters_run(n: int = 300, noise: float = 1.0) -> Recording:
    """Return a run of the Otter with steps of both propellers, and the noise of its sensors."""
    rng, k, dt = np.random.default_rng(7), np.arange(n), 0.2
    left, right = (
        60 + s * 25 * np.sign(np.sin(2 * np.pi * k / T)) for s, T in ((1, 90), (-1, 130))
    )
    x = sailed(load("otter"), np.array([left, right]).T, dt)
    columns = {"th_1": left, "th_2": right}
    for name, i, size in (("u", U_, 0.02), ("v", V_, 0.02), ("r", R_, 0.005)):
        columns[name] = x[:, i] + noise * rng.normal(0.0, size, n)
    return Recording(dt * k, columns, UNITS, "otter's run")


@pytest.mark.slow
def test_coefficients_of_a_wrong_sheet_are_found_and_written(tmp_path: Path) -> None:
    truth = {"X_u": -77.55443234836703, "N_r": -40.044921875}
    sheet = tmp_path / "sheet"
    shutil.copytree(INPUTS / "otter", sheet)
    text = (sheet / "hydrodynamics.yml").read_text()
    wrong = text.replace("X_u: -77.55443234836703", "X_u: -50").replace(
        "N_r: -40.04", "N_r: -80.04"
    )
    (sheet / "hydrodynamics.yml").write_text(wrong)
    run = otters_run()
    file = tmp_path / "run.csv"
    head = ",".join(f"{name} [{UNITS.get(name, 's')}]" for name in ("time", *run.columns))
    table = np.column_stack((run.times, *run.columns.values()))
    np.savetxt(file, table, "%.9g", ",", header=head, comments="")
    words = ["vessel", "identify", str(file), "--model", "fossen3", "--vessel", str(sheet)]
    made = tmp_path / "made"
    assert main([*words, "--free", "X_u,N_r", "--output", str(made)]) == 0
    found = fossen3(read_recording(file), sheet, ["X_u", "N_r"])
    for name, value in truth.items():
        low, high = found.interval(name)
        assert low - 0.2 * (high - low) <= value <= high + 0.2 * (high - low)
        assert f"{name}: {found[name]:.8g} # identified" in (made / "hydrodynamics.yml").read_text()
    assert min(found.fit.values()) > 70.0
    assert load(made).initial.size == load("otter").initial.size


@pytest.mark.slow
def test_resistance_and_thrust_are_those_of_a_closed_form() -> None:
    """m u' = k T - R1 u of an exponential, whose quadratic part is zero."""
    m, R1, k, t = 80.0, 20.0, 50.0, 0.1 * np.arange(600)
    thrust = np.where(t < 30.0, 1.0, 0.4)
    first = k / R1 * (1.0 - np.exp(-R1 / m * t))
    later = k * 0.4 / R1 + (float(np.interp(30.0, t, first)) - k * 0.4 / R1) * np.exp(
        -R1 / m * (t - 30.0)
    )
    u = np.where(t < 30.0, first, later)
    run = Recording(t, {"thrust": thrust, "u": u}, {"thrust": "N", "u": "m/s"}, "closed form")
    found = surge(run, m)
    assert (found["R1"], found["thrust_1"]) == pytest.approx((R1, k), rel=2e-3)
    assert found["R2"] < 0.1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("power", "thrust_1", "law"),
    [(1, 24.0, "the order: fit 100.0 %"), (2, 19.2, "the square of the order: fit 100.0 %")],
)
def test_the_law_of_thrust_and_its_force_at_the_greatest_order_are_found(
    power: int, thrust_1: float, law: str
) -> None:
    """30 N at 100 %, orders up to 80 %; m u' = T - R1 u - R2 u² is Riccati's equation.

    Of its roots a and b, (u - a) / (u - b) decays with the rate R2 (a - b) / m in each step.
    """
    m, R1, R2, dt, u = 20.28, 2.0, 9.0, 0.25, [0.0]
    orders = np.repeat([40.0, 80.0, 20.0, 60.0, 30.0, 70.0], 50)
    for order in orders[:-1]:
        root = np.sqrt(R1**2 + 4.0 * R2 * 30.0 * (order / 100.0) ** power)
        a, b = (-R1 + root) / (2.0 * R2), (-R1 - root) / (2.0 * R2)
        c = (u[-1] - a) / (u[-1] - b) * np.exp(-R2 * (a - b) / m * dt)
        u.append((a - b * c) / (1.0 - c))
    columns = {"thrust": orders, "u": np.array(u)}
    run = Recording(dt * np.arange(len(u)), columns, {"thrust": "%", "u": "m/s"}, "closed form")
    found = surge(run, m)
    values = [found[name] for name in ("R1", "R2", "thrust_1")]
    assert values == pytest.approx([R1, R2, thrust_1], rel=1e-3)
    assert f"thrust is taken to go with {law}; with" in found.remarks[0]
    assert f"thrust_1 = {found['thrust_1']:.5g} N at 80 %, " in str(found)
    assert "N/kg at 80 %, " in str(surge(run))


@pytest.mark.parametrize(
    ("head", "row", "expected"),
    [
        ("time [s],rudder,r [deg/s]", "{t},{k},1", r"run.csv:1: rudder: expected a unit.*rad or %"),
        ("time [s],rudder [rad],r [turns]", "{t},{k},1", r"r \[turns\]: expected a unit"),
        ("time [s],rudder [rad],r [m]", "{t},0.{k},1", "r is in m: expected rad/s"),
        (
            "time [s],rudder [rad],u [m/s]",
            "{t},0.{k},1",
            r"expected a column psi \[rad\], or --map psi=COLUMN; it has rud",
        ),
        ("time [s],rudder [%],r [deg/s]", "{t},0,1", "without excitation: rudder stays at 0 %"),
        ("time [s],rudder [%],r [deg/s]", "{t},x,1", "run.csv:2: rudder = x: expected a fin"),
        ("time [s],rudder [%],r [deg/s]", ",1,1", "run.csv:2: time: expected a time in each row"),
        ("time [s],r [deg/s],r [rad/s]", "{t},1,1", "run.csv:1: expected a name of its own"),
        ("rudder [%],r [deg/s]", "{t},1", "expected a column time"),
    ],
)
def test_a_run_that_does_not_serve_says_what_is_missing(
    head: str, row: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [row.format(t=0.1 * i, k=i % 7) for i in range(60)]
    (tmp_path / "run.csv").write_text("\n".join((head, *rows)))
    assert main(["vessel", "identify", str(tmp_path / "run.csv"), "--model", "nomoto"]) == 2
    said = capsys.readouterr().err
    with pytest.raises(InvalidValue, match=expected):
        raise InvalidValue(said)


@pytest.mark.parametrize(
    ("head", "wrong", "expected"),
    [
        ("rudder [rad],r [rad/s]", (57.3, 1), r"rudder reaches 20\.1 rad: .*is it in deg\?"),
        ("rudder [deg],r [rad/s]", (57.3, 57.3), r"r reaches 11.5 rad/s: .*is it in deg/s\?"),
        ("rudder [rad],psi [rad]", (1, 57.3), r"psi turns faster than a vessel: is it in deg\?"),
        ("rudder [rad],r [rad/s],psi [rad]", (1, 5.73, 0.1), r"r is 57.3 times .*is r in deg/s\?"),
        ("rudder [rad],r [rad/s],psi [deg]", (1, 1, 1), r"r is 57.3 times what psi give"),
        ("rudder [rad],psi [rad],u [m/s],x [m],y [m]", (1, 1, 1.944, 1, 1), r"is u in kn\?"),
    ],
)
def test_columns_in_another_unit_than_the_head_says_are_named(
    head: str, wrong: tuple[float, ...], expected: str, tmp_path: Path
) -> None:
    """Of turns to both sides: rudder 0.35 rad, r 0.2 rad/s, 2 m/s; places with noise of GPS."""
    t = 0.2 * np.arange(200)
    right = {"rudder": 0.35 * np.sin(0.2 * t), "r": 0.2 * np.sin(0.2 * t), "u": 2.0 + 0.0 * t}
    psi, noise = 1.0 - np.cos(0.2 * t), np.random.default_rng(1).normal(0.0, 0.3, (2, len(t)))
    place = np.cumsum(0.4 * np.array([np.sin(psi), np.cos(psi)]), axis=1) + noise
    right |= {"psi": psi, "x": place[0], "y": place[1]}
    names = [cell.split(" ")[0] for cell in head.split(",")]
    columns = [t, *(right[name] * k for name, k in zip(names, wrong, strict=True))]
    file = tmp_path / "run.csv"
    np.savetxt(file, np.array(columns).T, delimiter=",", header=f"time [s],{head}", comments="")
    with pytest.raises(InvalidValue, match=expected):
        nomoto(read_recording(file))


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("speed [kn]", r"expected a column thrust \[% or rad/s or N\].*has u, lat, n"),
        ("speed [kn],thrust", r"run.csv:1: thrust: expected a unit, as thrust \[%, rpm or N\]"),
        ("speed,thrust [N]", r"run.csv:1: u: expected a unit, as u \[m/s\]"),
        ("speed [kn],thrust [rad]", r"thrust is in rad: expected % or rad/s or N"),
    ],
)
def test_only_columns_that_a_model_uses_need_a_unit(
    head: str, expected: str, tmp_path: Path
) -> None:
    count = head.count(",") + 1
    rows = [f"{i},52.1,{i % 7}" + f",{i % 5}" * count for i in range(60)]
    file = tmp_path / "run.csv"
    file.write_text("\n".join((f"time [s],lat,n [satellites],{head}", *rows)))
    run = read_recording(file, {"u": "speed"})
    assert run.step == 1.0
    with pytest.raises(InvalidValue, match=expected):
        surge(run)


def test_an_empty_cell_of_a_table_is_a_sample_that_is_missing(tmp_path: Path) -> None:
    """A speed that rises by 2 m/s in each second, recorded in every third row."""
    rows = [f"{0.1 * i:.1f},{0.2 * i if i % 3 == 0 else ''},{i % 7}" for i in range(61)]
    (tmp_path / "run.csv").write_text("\ufefftime [s],u [m/s],rudder [%]\n" + "\n".join(rows))
    run = read_recording(tmp_path / "run.csv")
    assert run.columns["u"] == pytest.approx(2.0 * run.times)
    assert run.columns["rudder"].tolist() == [float(3 * k % 7) for k in range(21)]


def test_a_runs_folder_and_columns_of_other_names_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A yaw rate that follows 0.2 times the rudder with a lag of 5 s, by its closed form."""
    rudder = np.repeat([0.1, -0.1, 0.1, -0.1], 100)
    r, lag = [0.0], np.exp(-0.1 / 5.0)
    for one in rudder[:-1]:
        r.append(0.2 * one + (r[-1] - 0.2 * one) * lag)
    rows = [f"{0.1 * k:.1f},{rudder[k]},{r[k]:.9f}" for k in range(len(rudder))]
    table = tmp_path / "sea.csv"
    table.write_text("stamp [s],cmd [rad],gyro [rad/s]\n" + "\n".join(rows))
    command = ["vessel", "identify", str(table), "--model", "nomoto", "--map"]
    assert main([*command, "time=stamp", "rudder=cmd", "r=gyro", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["parameters"]
    assert found["K"]["value"] == pytest.approx(0.2, rel=1e-3)
    assert found["T"]["value"] == pytest.approx(5.0, rel=1e-2)
    assert main([*command, "time=stamp", "rudder=helm"]) == 2
    said = capsys.readouterr().err
    assert "no column helm" in said
    assert "its columns are stamp, cmd, gyro" in said

    folder = tmp_path / "run" / "LOG_ABE"
    folder.mkdir(parents=True)
    banner_ = banner("abe", 0.0, 0.0)
    lines = [f"{0.1 * k:<15.1f} NAV_SPEED            a               {k}" for k in range(30)]
    (folder / "abe.alog").write_text(banner_ + "\n".join(lines) + "\n")
    assert read_recording(tmp_path / "run").columns["u"] == pytest.approx(range(30))
    (folder / "ben.alog").write_text(banner_)
    with pytest.raises(InvalidValue, match=r"expected one log, as .*abe\.alog; found .*ben\.alog"):
        read_recording(tmp_path / "run")


@pytest.mark.slow
def test_what_a_run_does_not_show_is_not_observable() -> None:
    run = otters_run(60)
    straight = {**run.columns, "th_2": run.columns["th_1"]}
    only_u = {name: straight[name] for name in ("th_1", "th_2", "u")}
    with pytest.raises(InvalidValue, match="N_r: not observable"):
        fossen3(run._replace(columns=only_u), "otter", ["X_u", "N_r"])
    assert "Z_w may be 0 as well: the run hardly shows it" in str(
        fossen3(run._replace(columns=only_u), "otter", ["X_u", "Z_w"])
    )
    with pytest.raises(InvalidValue, match="otter: model coefficients: expected mmg"):
        mmg(run, "otter", ["X_u"])
    with pytest.raises(InvalidValue, match="X_v: no such key; did you mean"):
        fossen3(run, "otter", ["X_v"])
    still = {**run.columns, "th_1": np.zeros(60), "th_2": np.zeros(60)}
    with pytest.raises(InvalidValue, match="without excitation of otter: expected changes of rud"):
        fossen3(run._replace(columns=still), "otter", ["X_u"])


def test_the_command_offers_the_models_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert ORDERS == KINDS
    with pytest.raises(SystemExit) as ended:
        main(["vessel", "identify", "run.csv", "--model", "surge", "--order", "frist"])
    assert ended.value.code == 2
    assert "first" in capsys.readouterr().err
