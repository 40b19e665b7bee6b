"""The field's own runs of coefficient-form vessels, repeated: see tests/reference/vessels."""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from math import cos, pi, radians, sin
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from vessel.fossen.folder import load

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "tests" / "reference" / "vessels"
STATES = ("x", "y", "z", "phi", "theta", "psi", "u", "v", "w", "p", "q", "r")
RPM = pi / 30


@dataclass(frozen=True)
class Kind:
    """Which cases a name's beginning means: the folder, the units of commands, the peer."""

    folder: str
    units: tuple[float, ...]
    peer: str = ""


KINDS = {
    "pvs_otter": Kind("otter", (1, 1), "pvs"),
    "mss_otter": Kind("otter", (1, 1), "mss"),
    "pvs_remus100": Kind("remus100", (1, 1, RPM), "pvs"),
    "mss_remus100": Kind("remus100", (1, 1, RPM), "mss"),
    "pvs_torpedo": Kind("torpedo", (1, 1, 1, 1, RPM), "pvs"),
    "tb_": Kind("tito_neri", (RPM, RPM, 1, 1, 1)),
}


def kind_of(name: str) -> Kind | None:
    return next((kind for start, kind in KINDS.items() if name.startswith(start)), None)


CASES = sorted(path.stem for path in FOLDER.glob("*.yaml") if kind_of(path.stem))


def tolerance(name: str) -> float:
    if name.endswith("_rk4"):
        return 1e-4
    return {"pvs": 1e-9, "mss": 1e-8, "tb": 1e-5}[name.split("_")[0]]


def read(name: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    about = yaml.safe_load((FOLDER / f"{name}.yaml").read_text())
    header, *lines = gzip.decompress((FOLDER / f"{name}.csv.gz").read_bytes()).decode().split()
    table = np.array([[float(cell) for cell in line.split(",")] for line in lines])
    return about, dict(zip(header.split(","), table.T, strict=True))


def current(call: str) -> tuple[float, float, float]:
    """Give the current of a constructor call: by name, or as the last arguments."""
    found = re.search(r"V_current=([-\d.]+),\s*beta_current=([-\d.]+) deg", call) or re.search(
        r",([-\d.]+),([-\d.]+)deg\)", call
    )
    if not found:
        return 0.0, 0.0, 0.0
    speed, towards = float(found[1]), radians(float(found[2]))
    return speed * cos(towards), speed * sin(towards), 0.0


def start(about: dict[str, Any], count: int, units: np.ndarray) -> np.ndarray:
    if "initial" not in about:
        x0 = about["x0_in_the_peers_state_order"]
        return np.array([*x0[6:12], *x0[:6], *[0.0] * count])
    given = about["initial"]
    eta = given.get("eta", [0, 0, 0, 0, 0, given.get("psi", 0.0)])
    return np.array([*eta, *given["nu"], *np.array(given["actuators"]) * units], np.float64)


def simulate(name: str, kind: Kind) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    about, rows = read(name)
    vessel = load(ROOT / "inputs" / kind.folder, kind.peer)
    units, dt = np.array(kind.units), float(about["step_s"])
    around = vessel.surroundings(current(about["vehicle"]))
    rk4 = "RK4" in about["integrator"] or name.endswith("_rk4")
    advance = vessel.step if rk4 else vessel.euler_step
    starts = np.array([row["t_from"] for row in about["inputs"]])
    commands = [np.array(row["u"]) * units for row in about["inputs"]]
    x, states, done = start(about, len(units), units), [], 0
    for until in rows["t"]:
        for k in range(done, round(until / dt)):
            row = int(np.searchsorted(starts, (k + 0.5) * dt, side="right")) - 1
            x = advance(x, commands[row], around, dt)
        done = round(until / dt)
        states.append(x)
    return np.array(states), rows


@pytest.mark.parametrize("name", CASES)
def test_a_peers_run_is_repeated(name):
    kind = kind_of(name)
    states, rows = simulate(name, kind)
    ours = dict(zip(STATES, states.T, strict=False))
    actuators = [column for column in rows if column.startswith("act_")]
    for i, column in enumerate(actuators):
        ours[column] = states[:, 12 + i] / kind.units[i]
    for column, mine in ours.items():
        theirs = rows[column]
        if column in ("phi", "theta", "psi"):
            mine, theirs = np.unwrap(mine), np.unwrap(theirs)
        largest = np.abs(theirs).max() or 1.0
        assert np.abs(mine - theirs).max() / largest < tolerance(name), column


def test_every_peer_of_these_vessels_has_a_run():
    assert len(CASES) == 17
    assert {name.split("_")[0] for name in CASES} == {"pvs", "mss", "tb"}
