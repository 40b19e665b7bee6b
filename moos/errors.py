"""What can be wrong with a text of the field's formats."""

from __future__ import annotations


class FormatError(ValueError):
    """A line of a file is wrong.

    Attributes: where ("alpha.moos:41", or a file's name alone), key, value, expected.
    """

    def __init__(self, where: str, key: str, value: str, expected: str) -> None:
        self.where, self.key, self.value, self.expected = where, key, value, expected
        shown = f"{key} = {value}: " if value else f"{key}: " if key else ""
        super().__init__(f"{where}: {shown}{expected}")
