"""The claims of docs/platforms.md that this system can check; and the Dockerfile."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ELSEWHERE = [sys.executable, str(ROOT / "tests" / "launcher" / "elsewhere.py")]
HERE = [sys.executable, str(ROOT / "launch.py")]
# what only some systems have; a module that names one must be on the page
MECHANISMS = re.compile(
    r"(/proc/self|\bAF_UNIX|os\.fork|fcntl\.|resource\.|os\.getuid|sched_getaffinity|sched_yield|setitimer"
    r"|SIGHUP|SIGUSR1|SIGKILL|killpg)"
)


def launched(program: list[str], folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [*program, str(ROOT / "missions" / "alpha"), "--warp", "max", "--for", "20", *options]
    return subprocess.run(
        command,
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "HOME": str(folder), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.process
def test_without_forks_locks_and_user_ids_one_process_gives_the_same_log(tmp_path: Path) -> None:
    hashes = []
    for name, program in (("here", HERE), ("elsewhere", ELSEWHERE)):
        options = ("--placement", "one", "--log", name, "--json", f"{name}.json")
        ended = launched(program, tmp_path, *options)
        assert ended.returncode == 0, ended.stderr
        run = json.loads((tmp_path / f"{name}.json").read_text())
        hashes.append(run["communities"]["alpha"]["log_sha256"])
    assert hashes[0] == hashes[1]


@pytest.mark.process
def test_without_forks_other_placements_explain_the_alternative(tmp_path: Path) -> None:
    for placement in ("process", "community"):
        ended = launched(ELSEWHERE, tmp_path, "--no-log", "--placement", placement)
        assert ended.returncode == 2
        assert "this system does not fork processes; expected --placement one" in ended.stderr


WITHOUT_NUMBA = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numba", "llvmlite"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
"""


@pytest.mark.process
def test_without_numba_alpha_gives_the_same_log_and_a_fossen_vessel_names_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_NUMBA)
    paths = {"PYTHONPATH": f"{tmp_path}:{ROOT}", "HOME": str(tmp_path), "PATH": ""}
    hashes = []
    for name, env in (("without", paths), ("with", {**paths, "PYTHONPATH": str(ROOT)})):
        options = (
            "--warp",
            "max",
            "--for",
            "20",
            "--port",
            "auto",
            "--log",
            name,
            "--json",
            f"{name}.json",
        )
        subprocess.run([*HERE, "alpha", *options], cwd=tmp_path, env=env, check=True)
        run = json.loads((tmp_path / f"{name}.json").read_text())
        hashes.append(run["communities"]["alpha"]["log_sha256"])
    assert hashes[0] == hashes[1]
    ended = subprocess.run(
        [*HERE, "otter_survey", "--for", "1", "--no-log", "--port", "auto"],
        cwd=tmp_path,
        env=paths,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert "numba, which compiles the models of Fossen vessels" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.slow
def test_every_module_that_needs_a_certain_system_is_on_the_page() -> None:
    page = (ROOT / "docs" / "platforms.md").read_text()
    folders = (
        "bus",
        "apps",
        "bridges",
        "launcher",
        "peers",
        "vessel",
        "world",
        "moos",
        "ivp",
        "diagnostics",
        "declarations",
        "geometry",
    )
    needing = {
        str(path.relative_to(ROOT))
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        if MECHANISMS.search(path.read_text())
    }
    assert sorted(path for path in needing if f"`{path}`" not in page) == []


def test_the_tests_that_the_page_names_are_there() -> None:
    page = (ROOT / "docs" / "platforms.md").read_text()
    here = {
        name for path in (ROOT / "tests").rglob("test_*.py") for name in _names(path.read_text())
    }
    named = set(re.findall(r"`(test_\w+)`", page))
    assert named - here == set()
    assert len(named) >= 4


def _names(text: str) -> list[str]:
    return re.findall(r"^(?:async )?def (test_\w+)", text, flags=re.MULTILINE)


def test_the_dockerfile_is_ten_lines() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert len(lines) <= 10
    assert lines[1].startswith("FROM ")


def test_files_named_in_the_dockerfile_exist() -> None:
    """Where docker does not answer: its Python, extras and command are those of pyproject.toml."""
    text = (ROOT / "Dockerfile").read_text()
    fields = dict(line.split(maxsplit=1) for line in text.splitlines() if line[0] != "#")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    python = re.fullmatch(r"python:3\.(\d+)-slim", fields["FROM"])
    least = re.fullmatch(r">=3\.(\d+)", project["requires-python"])
    assert python
    assert least
    assert int(python[1]) >= int(least[1])
    extras = re.search(r'pip install --no-cache-dir "\.\[(.*)\]"$', text, flags=re.MULTILINE)
    assert extras
    assert set(extras[1].split(",")) <= set(project["optional-dependencies"])
    assert json.loads(fields["ENTRYPOINT"]) == ["steerageway"]
    assert "steerageway" in project["scripts"]
    left_out = (ROOT / ".dockerignore").read_text().split()
    assert left_out == [".git", ".venv", "logs", "**/__pycache__"]  # nothing the wheel is made of


@pytest.mark.process
@pytest.mark.slow
def test_the_dockerfile_builds_and_alpha_runs_in_it() -> None:
    docker = shutil.which("docker")
    if docker is None:
        pytest.skip("no docker here")
    answers = subprocess.run([docker, "info"], capture_output=True, text=True, check=False)
    if answers.returncode:
        pytest.skip("docker is there, and its daemon does not answer")
    built = subprocess.run(
        [docker, "build", "-q", "."], cwd=ROOT, capture_output=True, text=True, check=False
    )
    unreachable = ("no such host", "dial tcp", "i/o timeout", "lookup ", "NameResolution")
    if built.returncode and any(word in built.stderr for word in unreachable):
        pytest.skip("docker is there, and the registry of its base image is not")
    assert built.returncode == 0, built.stderr
    image = built.stdout.strip()
    command = [docker, "run", "--rm", image, "run", "alpha", "--placement", "one", "--warp", "max"]
    ended = subprocess.run([*command, "--for", "20"], capture_output=True, text=True, check=False)
    subprocess.run([docker, "rmi", image], capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr
