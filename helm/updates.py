"""Updates of behavior parameters at run time: ``speed = 2 # points = 0,0:10,10``."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from steerageway.helm.behavior_variables import publications
from steerageway.helm.behaviors.base import AnyBehavior
from steerageway.helm.settings import CommonSettings, SettingError, changed
from steerageway.moos.values import fixed, split_first

REPEATABLE = ("toggle", "engage", "mod")  # repeated texts with these are applied again


def read_update(text: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the behavior name in an update ("" for all subscribers), and its assignments."""
    assignments = [split_first(field, "=") for field in text.split("#") if field.strip()]
    names = [value for key, value in assignments if key.lower() == "name"]
    others = [pair for pair in assignments if pair[0].lower() != "name"]
    return names[-1] if names else "", others


def check_declared(
    behavior: AnyBehavior,
    settings: CommonSettings,
    assignments: Sequence[tuple[str, str]],
    declared: Container[str],
) -> None:
    """Check that a behavior with these settings posts only what the helm may post.

    Raises:
        SettingError: it does not.
    """
    for name in publications(behavior, settings):
        if name not in declared:
            raise SettingError(
                *assignments[0],
                f"posts {name}, which no line of the behavior files declares at the start",
            )


class Updates:
    """The updates of one behavior: number of successful ones, and the last one.

    Args:
        called: the name in updates, if it differs from the behavior's name.

    Attributes:
        summary: ``successful/all``, or n/a for a behavior without updates.
    """

    def __init__(self, behavior: AnyBehavior, called: str = "") -> None:
        self.behavior = behavior
        self._names = (behavior.settings.name, called or behavior.settings.name)
        self.summary = "n/a" if behavior.settings.updates is None else "0/0"
        self._good = self._bad = 0
        self._last = ""

    def take(self, texts: Iterable[str], declared: Container[str]) -> list[str]:
        """Apply the updates of this iteration, each as a whole or not at all.

        Args:
            texts: as posted.
            declared: the variables that the helm may post.
        Returns:
            A result for each, as the helm posts them in ``IVPHELM_UPDATE_RESULT``.
        """
        results = [self._result(text, self._take_one(text, declared)) for text in texts if text]
        self.summary = f"{self._good}/{self._good + self._bad}"
        return results

    def _take_one(self, text: str, declared: Container[str]) -> str:
        # equal to the last successful update
        if text == self._last and not any(word in text.lower() for word in REPEATABLE):
            return "duplicate"
        called, assignments = read_update(text)
        if called and called not in self._names:
            return "name_mismatch"
        before = self.behavior.settings
        try:
            self._apply(assignments, declared)
        except Exception as error:  # a user's behavior may raise anything
            self.behavior.settings = before
            self._bad += 1
            why = str(error)
            if not isinstance(error, SettingError):
                why = f"the behavior fails: {type(error).__name__}: {error}"
            self.behavior.warn(f"update {text!r} refused: {why}")
            return "param_error"
        self._good += 1
        self._last = text
        return "success"

    def _apply(self, assignments: list[tuple[str, str]], declared: Container[str]) -> None:
        behavior = self.behavior
        settings, fields = changed(behavior.settings, assignments)
        behavior.check(settings, fields)
        check_declared(behavior, settings, assignments, declared)
        # ``_take_one`` restores the former settings if anything from here on fails
        behavior.settings = settings
        behavior.configured(fields)
        behavior.post_flags(settings.configflag)

    def _result(self, text: str, result: str) -> str:
        behavior = self.behavior
        return (
            f"bhv={behavior.settings.name},var={behavior.settings.updates},"
            f"time={fixed(behavior.world.time, 2)},result={result},val={text}"
        )
