"""``Measures``: numbers of a shape in a text, such as ``x=5,radius=20``."""

from __future__ import annotations

from collections.abc import Mapping

from steerageway.moos.values import is_numeral


class Measures:
    """The fields of a shape's text.

    Attributes:
        fields: name -> text.
        error: class of the errors that are raised.
    """

    def __init__(self, fields: Mapping[str, str], error: type[ValueError]) -> None:
        self.fields = fields
        self.error = error

    def number(self, name: str, default: float | None = None) -> float:
        """Parse a measure; it is optional if there is a default."""
        text = self.fields.get(name)
        if text is None and default is not None:
            return default
        if text is None or not is_numeral(text):
            raise self.error(f"expected a number for {name}")
        return float(text)

    def positive(self, name: str) -> float:
        """Parse a measure that must be above 0."""
        value = self.number(name)
        if value <= 0:
            raise self.error(f"expected {name} above 0")
        return value
