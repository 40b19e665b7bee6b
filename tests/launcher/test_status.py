"""Status lines of a run, on a terminal and elsewhere."""

from __future__ import annotations

from io import StringIO

import pytest

from steerageway.bus import Progress
from steerageway.launcher.status import ERROR, PLAIN_EVERY, Status, community_line, shown_of

VALUES = {"NAV_X": 1.25, "NAV_Y": -20.0, "NAV_SPEED": 2.0, "IVPHELM_STATE": "DRIVE", "MODE": "A:B"}


class Terminal(StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def test_a_line_shows_time_warp_position_speed_and_helm() -> None:
    line = community_line("alpha", Progress(12.5, 99.96), VALUES)
    assert line == "alpha:      12.5 s  warp 100.0  x 1.2 m, y -20.0 m  2.00 m/s  DRIVE  A:B"


def test_unknown_values_are_left_out() -> None:
    line = community_line("alpha", Progress(0.5, 1.0, paused=True), {"NAV_X": 1.0})
    assert line == "alpha:       0.5 s  paused"
    assert community_line("alpha", Progress(0.5, 1.0, paused=True), {"NAV_Y": 1.0}) == line


def test_a_heading_is_shown_once_when_the_run_continues() -> None:
    stream = Terminal()
    status = Status(stream, ["alpha"], None, "logs: logs/alpha-001")
    assert stream.getvalue() == ""
    for _ in range(3):
        status(Progress(1.0, 1.0))
    status.begin()
    assert stream.getvalue().startswith("logs: logs/alpha-001\nalpha:")
    assert stream.getvalue().count("logs") == 2


def test_a_pipe_gets_a_line_periodically_and_no_control_characters() -> None:
    stream = StringIO()
    status = Status(stream, ["alpha"], None)
    for _ in range(2 * PLAIN_EVERY):
        status(Progress(1.0, 1.0, values={"alpha": VALUES}))
    status.clear()
    assert stream.getvalue().count("\n") == 2
    assert "\033" not in stream.getvalue()


def test_a_terminal_is_restored() -> None:
    stream = Terminal()
    status = Status(stream, ["alpha", "bravo"], 10**10)
    for _ in range(3):
        status(Progress(1.0, 1.0))
    status.clear()
    assert stream.getvalue().count("\n") == stream.getvalue().count("\033[F\033[2K") == 9


def test_apps_that_are_waited_for_are_named() -> None:
    stream = Terminal()
    Status(stream, ["alpha"], None)(Progress(1.0, 1.0, waiting_for=("pHelmIvP",)))
    assert "waiting for pHelmIvP" in stream.getvalue()


def test_a_pipe_shows_waiting_at_once_and_once_for_each_change() -> None:
    stream = StringIO()
    status = Status(stream, ["alpha"], None)
    for waiting in ((), ("pA",), ("pA",), ("pB",), (), ()):
        status(Progress(1.0, 1.0, waiting_for=waiting))
    reported = [line for line in stream.getvalue().splitlines() if line.startswith("waiting")]
    assert reported == ["waiting for pA", "waiting for pB"]
    assert stream.getvalue().count("alpha:") == 0


def test_a_pipe_gets_one_line_for_a_whole_fleet_with_those_that_are_stopped() -> None:
    stream = StringIO()
    names = [f"v{number}" for number in range(20)]
    status = Status(stream, names, 10**10)
    stopped = VALUES | {"IVPHELM_ALLSTOP": "NothingToDo"}
    values = dict.fromkeys(names, VALUES) | {"v3": stopped}
    for _ in range(PLAIN_EVERY):
        status(Progress(1.0, 1.0, values=values))
    assert stream.getvalue() == (
        "20 communities:       1.0 s  warp 1.0  all-stop: v3: NothingToDo\n"
    )


def test_a_line_shows_why_the_helm_has_stopped_the_vessel() -> None:
    values = {"IVPHELM_ALLSTOP": "BehaviorError", "BHV_ERROR": "hold: ValueError: x (a.py:3)"}
    line = community_line("alpha", Progress(1.0, 1.0), values)
    assert line.endswith("all-stop: BehaviorError: hold: ValueError: x (a.py:3)")
    calm = community_line("alpha", Progress(1.0, 1.0), {"IVPHELM_ALLSTOP": "clear"})
    assert "all-stop" not in calm


@pytest.mark.parametrize(("communities", "terminal"), [(1, False), (2, False), (2, True)])
def test_the_values_read_for_the_status_are_those_it_shows(
    communities: int, terminal: bool
) -> None:
    stream = Terminal() if terminal else StringIO()
    names = [f"v{number}" for number in range(communities)]
    everything = {"NAV_X": 1.5, "NAV_Y": 2.5, "NAV_SPEED": 3.5, "IVPHELM_STATE": "DRIVE"}
    everything |= {"MODE": "SURVEY", "IVPHELM_ALLSTOP": ERROR, "BHV_ERROR": "lost"}
    read = shown_of(communities, ("NAV_X", "NAV_Y", "NAV_SPEED"), stream)
    shown = []
    for values in (everything, {name: everything[name] for name in read}):
        status = Status(stream, names, None)
        for _ in range(PLAIN_EVERY):
            status(Progress(1.0, 2.0, values=dict.fromkeys(names, values)))
        shown.append(stream.getvalue())
        stream.seek(0)
        stream.truncate()
    assert shown[0] == shown[1]
    assert "lost" in shown[0]
