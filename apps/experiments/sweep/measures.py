"""Measures of a case: last value, minimum, maximum, mean, deviation or count of a variable."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from steerageway.apps.shared.averages import averages_of
from steerageway.bus import Message, Value
from steerageway.world.document import Section

_FOLDS: dict[str, Callable[[float, float], float]] = {
    "min": min,
    "max": max,
}
_KINDS = ("last", "count", *_FOLDS, "mean", "std")
EXPECTED = f"a variable, or one of {', '.join(_KINDS)} and a variable"


class Measure:
    """One column of a table; texts have a last value and a count only.

    Attributes:
        text: as in the file, and the column's name: "NAV_X", "min RANGE".
        variable: the measured variable.
    """

    def __init__(self, text: str) -> None:
        """Parse a measure; mean and deviation of an angle are those of directions.

        Raises:
            ValueError: it is invalid; ``EXPECTED`` says what is valid.
        """
        self._kind, self.variable = (["last", *text.split()])[-2:]
        if len(text.split()) not in (1, 2) or self._kind not in _KINDS:
            raise ValueError(text)
        self.text = text
        self.clear()

    def clear(self) -> None:
        """Start again without values."""
        self._value: Value | None = None
        self._count = 0
        self._averages = averages_of(self.variable)

    def take(self, value: Value) -> None:
        """Take a posted value."""
        fold = _FOLDS.get(self._kind)
        if self._kind not in ("last", "count"):
            if not isinstance(value, float):
                return
            if fold is None:
                self._averages.add(value)
            elif isinstance(self._value, float):
                value = fold(self._value, value)
        self._value = value
        self._count += 1

    @property
    def result(self) -> float | str | None:
        """The column's entry; None if nothing was posted. Bytes are shown as text.

        The mean of angles that cancel out is None, too.
        """
        if self._kind == "count":
            return float(self._count)
        if self._kind in ("mean", "std") and self._count:
            return self._averages.mean if self._kind == "mean" else self._averages.deviation()
        return repr(self._value) if isinstance(self._value, bytes) else self._value


class Measures:
    """The measures of a case, as a tap of a community's database or fed by an app."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._all = [Measure(text) for text in texts]
        self._by_name: dict[str, list[Measure]] = {}
        for measure in self._all:
            self._by_name.setdefault(measure.variable, []).append(measure)
        self.names = tuple(self._by_name)

    def clear(self) -> None:
        """Start again without values."""
        for measure in self._all:
            measure.clear()

    def take(self, message: Message) -> None:
        """Take a message, in order."""
        for measure in self._by_name.get(message.name, ()):
            measure.take(message.value)

    def result(self) -> dict[str, float | str | None]:
        """Return the results: column -> entry."""
        return {measure.text: measure.result for measure in self._all}


def read_record(file: Section) -> tuple[str, ...]:
    """Read the measures of a table.

    Raises:
        InvalidValue: a measure is invalid, or a duplicate.
    """
    texts = tuple(file.words("record"))
    for text in texts:
        if texts.count(text) > 1:
            file.fail("record", text, "each once: it is a column of the table")
        try:
            Measure(text)
        except ValueError:
            file.fail("record", text, EXPECTED)
    return texts
