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

from docs.release import add_site, notes
from steerageway.launcher.starts.command import begin, servers_of

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


def test_the_package_that_is_checked_is_installed_on_all_systems_and_pythons() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/checks.yml").read_text())["jobs"]
    assert [s["run"] for s in jobs["package"]["steps"][2:5]] == [
        "python -m pip install build twine",
        "python -m build",
        "python -m twine check --strict dist/*",
    ]
    matrix = jobs["systems"]["strategy"]["matrix"]
    assert jobs["systems"]["needs"] == "package"
    assert {name.partition("-")[0] for name in matrix["system"]} == {"ubuntu", "macos", "windows"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [one.rpartition(" :: ")[2] for one in project["classifiers"]]
    assert matrix["python"] == [one for one in named if re.fullmatch(r"3\.\d+", one)]
    (image,) = [s["run"] for s in jobs["container"]["steps"] if "build" in s.get("run", "")]
    assert image == "docker build --tag steerageway ."


def test_a_release_has_the_notes_of_its_version_and_keeps_the_sites_of_others(
    tmp_path: Path,
) -> None:
    changes = "# Changes\n\n## Unreleased (0.2.0)\n\n- New.\n\n## 0.1.0, May\n\n- Old.\n"
    assert notes(changes, "0.2.0") == "- New.\n"
    assert notes(changes, "0.1.0") == "- Old.\n"
    with pytest.raises(ValueError, match=r"section for 0\.1; it has Unreleased \(0\.2\.0\)"):
        notes(changes, "0.1")
    assert "**Missions**" in notes((ROOT / "CHANGELOG.md").read_text(), "0.1.0")
    site, folder = tmp_path / "site", tmp_path / "all"
    site.mkdir()
    folder.mkdir()
    for version in ("0.1.0", "0.2.0", "0.2.0"):
        (site / "index.html").write_text(version)
        add_site(site, folder, version)
    assert (folder / "0.1.0" / "index.html").read_text() == "0.1.0"
    assert (folder / "latest" / "index.html").read_text() == "0.2.0"
    listed = yaml.safe_load((folder / "versions.json").read_text())
    assert [(row["version"], row["aliases"]) for row in listed] == [
        ("0.2.0", ["latest"]),
        ("0.1.0", []),
    ]


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
    folder, page = begin("sweep", "survey", tmp_path), (ROOT / "docs" / "sweeps.md").read_text()
    files = servers_of("survey")
    texts = [(folder / file).read_text() for file, _ in files]
    for text, (_, place) in zip(texts, files, strict=True):
        assert text.startswith(f"# {place}\n")
        assert f"```yaml\n{text}```\n" in page
    github, gitlab = map(yaml.safe_load, texts)
    steps = github["jobs"]["cases"]["steps"]
    (command,) = [step["run"] for step in steps if "sweep survey" in step.get("run", "")]
    job = gitlab["cases"]
    assert job["script"][-1] == command
    (shown,) = [step["with"] for step in steps if "junit-report" in step.get("uses", "")]
    assert shown["report_paths"] == job["artifacts"]["reports"]["junit"]
    quick = folder / "sweep.yml"
    quick.write_text(quick.read_text().replace("cases: 12", "cases: 2"))
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
