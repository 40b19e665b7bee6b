"""First steps in plain Python, on a machine that has no machine code yet."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.errors import NotFinite, VesselError
from steerageway.vessel.fossen import plain
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.in_sea import in_sea
from steerageway.vessel.tools.place import folder_of
from steerageway.world.arrays import Floats
from steerageway.world.sea import Sea
from steerageway.world.sea_state import SeaState
from tests.vessel.wave_forces import regular_waves

pytestmark = pytest.mark.slow  # compiles, unless the cache is warm

VESSELS = (
    *("dinghy", "heron", "mavymini", "otter", "remus100"),
    *("bluerov2_heavy", "rexrov", "tito_neri", "torpedo"),
)
SEA = Sea.of([SeaState("jonswap", 0.3, 3.0)], 1, depth=20.0)
Situation = tuple[Floats, Floats, Floats]


def in_python(vessel: Dynamics) -> Dynamics:
    """Return a vessel in its first steps; until it is told so, nothing compiled is found."""
    scheme = "quaternion" if vessel.quaternions else "rk4"
    model = plain.first_steps.__wrapped__(vessel.model, scheme, ("touch",))
    return replace(vessel, model=model)


@pytest.fixture(autouse=True)
def without_machine_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Let the first steps find no machine code until there is a file, which this returns."""
    compiled = tmp_path / "compiled"
    monkeypatch.setattr(plain, "is_kept", lambda function: compiled.exists())
    return compiled


def situations(vessel: Dynamics, count: int) -> list[Situation]:
    """Return states far from rest, commands beyond their limits, and water and air that move."""
    rng, found = np.random.default_rng(7), []
    low = np.array([max(channel.low, -1e3) for channel in vessel.commands])
    high = np.array([min(channel.high, 1e3) for channel in vessel.commands])
    for _ in range(count):
        x = vessel.initial.copy()
        x[2:] += 0.3 * rng.normal(size=x.size - 2) * (rng.random(x.size - 2) < 0.7)
        command = rng.uniform(1.2 * low, 1.2 * high) * (rng.random() < 0.8)
        current = rng.normal(size=3) * (rng.random() < 0.6)
        wind = 5.0 * rng.normal(size=2) * (rng.random() < 0.6)
        found.append((x, command, vessel.surroundings(current, wind, 30.0)))
    return found


def outcome(step: Callable[..., Floats], situation: Situation) -> list[int] | str:
    """Return the bits of a result, or the text of its error."""
    try:
        return step(*situation, 0.02, 10).view(np.int64).ravel().tolist()
    except VesselError as error:
        return str(error)


def check_bits(vessel: Dynamics, count: int) -> None:
    """Compare the first steps with those of machine code."""
    assert vessel.scheme() in plain.TYPICAL
    first = in_python(vessel)
    for situation in situations(vessel, count):
        expected = outcome(vessel.trace, situation)
        assert outcome(first.trace, situation) == expected, vessel.name
        if not isinstance(expected, str):
            assert outcome(first.step, situation) == outcome(vessel.step, situation)


def test_plain_python_makes_the_steps_of_machine_code_bit_for_bit() -> None:
    """Of vessels with each kind of hull, actuator and attitude."""
    for vessel in map(load, map(folder_of, VESSELS)):
        check_bits(vessel, 5)


def test_so_it_does_of_vessels_that_float_by_their_hull_form(tmp_path: Path) -> None:
    """In still water and in waves, with each evaluator, and a propeller in the waves' flow."""
    barge = Path(shutil.copytree(folder_of("box_barge"), tmp_path / "barge"))
    screw = "thruster_location: [-1.9, 0, 0.3], D_prop: 0.3, KT_at_J0: 0.4, n_max: 2000"
    (barge / "thrusters.yml").write_text(f"thrusters:\n- {{{screw}}}\n")
    changes: tuple[dict[str, object], ...] = (
        {"loads.drift": "none"},
        {"loads.evaluator": "exact", "loads.cutting": False},
        {"hydrostatics": "voxels"},
        {"drag.kerner.P1": 100.0},
    )
    changed = [{f"hydrodynamics.{key}": one[key] for key in one} for one in changes]
    vessels = [
        *map(load, map(folder_of, ("sphere", "wamv"))),
        *(load(barge, overrides=one) for one in changed),
        regular_waves.barge("rao")[0],
    ]
    for vessel in vessels:
        check_bits(vessel, 3)
        check_bits(in_sea(vessel, SEA), 5)


def test_what_python_refuses_ends_as_with_machine_code() -> None:
    """The sine of infinity, and divisions by zero."""
    otter = load(folder_of("otter"))
    first, x = in_python(otter), otter.initial.copy()
    x[3] = np.inf
    for vessel in (otter, first):
        with pytest.raises(NotFinite, match="the rate of"):
            vessel.trace(x, [0.0, 0.0], otter.surroundings(), 0.02, 1)


@pytest.mark.parametrize("name", ["otter", "wamv"])
def test_a_run_goes_on_by_machine_code_that_another_process_has_compiled(
    monkeypatch: pytest.MonkeyPatch, without_machine_code: Path, name: str
) -> None:
    """Without a difference in any bit, wherever it changes."""
    monkeypatch.setattr(plain, "LOOK", 5)
    monkeypatch.setattr(plain, "ENOUGH", 100)
    vessel = in_sea(load(folder_of(name)), SEA)
    monkeypatch.setattr(plain, "TYPICAL", {vessel.scheme(): str(without_machine_code)})
    first, x, around = in_python(vessel), vessel.initial, vessel.surroundings((0.1, 0.2, 0.0))
    command = [0.7 * one.high / k for k, one in enumerate(vessel.commands, 1)]
    steps = first.model.derivative.func.__self__  # type: ignore[attr-defined]
    for _ in range(20000):
        after = first.step(x, command, around, 0.02)
        assert np.array_equal(after, vessel.step(x, command, around, 0.02))
        x = after
        if steps._compiled:
            break
    assert steps._compiled
    assert steps._evaluations >= plain.ENOUGH
