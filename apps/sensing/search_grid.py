"""``pSearchGrid``: counts the node reports of vessels in each cell of a grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from math import inf

from steerageway.apps.shared import heard
from steerageway.apps.shared.block_readers import variable
from steerageway.apps.shared.datum import read_datum
from steerageway.bus import App, Entry, Message, Options, declare, variables
from steerageway.helm.contact import REPORTS, ContactList
from steerageway.moos.grid import Grid, GridError, parse_grid

RESETS = ("PSG_RESET_GRID", "PSG_GRID_RESET")


def _parse_names(text: str) -> tuple[str, ...]:
    words = text.strip().strip("{}").split(",")
    return tuple(word.strip().lower() for word in words if word.strip())


@dataclass(frozen=True)
class GridOptions(Options):
    """Parameters of the configuration block; names in lower case, one tuple per line."""

    grid_config: tuple[Entry, ...] = declare.entries(
        "pts={..},cell_size=5,cell_vars=x:0,cell_max=x:9"
    )
    grid_label: str = declare.text("psg", "label of the grid")
    grid_var_name: str = variable(
        "VIEW_GRID", "variable of the grid, in capitals; with _DELTA: of its changes"
    )
    report_deltas: bool = declare.flag(True, "false: the whole grid is posted on each change")
    match_name: tuple[tuple[str, ...], ...] = declare.lines(
        _parse_names, "count only these vessels: A,B or {A,B}"
    )
    ignore_name: tuple[tuple[str, ...], ...] = declare.lines(
        _parse_names, "do not count these vessels: A,B or {A,B}"
    )


class SearchGrid(App):
    """Keeps and posts a grid of the vessels' visits to its cells."""

    keeps_quotes = True
    publications = variables.published("""
        VIEW_GRID | text | m | | once, on a reset; on change without `report_deltas` |
            `pts={..},cell_size=5,cell_vars=x:0,cell=3:x:2,label=psg`: number of reports from each
            cell
        VIEW_GRID_DELTA | text | | | on change | `psg@3,x,1:7,x,2`: changes of cells
    """)
    subscriptions = (
        heard.NODE_REPORT,
        variables.heard("PSG_RESET_GRID", "PSG_GRID_RESET", what="reset every cell", kind="any"),
    )
    subscribes = (*REPORTS, *RESETS)
    parameters = GridOptions.parameters()

    def configure(self) -> None:
        options = GridOptions.read(self.config)
        self._grid = self._read_grid(options.grid_config)
        self._label = options.grid_label
        self._variable = options.grid_var_name.upper()
        self.publishes = (self._variable, f"{self._variable}_DELTA")
        self._posts_deltas = options.report_deltas
        self._matched = frozenset(chain.from_iterable(options.match_name))
        self._ignored = frozenset(chain.from_iterable(options.ignore_name))
        self._contacts = ContactList("", inf, read_datum(self.setting.globals))
        self._changes: dict[int, float] = {}
        self._whole_grid_due = True

    def _read_grid(self, lines: Sequence[Entry]) -> Grid | None:
        if not lines:
            self.config_warning("grid_config is not set: there is no grid")
            return None
        whole = ",".join(line.value.strip().strip(",") for line in lines)
        try:
            grid = parse_grid(whole)
        except GridError as error:
            raise self.config.error(lines[0]._replace(value=whole), str(error)) from error
        for why in grid.region.far_corners():
            self.config.warn(lines[0], why)
        return grid

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Count reports, and reset the grid on request."""
        for message in mail if self._grid else ():
            if message.name in RESETS:
                self._reset()
            else:
                self._take_report(message)

    def _reset(self) -> None:
        assert self._grid is not None
        self._grid.reset()
        self._changes.clear()
        self._whole_grid_due = True

    def _take_report(self, message: Message) -> None:
        assert self._grid is not None
        vessel = self._contacts.take_report(message.name, message.value, self.utc, self.run_warning)
        cell = self._grid.cell_at(vessel.track[:2]) if vessel is not None else None
        if vessel is None or cell is None:
            return
        if not self._counts({vessel.name.lower(), message.community.lower()}):
            return
        change = self._grid.add(cell, 1.0)
        if change:
            self._changes[cell] = self._changes.get(cell, 0.0) + change

    def _counts(self, names: Set[str]) -> bool:
        """Return whether a vessel is counted, by its name and its report's community."""
        if not names.isdisjoint(self._ignored):
            return False
        return not self._matched or not names.isdisjoint(self._matched)

    def iterate(self) -> None:
        """Post the grid or its changes."""
        grid = self._grid
        if grid is None:
            return
        if self._whole_grid_due or (self._changes and not self._posts_deltas):
            self.post(self._variable, grid.text(self._label))
        elif self._changes:
            self.post(f"{self._variable}_DELTA", grid.delta_text(self._label, self._changes))
        self._whole_grid_due = False
        self._changes.clear()

    def report(self) -> Iterable[str]:
        """Return the number of cells, and of those visited."""
        if self._grid is not None:
            seen = sum(
                self._grid.value(cell) != self._grid.counted.initial
                for cell in range(len(self._grid))
            )
            yield f"cells: {len(self._grid)}, of which vessels have been in {seen}"
