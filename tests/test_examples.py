"""The programs of ``examples`` do what their first lines say, shortened."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from steerageway.helm.policies import load_onnx
from steerageway.launcher.colregs.command import main as colregs

EXAMPLES = Path(__file__).parents[1] / "examples"
MODULES = {file.stem for file in EXAMPLES.rglob("*.py")}


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return what imports a module of the examples, as Python finds it when it is started."""
    before = set(sys.modules)

    def imported(name: str) -> Any:
        monkeypatch.syspath_prepend(str(next(EXAMPLES.rglob(f"{name}.py")).parent))
        return import_module(name)

    yield imported
    for name in sorted((set(sys.modules) - before) & MODULES):
        del sys.modules[name]


def test_the_gradient_of_a_network_is_its_difference_quotient(example: Any) -> None:
    random = np.random.default_rng(1)
    network = example("ppo").Network((5, 8, 8, 2), 1.0, random)
    network.weights = [one.astype(float) + 0.1 for one in network.weights]
    seen, slope = random.standard_normal((7, 5)), random.standard_normal((7, 2))
    found = network.backward(network.forward(seen), slope)
    for weights, given in zip(network.weights, found, strict=True):
        ends = []
        for nudge in (-1e-6, 2e-6):
            weights.flat[3 % weights.size] += nudge
            ends.append((network.forward(seen)[-1] * slope).sum())
        quotient = (ends[1] - ends[0]) / 2e-6
        assert given.flat[3 % weights.size] == pytest.approx(quotient, rel=1e-4)


def test_a_saved_policy_is_the_one_that_has_learned(example: Any, tmp_path: Path) -> None:
    ppo = example("ppo")
    envs = SimpleNamespace(
        single_observation_space=SimpleNamespace(shape=(9,)),
        single_action_space=SimpleNamespace(shape=(2,)),
        reset=lambda seed: (np.zeros((4, 9)), {}),
    )
    agent = ppo.PPO(envs, 0)
    agent.save(tmp_path / "policy.onnx")
    run = load_onnx(tmp_path / "policy.onnx", 9)
    for seen in np.random.default_rng(0).uniform(-9.0, 9.0, (5, 9)):
        wanted = agent.policy.forward(ppo.clipped(seen[None]))[-1]
        assert run(seen) == pytest.approx(wanted, abs=1e-6)


@pytest.mark.slow
@pytest.mark.process
def test_a_policy_that_has_learned_for_seconds_beats_helm_and_pid_in_current(
    example: Any, tmp_path: Path
) -> None:
    file, curve = tmp_path / "path.onnx", tmp_path / "curve.png"
    learn = [sys.executable, str(EXAMPLES / "learn_path" / "learn.py"), "--updates", "60"]
    subprocess.run([*learn, "--vessels", "128", "--out", file, "--curve", curve], check=True)
    policy, pid = (example("compare").measured(one, range(3)) for one in (file, None))
    assert policy[:, 0].mean() < 0.7 * pid[:, 0].mean()
    assert policy[:, 1].mean() < 1.1 * pid[:, 1].mean()  # and not by being slow
    assert curve.read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_giving_way_by_a_written_policy_raises_the_scores_of_the_colregs(example: Any) -> None:
    scored = example("give_way").scored
    on, giving = (scored(16, 0, gives_way=one).mean(axis=0) for one in (False, True))
    assert (giving > on + 0.1).all()


@pytest.mark.slow
@pytest.mark.process
def test_the_images_of_a_foggy_harbour_are_recorded_and_loaded_with_what_can_be_seen(
    example: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sees 148 m in its fog; what is farther away is labelled, and may be left out."""
    record = example("record")
    monkeypatch.setattr(record, "SECONDS", 5)
    record.record(tmp_path / "set" / "7", 7, foggy=True)
    known = example("labelled").load(tmp_path / "set")
    assert known.images.shape == (2, 192, 320, 3)
    rows = [row for image in known.annotations for row in image]
    assert {row["category_id"] for row in rows} >= {0, 1, 3}
    assert {row["image_id"] for row in rows} == {0, 1}
    seen = [row for image in known.seen(0.02).annotations for row in image]
    assert 0 < len(seen) < len(rows)
    assert all(row["contrast"] >= 0.02 for row in seen)


@pytest.mark.slow
def test_a_helm_that_gives_way_passes_the_suite_s_crossing_by_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    file, out = tmp_path / "crossing.yml", tmp_path / "found.json"
    file.write_text(
        "own: {length: 4, speed: 2, to: [0, 400]}\nscenarios:\n"
        "  - {name: crossing, targets: [{at: [200, 200], heading: 270, speed: 2}]}\n"
    )
    words = ["--scenario", str(file), "--seeds=1", "--jobs=1", f"--results={tmp_path / 'runs'}"]
    words += [f"--json={out}", "--app=pHelmIvP=give_way_helm:GiveWayHelm"]
    assert colregs(words) == 0
    found = json.loads(out.read_text())["all"]
    assert found["events"]["collision"]["value"] == 0.0
    assert found["events"]["near_miss"]["value"] == 0.0
    assert found["rules"]["15"]["value"] > 0.5


@pytest.mark.slow
def test_a_zigzag_of_more_information_identifies_the_damping(example: Any) -> None:
    identify = example("identify")
    told, motion = identify.sailed(seed=1)
    assert told[1] > told[0]
    found = identify.identified(1, motion[:, 1])
    for name, value in {"X_u": -77.554, "Y_v": -162.5, "N_ar_r": -400.449}.items():  # of its files
        low, high = found.interval(name)
        assert abs(found[name] - 1.2 * value) < high - low, name  # four standard deviations
