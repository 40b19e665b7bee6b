"""What is checked with every change: ``.ci/run``, the workflows, and the hooks before a commit."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def commands(workflow: Path) -> list[str]:
    """Return the commands of a workflow's steps."""
    jobs: dict[str, Any] = yaml.safe_load(workflow.read_text())["jobs"]
    return [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]


def made() -> list[str]:
    """Return the targets that ``.ci/run`` makes."""
    return re.findall(r"^make (\w+)$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)


def test_a_change_is_tested_linted_and_built_as_a_site_as_contributors_are_told() -> None:
    assert made() == ["test", "lint", "site"]
    table = (ROOT / "CONTRIBUTING.md").read_text()
    (row,) = re.findall(r"^\| `\.ci/run` \| (.*) \|$", table, re.MULTILINE)
    assert re.findall(r"`make (\w+)`", row) == made()
    assert ".ci/run" in commands(ROOT / ".github" / "workflows" / "checks.yml")


def test_hooks_run_only_what_lint_runs() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    lint = (ROOT / "Makefile").read_text().partition("\nlint:")[2].partition("\n\n")[0]
    for hook in hooks:
        entry = hook["entry"].replace(".venv/bin", "$(BIN)")
        assert f"\t{entry} ." in lint or entry == "make lint"


def test_a_release_names_the_repository_that_built_it(tmp_path: Path) -> None:
    (step,) = [c for c in commands(ROOT / ".github/workflows/release.yml") if "project.urls" in c]
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    forge = {"GITHUB_SERVER_URL": "https://forge.example", "GITHUB_REPOSITORY": "sea/steerageway"}
    subprocess.run(step, shell=True, cwd=tmp_path, env={**os.environ, **forge}, check=True)
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text())["project"]
    assert project["urls"] == {"Repository": "https://forge.example/sea/steerageway"}


@pytest.mark.slow
@pytest.mark.process
def test_the_examples_for_servers_run_a_sweep_and_keep_its_results(
    installed: Path, tmp_path: Path
) -> None:
    page = (ROOT / "docs" / "sweeps.md").read_text()
    found = re.findall(r"^```yaml\n# \.(git\S+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    github, gitlab = (yaml.safe_load(text) for _, text in found)
    steps = github["jobs"]["scenarios"]["steps"]
    (command,) = [step["run"] for step in steps if "sweep" in step.get("run", "")]
    job = gitlab["scenarios"]
    assert job["script"][-1] == command
    scenarios = (
        'fixed: {--until: MISSION = complete, --fail-if: ["NAV_X > 500", "NAV_Y > 5"],'
        " --for: 600}\n"
        "vary: {--config uSimMarineV22.turn_rate: [40, 70]}\n"
    )
    (tmp_path / "scenarios.yml").write_text(scenarios)
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    path = f"{installed / 'bin'}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(command, shell=True, cwd=tmp_path, env={**own, "PATH": path}, check=True)
    assert (tmp_path / job["artifacts"]["reports"]["junit"]).is_file()
    assert {job["artifacts"]["paths"][0], steps[-1]["with"]["path"]} == {"out"}


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_the_missions_of_a_workflow_complete_from_an_installation(
    workflow: Path, installed: Path, tmp_path: Path
) -> None:
    runs = [command for command in commands(workflow) if command.startswith("steerageway")]
    assert runs
    folder = tmp_path / "checkout"
    folder.mkdir()
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    for command in runs:
        ended = subprocess.run(
            f"{installed / 'bin'}/{command} --port auto",
            shell=True,
            cwd=folder,
            env=own,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, f"{command}\n{ended.stderr}"
