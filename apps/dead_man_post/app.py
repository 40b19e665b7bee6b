"""``pDeadManPost``: posts something when a heartbeat stays away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from steerageway.apps.flags import read_flags
from steerageway.bus import App, Message, Parameter

ONCE, REPEAT, RESET = "once", "repeat", "reset"


class DeadManPost(App):
    """A dead man's switch: posts flags when a variable has not been posted for too long."""

    publishes: Sequence[str] = ()
    parameters: ClassVar[Sequence[Parameter]] = (
        Parameter("heartbeat_var", "", "the variable that must keep coming"),
        Parameter("max_noheart", "10", "how long it may stay away [s], >= 0"),
        Parameter("deadflag", "", "VAR=value to post then; repeatable"),
        Parameter("post_policy", "once", "once, repeat (each iteration) or reset (once a silence)"),
        Parameter("active_at_start", "true", "false: wait for the first heartbeat"),
    )

    def configure(self) -> None:
        """Read the block."""
        config = self.config
        self._heart = config.text("heartbeat_var")
        self._timeout = config.number("max_noheart", default=10.0, low=0.0)
        self._policy = config.choice("post_policy", default=ONCE, among=(ONCE, REPEAT, RESET))
        self._active = config.flag("active_at_start", default=True)
        self._flags = read_flags(config, "deadflag")
        if not self._heart or not self._flags:
            missing = "deadflag" if self._heart else "heartbeat_var"
            self.config_warning(f"{missing} is not set: nothing will ever be posted")
        self._spent = self._silent = False
        self._silences = 0
        self.publishes = tuple(dict.fromkeys(flag.variable for flag in self._flags))

    def on_start(self) -> None:
        """Register; the first silence begins."""
        self._beat = self.time
        if self._heart:
            self.register(self._heart)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take a heartbeat."""
        self._beat = self.time
        self._active = True
        self._silent = False
        if self._policy == RESET:
            self._spent = False

    def iterate(self) -> None:
        """Post the flags when the heart has been silent for too long."""
        if not (self._heart and self._active) or self.time - self._beat <= self._timeout:
            return
        self._silences += not self._silent
        self._silent = True
        if self._spent and self._policy != REPEAT:
            return
        self._spent = True
        for flag in self._flags:
            self.post(flag.variable, flag.value)

    def report(self) -> Iterable[str]:
        """Give how long the heart has been silent."""
        yield f"{self._heart}: {self.time - self._beat:.1f} s ago, at most {self._timeout:g} s"
        yield f"silences: {self._silences}"
