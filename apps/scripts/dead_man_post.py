"""``pDeadManPost``: posts flags when a heartbeat variable is missing for too long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from steerageway.apps.shared.flags import PostFlag, parse_flag
from steerageway.bus import App, Message, Options, declare

ONCE, REPEAT, RESET = "once", "repeat", "reset"


@dataclass(frozen=True)
class DeadManOptions(Options):
    """Parameters of the configuration block."""

    heartbeat_var: str = declare.text("", "variable that must be posted regularly")
    max_noheart: float = declare.number(10, "maximum time without a heartbeat", unit="s", low=0)
    deadflag: tuple[PostFlag, ...] = declare.lines(
        parse_flag, "VAR=value, posted when the heartbeat is missing"
    )
    post_policy: str = declare.choice(
        ONCE, {ONCE: "", REPEAT: "each iteration", RESET: "once per silence"}
    )
    active_at_start: bool = declare.flag(True, "false: wait for the first heartbeat")


class DeadManPost(App):
    """A dead man's switch: posts flags when a variable has not been posted for too long."""

    publishes: Sequence[str] = ()
    parameters = DeadManOptions.parameters()

    def configure(self) -> None:
        options = DeadManOptions.read(self.config)
        self._heart, self._flags = options.heartbeat_var, options.deadflag
        self._timeout, self._policy = options.max_noheart, options.post_policy
        self._active = options.active_at_start
        if not self._heart or not self._flags:
            missing = "deadflag" if self._heart else "heartbeat_var"
            self.config_warning(f"{missing} is not set: nothing will ever be posted")
        self._spent = self._silent = False
        self._silences = 0
        self.publishes = tuple(dict.fromkeys(flag.variable for flag in self._flags))

    def on_start(self) -> None:
        """Register; the timeout starts."""
        self._beat = self.time
        if self._heart:
            self.register(self._heart)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Restart the timeout."""
        self._beat = self.time
        self._active = True
        self._silent = False
        if self._policy == RESET:
            self._spent = False

    def iterate(self) -> None:
        """Post the flags when the timeout has expired."""
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
        """Yield the time since the last heartbeat."""
        yield f"{self._heart}: {self.time - self._beat:.1f} s ago, at most {self._timeout:g} s"
        yield f"silences: {self._silences}"
