"""Rates at which the parts of a Fossen vessel's state are posted."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from steerageway.apps.shared.vessel_options import Period
from steerageway.bus import nth

HEADING = ("HEADING", "YAW")
AUX = ("PITCH", "ROLL", "HEAVE")

PostFunction = Callable[[str, object], None]


class Rate:
    """A rate, due at the first tick at or after each of its times."""

    def __init__(self, period: Period) -> None:
        self._period = period
        self._count = 0

    def due(self, now: int) -> bool:
        """Whether it is due at an instant [ns]; times that were missed count once."""
        if self._period is None:
            return True
        before = self._count
        # nth() is exact, so the rate does not drift over a long run.
        while nth(self._count, self._period) <= now:
            self._count += 1
        return self._count > before


class Gate:
    """Posts variables only when their part of the state is due.

    Attributes:
        aux: whether the rest, other than position and heading, is due now.
    """

    def __init__(
        self, position: Period, heading: Period, aux: Period, prefix: str, post: PostFunction
    ) -> None:
        self._pass_on = post
        self._position, self._heading, self._aux = Rate(position), Rate(heading), Rate(aux)
        prefixes = (prefix, f"{prefix}GT_")
        self._headings = {f"{p}{kind}" for p in prefixes for kind in HEADING}
        self._others = {f"{p}{kind}" for p in prefixes for kind in AUX}
        self.position = self.heading = self.aux = True

    def look(self, now: int) -> None:
        """Update which parts are due at an instant [ns]."""
        self.position = self._position.due(now)
        self.heading, self.aux = self._heading.due(now), self._aux.due(now)

    def post(self, name: str, value: object) -> None:
        """Post a variable if its part is due."""
        if name in self._headings:
            due = self.heading
        else:
            due = self.aux if name in self._others else self.position
        if due:
            self._pass_on(name, value)

    def post_all(self, names: Sequence[str], values: Sequence[object]) -> None:
        """Post several variables, each if its part is due."""
        for name, value in zip(names, values, strict=True):
            self.post(name, value)
