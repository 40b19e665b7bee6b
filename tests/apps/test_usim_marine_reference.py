"""``model = released`` against runs of the released program: every case and column, 1e-6."""

import csv
import gzip
from itertools import count
from pathlib import Path

import pytest

from steerageway.apps.shared.generation import RELEASED, generation_of
from steerageway.apps.vessels.usim_marine.parameters import SimulatorOptions
from steerageway.apps.vessels.usim_marine.reading import read_craft
from steerageway.bus import Config
from steerageway.geometry.marine import psi

FOLDER = Path(__file__).parents[1] / "reference" / "usm_kinematic"
CASES = sorted(path.stem for path in FOLDER.glob("*.cfg"))
TOLERANCE = 1e-6


def read_case(name):
    """Return (dt, end, craft, orders) of a case."""
    path = FOLDER / f"{name}.cfg"
    head, _, tail = path.read_text().partition("---")
    lines = [line.partition("=") for line in head.splitlines() if line.strip()]
    settings = {key.strip(): value.strip() for key, _, value in lines}
    dt, end = float(settings.pop("dt")), float(settings.pop("tend"))
    config = Config([(key, value, path.name) for key, value in settings.items()], last_wins=True)
    options = SimulatorOptions.read(config)
    craft = read_craft(options, config, generation_of(RELEASED), warn=pytest.fail)
    assert config.unread() == []
    orders = [[float(field) for field in line.split()] for line in tail.split("\n") if line.strip()]
    return dt, end, craft, orders


def read_columns(name):
    """Return the rows of a case's table, the first one at t = 0."""
    packed = FOLDER / f"{name}.csv.gz"
    text = gzip.decompress(packed.read_bytes()) if packed.exists() else None
    plain = (FOLDER / f"{name}.csv").read_text() if text is None else text.decode()
    return [
        {key: float(value) for key, value in row.items()}
        for row in csv.DictReader(plain.splitlines())
    ]


def row_of(motion):
    """Return a motion in the table's columns."""
    return {
        "x": motion.x,
        "y": motion.y,
        "heading": motion.heading,
        "speed": motion.speed,
        "depth": motion.depth,
        "yaw": -psi(motion.heading),
        "pitch": motion.pitch,
        "heading_og": motion.heading_over_ground,
        "speed_og": motion.speed_over_ground,
    }


def steps(dt, craft, orders):
    """Run a case as its recorder did; return the motion after each step."""
    for k in count():
        in_force = next(o for o in reversed(orders) if o[0] <= k * dt + 1e-9)
        inputs = craft.inputs
        _, rudder, inputs.thrust, inputs.elevator, inputs.thrust_left, inputs.thrust_right = (
            in_force
        )
        craft.order_rudder(rudder, k * dt)
        craft.advance((k + 1) * dt)
        yield craft.motion


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_every_column_of_a_released_run_is_reproduced(name):
    dt, end, craft, orders = read_case(name)
    rows = read_columns(name)
    assert len(rows) == round(end / dt) + 1
    worst = {}
    for row, motion in zip(rows[1:], steps(dt, craft, orders), strict=False):
        for column, value in row_of(motion).items():
            worst[column] = max(worst.get(column, 0.0), abs(value - row[column]))
    assert max(worst.values()) < TOLERANCE, (name, worst)


def test_the_library_holds_the_seven_vessels_at_two_steps():
    vessels = {"accel", "alpha", "default", "depth", "diff", "drift", "negmap"}
    assert {f"{v}_dt{s}" for v in vessels for s in ("0.1", "0.25")} <= set(CASES)
