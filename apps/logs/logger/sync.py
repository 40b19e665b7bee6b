"""The synchronous log (``.slog``): a table of numbers, one row each period."""

from __future__ import annotations

from collections.abc import Iterable

COLUMN = 18
NAME_SPACE = 64  # width reserved in the legend for the name of a column claimed later
LABELS_EVERY = 30
_RULE = "%" * 56 + "\n"


class SyncTable:
    """The columns of a synchronous log, and the numbers received since its last row.

    Args:
        columns: the variables.
        reserved: number of columns reserved for later requests.
    """

    def __init__(self, columns: Iterable[str], reserved: int) -> None:
        self.columns = list(columns)
        self._free = [f"DYNAMIC_{number}" for number in range(reserved)]
        self._places: dict[str, int] = {}
        self._fresh: dict[str, float] = {}
        self._rows = 0

    def legend(self, offset: int) -> str:
        """Return the list of columns.

        Args:
            offset: its position in the file [bytes].
        """
        text = "%%   (1) TIME \n"
        for number, name in enumerate(self.columns, 2):
            text += f"%%   ({number}) {name}\n"
        for number, name in enumerate(self._free, 2 + len(self.columns)):
            text += f"%%   ({number}) "
            self._places[name] = offset + len(text.encode())
            text += f"{name:<{NAME_SPACE}}\n"
        return text + _RULE

    def labels(self, time: float) -> str:
        """Return the column headings, and below them the time [s]."""
        names = ["%% TIME", *self.columns, *self._free]
        times = ["%% TIME", *[f"[{time:7.2f}]"] * (len(names) - 1)]
        return _row(names) + _row(times)

    def note(self, name: str, value: object) -> None:
        """Store a variable's latest value, if it is a number."""
        if isinstance(value, float):
            self._fresh[name] = value
        else:
            self._fresh.pop(name, None)

    def row(self, time: float) -> str:
        """Return a row, at intervals followed by headings; all numbers are then cleared.

        Args:
            time: since LOGSTART [s].
        """
        fresh = self._fresh
        numbers = [f"{fresh[name]:g}" if name in fresh else "NaN" for name in self.columns]
        text = _row([f"{time:.7g}", *numbers, *["NaN"] * len(self._free)])
        if self._rows % LABELS_EVERY == 0:
            text += self.labels(time)
        self._rows += 1
        fresh.clear()
        return text

    def claim(self, name: str) -> tuple[int, bytes] | None:
        """Assign a variable the next free column.

        Returns:
            The position in the legend and the text to overwrite it with; None if no column is free.
        """
        if not self._free:
            return None
        place = self._places[self._free.pop(0)]
        self.columns.append(name)
        shown = name.encode("utf-8", "backslashreplace")[: NAME_SPACE - 1]
        return place, shown.ljust(NAME_SPACE - 1)


def _row(fields: Iterable[str]) -> str:
    return "".join(f"{field:<{COLUMN}} " for field in fields) + "\n"
