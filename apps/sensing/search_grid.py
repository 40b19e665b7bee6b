"""``pSearchGrid``: counts how often vessels have been in each cell of a grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from math import inf
from typing import ClassVar

from steerageway.apps.contacts.contact import REPORTS, Ledger
from steerageway.apps.framework import heard
from steerageway.apps.framework.block_readers import variable_in
from steerageway.apps.framework.datum import read_datum
from steerageway.bus import App, Message, Parameter, variables
from steerageway.moos.grid import Grid, GridError, parse_grid

RESETS = ("PSG_RESET_GRID", "PSG_GRID_RESET")


class SearchGrid(App):
    """A map of where vessels have been."""

    keeps_quotes = True
    publications = (
        variables.text(
            "VIEW_GRID",
            "`pts={..},cell_size=5,cell_vars=x:0,cell=3:x:2,label=psg`: how often "
            "vessels were in each cell",
            unit="m",
            when="once, on a reset; on change without `report_deltas`",
        ),
        variables.text(
            "VIEW_GRID_DELTA", "`psg@3,x,1:7,x,2`: what cells have changed by", when="on change"
        ),
    )
    publishes: Sequence[str] = variables.names(publications)
    subscriptions = (
        heard.NODE_REPORT,
        variables.heard(
            "PSG_RESET_GRID", "PSG_GRID_RESET", what="let every cell begin anew", kind="any"
        ),
    )
    subscribes = (*REPORTS, *RESETS)
    parameters: ClassVar[Sequence[Parameter]] = (
        Parameter("grid_config", "", "pts={..},cell_size=5,cell_vars=x:0,cell_max=x:9; repeatable"),
        Parameter("grid_label", "psg", "label of the grid"),
        Parameter(
            "grid_var_name", "VIEW_GRID", "variable of the grid, in capitals; _DELTA: of changes"
        ),
        Parameter("report_deltas", "true", "false: the whole grid is posted on each change"),
        Parameter("match_name", "", "only these count: A,B or {A,B}; repeatable"),
        Parameter("ignore_name", "", "these do not count: A,B or {A,B}; repeatable"),
    )

    def configure(self) -> None:
        """Read the block."""
        config = self.config
        self._grid = self._read_grid()
        self._label = config.text("grid_label", default="psg").strip()
        entry = config.entry("grid_var_name")
        self._variable = variable_in(entry).upper() if entry else "VIEW_GRID"
        self.publishes = (self._variable, f"{self._variable}_DELTA")
        self._tells_deltas = config.flag("report_deltas", default=True)
        self._matched, self._ignored = self._names("match_name"), self._names("ignore_name")
        self._ledger = Ledger("", inf, read_datum(self.setting.globals))
        self._changes: dict[int, float] = {}
        self._wanted = True

    def _read_grid(self) -> Grid | None:
        lines = self.config.all("grid_config")
        if not lines:
            self.config_warning("grid_config is not set: there is no grid")
            return None
        whole = ",".join(line.value.strip().strip(",") for line in lines)
        try:
            return parse_grid(whole)
        except GridError as error:
            raise self.config.error(lines[0]._replace(value=whole), str(error)) from error

    def _names(self, key: str) -> tuple[str, ...]:
        lines = (entry.value.strip().strip("{}") for entry in self.config.all(key))
        words = (word for line in lines for word in line.split(","))
        return tuple(word.strip().lower() for word in words if word.strip())

    def on_start(self) -> None:
        """Register."""
        self.register(*self.subscribes)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Count reports, and begin anew when asked to."""
        for message in mail if self._grid else ():
            if message.name in RESETS:
                self._reset()
            else:
                self._take_report(message)

    def _reset(self) -> None:
        assert self._grid is not None
        self._grid.reset()
        self._changes.clear()
        self._wanted = True

    def _take_report(self, message: Message) -> None:
        assert self._grid is not None
        vessel = self._ledger.take_report(message, self.utc, self.run_warning)
        cell = self._grid.cell_at(vessel.track[:2]) if vessel is not None else None
        if vessel is None or cell is None:
            return
        if not self._counts({vessel.name.lower(), message.community.lower()}):
            return
        change = self._grid.add(cell, 1.0)
        if change:
            self._changes[cell] = self._changes.get(cell, 0.0) + change

    def _counts(self, names: Set[str]) -> bool:
        """Tell whether a vessel counts, by its name and that of the community it reports from."""
        if not names.isdisjoint(self._ignored):
            return False
        return not self._matched or not names.isdisjoint(self._matched)

    def iterate(self) -> None:
        """Tell what has changed."""
        grid = self._grid
        if grid is None:
            return
        if self._wanted or (self._changes and not self._tells_deltas):
            self.post(self._variable, grid.text(self._label))
        elif self._changes:
            self.post(f"{self._variable}_DELTA", grid.delta_text(self._label, self._changes))
        self._wanted = False
        self._changes.clear()

    def report(self) -> Iterable[str]:
        """Tell how much has been seen."""
        if self._grid is not None:
            seen = sum(
                self._grid.value(cell) != self._grid.counted.initial
                for cell in range(len(self._grid))
            )
            yield f"cells: {len(self._grid)}, of which vessels have been in {seen}"


if __name__ == "__main__":
    from steerageway.apps.framework.shell import main

    main(SearchGrid)
