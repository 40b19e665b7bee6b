"""How often each part of a Fossen vessel's state is posted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from steerageway.bus import Config, nth, tick_period

HEADING = ("HEADING", "YAW")
AUX = ("PITCH", "ROLL", "HEAVE")
KEYS = ("position_rate", "heading_rate", "aux_rate")

PostFunction = Callable[[str, object], None]


class Rate:
    """Something due so many times a second, at the first tick at or after each of them."""

    def __init__(self, period: tuple[int, int] | None) -> None:
        self._period = period
        self._count = 0

    @classmethod
    def read(cls, config: Config, key: str) -> Rate:
        """Read a rate [Hz]; without a line every tick is due.

        Raises:
            ConfigError: no number above 0.
        """
        config.number(key, default=1.0, above=0.0)
        entry = config.entry(key)
        return cls(None if entry is None else tick_period(str(Decimal(entry.value.strip()))))

    def due(self, now: int) -> bool:
        """Say whether it is due at an instant [ns]; once for each time that has come."""
        if self._period is None:
            return True
        before = self._count
        while nth(self._count, self._period) <= now:
            self._count += 1
        return self._count > before


class Gate:
    """Lets posts through when their part of the state is due.

    Attributes:
        aux: whether the rest, beyond position and heading, is due now.
    """

    def __init__(self, config: Config, prefix: str, post: PostFunction) -> None:
        self._pass_on = post
        self._position, self._heading, self._aux = (Rate.read(config, key) for key in KEYS)
        prefixes = (prefix, f"{prefix}GT_")
        self._headings = {f"{p}{kind}" for p in prefixes for kind in HEADING}
        self._others = {f"{p}{kind}" for p in prefixes for kind in AUX}
        self.position = self.heading = self.aux = True

    def look(self, now: int) -> None:
        """See what is due at an instant [ns]."""
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
