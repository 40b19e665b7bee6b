"""Changing a behavior's parameters while it runs: ``speed = 2 # points = 0,0:10,10``."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from apps.helm.behaviors.base import AnyBehavior
from apps.helm.settings import SettingError, changed
from apps.helm.variables import publications
from moos.values import bite, fixed

REPEATABLE = ("toggle", "engage", "mod")  # a text with one of these counts again when repeated


class Updates:
    """The updates of one behavior: how many were good, and what the last one was.

    Attributes:
        summary: ``good/all``, or n/a for a behavior without updates.
    """

    def __init__(self, behavior: AnyBehavior) -> None:
        self.behavior = behavior
        self.summary = "n/a" if behavior.settings.updates is None else "0/0"
        self._good = self._bad = 0
        self._last = ""

    def take(self, texts: Iterable[str], declared: Collection[str]) -> list[str]:
        """Take the updates of this iteration, each as a whole or not at all.

        Args:
            texts: as posted.
            declared: the variables that the helm may post.
        Returns:
            A result for each, as the helm posts them in ``IVPHELM_UPDATE_RESULT``.
        """
        results = [self._result(text, self._take_one(text, declared)) for text in texts if text]
        self.summary = f"{self._good}/{self._good + self._bad}"
        return results

    def _take_one(self, text: str, declared: Collection[str]) -> str:
        if text == self._last and not any(word in text.lower() for word in REPEATABLE):
            return "duplicate"
        assignments = [bite(field, "=") for field in text.split("#") if field.strip()]
        names = [value for key, value in assignments if key.lower() == "name"]
        if any(name != self.behavior.settings.name for name in names):
            return "name_mismatch"
        try:
            self._apply([pair for pair in assignments if pair[0].lower() != "name"], declared)
        except SettingError as error:
            self._bad += 1
            self.behavior.warn(f"update {text!r} refused: {error}")
            return "param_error"
        self._good += 1
        self._last = text
        return "success"

    def _apply(self, assignments: list[tuple[str, str]], declared: Collection[str]) -> None:
        behavior = self.behavior
        settings, fields = changed(behavior.settings, assignments)
        behavior.check(settings, fields)
        for name in publications(behavior, settings):
            if name not in declared:
                raise SettingError(
                    *assignments[0],
                    f"posts {name}, which no line of the behavior files declares at the start",
                )
        behavior.settings = settings
        behavior.configured(fields)
        behavior.post_flags(settings.configflag)

    def _result(self, text: str, result: str) -> str:
        behavior = self.behavior
        return (
            f"bhv={behavior.settings.name},var={behavior.settings.updates},"
            f"time={fixed(behavior.world.time, 2)},result={result},val={text}"
        )
