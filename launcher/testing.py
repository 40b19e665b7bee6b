"""Plugin of pytest: ``@pytest.mark.mission`` gives a test its mission, and repeats it by a command.

@pytest.mark.mission("alpha", seed=3, set=["DEPLOY=true"])
def test_alpha_returns(mission):
    assert mission.run_until("MISSION = complete", limit=600)
"""

from __future__ import annotations

import shlex
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from steerageway.launcher.mission import Mission

MARK = "mission"


def pytest_configure(config: pytest.Config) -> None:
    """Declare the mark."""
    about = "mission(*missions, **options): the mission of the fixture of this name, as of Mission"
    config.addinivalue_line("markers", about)


@pytest.fixture
def mission(request: pytest.FixtureRequest) -> Iterator[Mission]:
    """The mission that the test's mark names, stepped by the test; it is closed after it."""
    from steerageway.launcher.mission import Mission

    mark = request.node.get_closest_marker(MARK)
    if mark is None or not mark.args:
        expected = '@pytest.mark.mission("NAME") or a file, a folder; options as of Mission'
        raise pytest.UsageError(f"{request.node.nodeid}: expected {expected}")
    request.node.user_properties.append((MARK, _command(mark)))
    with Mission(*mark.args, **mark.kwargs) as made:
        yield made


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tell the command that runs the mission of a test that failed, and the simulated time."""
    report = yield
    made = getattr(item, "funcargs", {}).get(MARK)
    mark = item.get_closest_marker(MARK)
    if report.failed and mark is not None and made is not None:
        text = f"at {made.time:.3f} s of simulated time; the mission alone:\n{_command(mark)}"
        report.sections.append((MARK, text))
    return report


def _command(mark: pytest.Mark) -> str:
    """Return the command that runs a mark's mission."""
    from steerageway.launcher.mission import arguments_of

    options = arguments_of(mark.kwargs)
    return shlex.join(("steerageway", "run", *map(str, mark.args), *options))
