"""``pMissionHash``: posts a pronounceable name of the run, common to all its logs and results.

The name follows from the mission's epoch and seed: the same run has the same name on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from steerageway.apps.shared.block_readers import parse_variable
from steerageway.bus import App, Message, Options, declare, variables
from steerageway.moos.mission_hash import draw

INTERVAL = 30.0  # s, between two posts of the name
OFF = "off"
RESETS = ("RESET_MHASH", "MHASH_RESET")


def _variable(text: str) -> str:
    return "" if text.strip().lower() == OFF else parse_variable(text)


@dataclass(frozen=True)
class HashOptions(Options):
    """Parameters of the configuration block; a variable that is off is ""."""

    mission_hash_var: str = declare.value(
        "MISSION_HASH", _variable, "variable for the whole name; or off"
    )
    mhash_short_var: str = declare.value(
        "MHASH", _variable, "variable for the two words of the name; or off"
    )


class MissionHasher(App):
    """Posts a pronounceable name of the run, common to all its logs and results."""

    publications = variables.published("""
        MISSION_HASH | text | s | | each 30 s | `mhash=260101-0930K-CALM-GULL,utc=..`: the run's
            name
        MHASH | text | | | each 30 s | the two words of the name
    """)
    subscriptions = (
        variables.heard("RESET_MHASH", "MHASH_RESET", what="request for another name", kind="any"),
    )
    parameters = HashOptions.parameters()

    def configure(self) -> None:
        options = HashOptions.read(self.config)
        self._whole, self._short = options.mission_hash_var, options.mhash_short_var
        self.publishes = tuple(dict.fromkeys(v for v in (self._whole, self._short) if v))
        self._random = self.random()
        self._hash = draw(self.setting.epoch, self._random)
        self._due = 0.0

    def on_start(self) -> None:
        """Register, and post the name."""
        super().on_start()
        self._post_hash()

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Draw another name on request."""
        self._hash = draw(self.utc, self._random)
        self._post_hash()

    def iterate(self) -> None:
        """Post the name periodically."""
        if self.time >= self._due:
            self._post_hash()

    def _post_hash(self) -> None:
        self._due = self.time + INTERVAL
        if self._whole:
            self.post(self._whole, self._hash.text())
        if self._short:
            self.post(self._short, self._hash.short)

    def report(self) -> Iterable[str]:
        """Yield the name."""
        yield self._hash.text()
