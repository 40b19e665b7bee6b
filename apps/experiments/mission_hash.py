"""``pMissionHash``: gives a run a name that can be spoken, so that logs of several vessels and a
line of results are known to belong together.

The name follows from the mission's epoch and seed: the same run has the same name on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from steerageway.apps.framework.block_readers import variable_in
from steerageway.bus import App, Message, Parameter, variables
from steerageway.moos.mission_hash import draw

INTERVAL = 30.0  # s, between two posts of one name
OFF = "off"
RESETS = ("RESET_MHASH", "MHASH_RESET")


class MissionHasher(App):
    """A name for the run."""

    publications = (
        variables.text(
            "MISSION_HASH",
            "`mhash=260101-0930K-CALM-GULL,utc=..`: the run's name",
            unit="s",
            when="each 30 s",
        ),
        variables.text("MHASH", "its two words", when="each 30 s"),
    )
    publishes: Sequence[str] = variables.names(publications)
    subscriptions = (
        variables.heard("RESET_MHASH", "MHASH_RESET", what="find another name", kind="any"),
    )
    subscribes = RESETS
    parameters: ClassVar[Sequence[Parameter]] = (
        Parameter("mission_hash_var", "MISSION_HASH", "variable of the whole name; or off"),
        Parameter("mhash_short_var", "MHASH", "variable of its two words; or off"),
    )

    def configure(self) -> None:
        """Read the block."""
        self._whole = self._variable("mission_hash_var", "MISSION_HASH")
        self._short = self._variable("mhash_short_var", "MHASH")
        self.publishes = tuple(dict.fromkeys(v for v in (self._whole, self._short) if v))
        self._random = self.random()
        self._hash = draw(self.setting.epoch, self._random)
        self._due = 0.0

    def _variable(self, key: str, default: str) -> str:
        entry = self.config.entry(key)
        if entry is None:
            return default
        return "" if entry.value.strip().lower() == OFF else variable_in(entry)

    def on_start(self) -> None:
        """Register, and tell the name."""
        self.register(*self.subscribes)
        self._post_hash()

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Find another name when asked to."""
        self._hash = draw(self.utc, self._random)
        self._post_hash()

    def iterate(self) -> None:
        """Tell the name again from time to time."""
        if self.time >= self._due:
            self._post_hash()

    def _post_hash(self) -> None:
        self._due = self.time + INTERVAL
        if self._whole:
            self.post(self._whole, self._hash.text())
        if self._short:
            self.post(self._short, self._hash.short)

    def report(self) -> Iterable[str]:
        """Give the name."""
        yield self._hash.text()


if __name__ == "__main__":
    from steerageway.apps.framework.shell import main

    main(MissionHasher)
