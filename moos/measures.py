"""``Measures``: numbers of a shape in a text, such as ``x=5,radius=20``."""

from __future__ import annotations

from collections.abc import Mapping

from steerageway.declarations import Number, field_of

ANY, POSITIVE = Number(), Number(above=0.0)


class Measures:
    """The fields of a shape's text.

    Attributes:
        fields: name -> text.
        error: class of the errors that are raised.
    """

    def __init__(self, fields: Mapping[str, str], error: type[ValueError]) -> None:
        self.fields = fields
        self.error = error

    def value(self, name: str, default: float | None = None, kind: Number = ANY) -> float:
        """Read a measure; it is optional if there is a default."""
        if name not in self.fields and default is not None:
            return default
        try:
            return field_of(self.fields, name, kind)
        except ValueError as error:
            raise self.error(str(error)) from None

    def positive(self, name: str) -> float:
        """Read a measure that must be above 0."""
        return self.value(name, kind=POSITIVE)
