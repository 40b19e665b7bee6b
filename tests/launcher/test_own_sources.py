"""The project's own sources, which all machines of a sweep or a cluster must have in common."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from steerageway.apps.shared.registry import APPS
from steerageway.launcher.sources import PARTS, RESULTS
from tests.test_layers import MODULES, imports_of

ROOT = Path(__file__).parents[2]
OBSERVERS = {"web"}  # of which a run's planning reads blocks; they change no log


@pytest.mark.slow
def test_the_packages_that_decide_results_are_those_that_a_run_may_import() -> None:
    """From the imports of its planning and of every registered app, deferred ones included."""
    apps = [target.partition(":")[0].removeprefix("steerageway.") for target in APPS.values()]
    left, found = ["launcher.sweep.execution", *apps], set()
    while left:
        module = left.pop()
        if module in MODULES and module not in found:
            found.add(module)
            left += [module.rpartition(".")[0], *imports_of(MODULES[module])]
    assert set(RESULTS) == {module.partition(".")[0] for module in found} - OBSERVERS


def test_what_all_machines_must_share_is_all_that_is_installed_but_pages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    installed = {name.rpartition(".")[2] for name in project["tool"]["setuptools"]["packages"]}
    assert set(PARTS) == installed - {"docs"}
