"""``pSearchGrid``, driven by mail and time: the effect of each of its parameters."""

from __future__ import annotations

import pytest

from steerageway.apps.sensing.search_grid import SearchGrid
from steerageway.bus import ConfigError
from tests.apps.parameters import Shown

EPOCH = 1_000_000.0
LINES = "grid_config = pts={0,0:20,0:20,10:0,10}\ngrid_config = cell_size=5,\n"
BLOCK = f"{LINES}grid_config = cell_vars=x:0:y:0, cell_max=x:3\n"
EMPTY = "pts={0,0:20,0:20,10:0,10},cell_size=5,cell_vars=x:0:y:0,cell_max=x:3"
shows = Shown()


class Search:
    """A grid, and vessels that report."""

    def __init__(self, driven):
        self.driven = driven
        self.time = 0.0

    def see(self, *vessels, mail=(), variable="NODE_REPORT"):
        """Receive vessels (name, x, y) and iterate; return the last value of each variable."""
        self.time += 1.0
        messages = [self.driven.message(name, "true", self.time) for name in mail]
        for name, x, y in vessels:
            text = f"NAME={name},X={x},Y={y},SPD=0,HDG=0,TIME={EPOCH + self.time:.2f}"
            messages.append(self.driven.message(variable, text, self.time))
        return self.driven.take(self.time, messages)


@pytest.fixture
def search(drive):
    return lambda block=BLOCK: Search(drive(SearchGrid, block, name="pSearchGrid", epoch=EPOCH))


@shows("grid_config")
def test_the_whole_grid_is_reported_first_and_then_its_changes(search):
    grid = search()
    assert grid.see() == {"VIEW_GRID": f"{EMPTY},label=psg"}
    assert grid.see() == {}
    assert grid.see(("abe", 1, 1), ("ben", 2, 2), ("cal", 19, 9), ("deb", 90, 0)) == {
        "VIEW_GRID_DELTA": "psg@0,x,2:7,x,1"
    }
    assert grid.see(("abe", 1, 1), variable="NODE_REPORT_LOCAL") == {"VIEW_GRID_DELTA": "psg@0,x,1"}
    assert grid.see(("abe", 1, 1)) == {}  # no cell counts beyond its cell_max


def test_a_report_received_under_two_names_is_counted_once(search):
    grid = search()
    grid.see()
    text = f"NAME=abe,X=1,Y=1,SPD=0,HDG=0,TIME={EPOCH + 1:.2f}"
    names = ("NODE_REPORT", "NODE_REPORT_LOCAL")
    mail = [grid.driven.message(name, text, 2.0) for name in names]
    assert grid.driven.take(2.0, mail) == {"VIEW_GRID_DELTA": "psg@0,x,1"}


@shows("report_deltas")
def test_the_whole_grid_may_be_reported_each_time(search):
    grid = search(f"{BLOCK}report_deltas = false")
    grid.see()
    assert grid.see(("abe", 1, 1)) == {"VIEW_GRID": f"{EMPTY},cell=0:x:1,label=psg"}
    assert grid.see() == {}


@shows("grid_label", "grid_var_name")
def test_label_and_variables_may_be_chosen(search):
    grid = search(f"{BLOCK}grid_label = seen\ngrid_var_name = map")
    assert grid.see() == {"MAP": f"{EMPTY},label=seen"}
    assert grid.see(("abe", 1, 1)) == {"MAP_DELTA": "seen@0,x,1"}


@shows("match_name", "ignore_name")
@pytest.mark.parametrize(
    ("block", "counted"),
    [
        ("match_name = Abe, cal", "psg@0,x,1:4,x,1"),
        ("match_name = abe\nmatch_name = ben", "psg@0,x,1:2,x,1"),
        ("ignore_name = abe,BEN", "psg@4,x,1"),
        ("ignore_name = {abe, Ben}", "psg@4,x,1"),
        ("match_name = {cal,nobody}", "psg@4,x,1"),
        ("match_name = abe,ben\nignore_name = ben", "psg@0,x,1"),
    ],
)
def test_not_every_vessel_may_count(search, block, counted):
    grid = search(BLOCK + block)
    grid.see()
    seen = grid.see(("abe", 1, 1), ("ben", 6, 1), ("cal", 11, 1))
    assert seen == {"VIEW_GRID_DELTA": counted}


@pytest.mark.parametrize(
    ("block", "counted"),
    [("match_name = {Shoreside}", "psg@0,x,1"), ("ignore_name = shoreside", "psg@2,x,1")],
)
def test_a_list_may_name_the_community_that_reports(search, block, counted):
    grid = search(BLOCK + block)
    grid.see()
    mail = [
        grid.driven.message("NODE_REPORT", f"NAME={name},X={x},Y=1,TIME={EPOCH + 2}", 2.0)._replace(
            community=community
        )
        for name, x, community in (("abe", 1, "shoreside"), ("ben", 6, "ben"))
    ]
    assert grid.driven.take(2.0, mail) == {"VIEW_GRID_DELTA": counted}


@pytest.mark.parametrize("reset", ["PSG_RESET_GRID", "PSG_GRID_RESET"])
def test_a_reset_clears_the_grid(search, reset):
    grid = search()
    grid.see(("abe", 1, 1))
    assert grid.see(mail=(reset,)) == {"VIEW_GRID": f"{EMPTY},label=psg"}


def test_errors_are_reported(search):
    empty = search("")
    assert empty.driven.app.config_warnings == ["grid_config is not set: there is no grid"]
    assert empty.see(("abe", 1, 1)) == {}
    with pytest.raises(ConfigError, match=r"test\.moos:0: grid_config = .*expected cell_vars=NAME"):
        search(LINES + "\ngrid_config = cell_vars=x")
    grid = search()
    grid.see(("", 1, 1))
    (warning,) = grid.driven.app.run_warnings
    assert warning.startswith("NODE_REPORT: ")


def test_every_parameter_has_a_test():
    assert {one.name for one in SearchGrid.parameters} == shows.names
