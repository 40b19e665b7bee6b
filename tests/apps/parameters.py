"""A register of the parameters that tests show to matter.

shows = Shown()

@shows("radius")
def test_a_wider_circle_takes_longer() -> None: ...

def test_every_parameter_has_a_test() -> None:
    assert {one.name for one in App.parameters} == shows.names
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Test = TypeVar("Test")


class Shown:
    """Parameters whose effect the tests of one module show.

    Attributes:
        names: of the parameters.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()

    def __call__(self, *names: str) -> Callable[[Test], Test]:
        """Mark which parameters a test shows: it fails if they are ignored."""
        self.names.update(names)
        return lambda test: test
