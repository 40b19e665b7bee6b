"""The surroundings of a vessel whose block names no environment. Loads no NumPy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from steerageway.apps.vessels.usim_marine.mail import Scene, TakeNumber, TakeText


class Calm:
    """Water without waves, wind of its own or depth: the same interface as ``Surroundings``."""

    names: Sequence[str] = ()

    def number_handlers(self) -> Mapping[str, TakeNumber]:
        """Return no handlers."""
        return {}

    def text_handlers(self) -> Mapping[str, TakeText]:
        """Return no handlers."""
        return {}

    def announce(self) -> None:
        """Post nothing."""

    def at(self, scene: Scene, now: float) -> None:
        """Leave wind and depth as mail and block have set them."""

    def report(self) -> Iterable[str]:
        """Yield nothing."""
        return ()
