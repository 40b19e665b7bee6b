"""Fixtures: runs, and viewers of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from viewer_stage import ROOT, Stage, stand


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """Return a folder of this test alone, from which runs and viewers are started."""
    with stand(tmp_path) as stage:
        yield stage


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run that has ended: alpha's first 120 seconds."""
    folder = tmp_path_factory.mktemp("finished")
    with stand(folder) as stage:
        stage.run_to_end(
            *(ROOT / "missions" / "alpha", "--for", "120", "--warp", "max"),
            *("--placement", "one", "--log", folder / "alpha"),
        )
    return folder / "alpha"
