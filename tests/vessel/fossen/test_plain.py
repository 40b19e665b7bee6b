"""First steps in plain Python, on a machine that has no machine code yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.errors import NotFinite, VesselError
from steerageway.vessel.fossen import coefficient, plain
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tools.place import folder_of
from steerageway.world.arrays import Floats

pytestmark = pytest.mark.slow  # compiles, unless the cache is warm

VESSELS = (
    *("dinghy", "heron", "mavymini", "otter", "remus100"),
    *("bluerov2_heavy", "rexrov", "tito_neri", "torpedo"),
)
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


def test_plain_python_makes_the_steps_of_machine_code_bit_for_bit() -> None:
    """Of vessels with each kind of hull, actuator and attitude."""
    for vessel in map(load, map(folder_of, VESSELS)):
        assert vessel.model is coefficient.MODEL
        first = in_python(vessel)
        for situation in situations(vessel, 5):
            expected = outcome(vessel.trace, situation)
            assert outcome(first.trace, situation) == expected, vessel.name
            if not isinstance(expected, str):
                assert outcome(first.step, situation) == outcome(vessel.step, situation)


def test_what_python_refuses_ends_as_with_machine_code() -> None:
    """The sine of infinity, and divisions by zero."""
    otter = load(folder_of("otter"))
    first, x = in_python(otter), otter.initial.copy()
    x[3] = np.inf
    for vessel in (otter, first):
        with pytest.raises(NotFinite, match="the rate of"):
            vessel.trace(x, [0.0, 0.0], otter.surroundings(), 0.02, 1)


def test_a_run_goes_on_by_machine_code_that_another_process_has_compiled(
    monkeypatch: pytest.MonkeyPatch, without_machine_code: Path
) -> None:
    """Without a difference in any bit, wherever it changes."""
    monkeypatch.setattr(plain, "TYPICAL", {"rk4": str(without_machine_code)})
    monkeypatch.setattr(plain, "LOOK", 5)
    monkeypatch.setattr(plain, "ENOUGH", 100)
    otter = load(folder_of("otter"))
    first, x, around = in_python(otter), otter.initial, otter.surroundings((0.1, 0.2, 0.0))
    steps = first.model.derivative.func.__self__  # type: ignore[attr-defined]
    for _ in range(20000):
        after = first.step(x, [80.0, 60.0], around, 0.02)
        assert np.array_equal(after, otter.step(x, [80.0, 60.0], around, 0.02))
        x = after
        if steps._compiled:
            break
    assert steps._compiled
    assert steps._evaluations >= plain.ENOUGH
