"""How property-based tests draw their examples; the installation that tests of commands share."""

from __future__ import annotations

import fcntl
import gc
import json
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

from tests.installation import Installation, installed_in

# A busy machine fails no test, and the same tree always tries the same examples. Others, and more,
# are tried by ``pytest --hypothesis-profile=search``.
settings.register_profile("same", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("search", deadline=None)
settings.load_profile("same")


def pytest_collection() -> None:
    """Do not search for cycles while tests are collected: half as long as all the rest takes."""
    gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Let searches during tests pass over what was collected."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Build and install the wheel, once for all workers."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "installation"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made.json").exists():
            shutil.rmtree(folder, ignore_errors=True)  # of a worker that has failed
            folder.mkdir()
            made = json.dumps([str(path) for path in installed_in(folder)])
            (folder / "made.json").write_text(made)
    return Installation(*map(Path, json.loads((folder / "made.json").read_text())))


@pytest.fixture
def installed(installation: Installation) -> Path:
    """Return an environment in which the wheel is installed."""
    return installation.environment
