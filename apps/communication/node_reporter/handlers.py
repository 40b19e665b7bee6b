"""Handlers of the node reporter's mail: their types, and those of the helm's state."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from steerageway.bus import Value

Handler = Callable[[Value, float], None]
"""Takes a value at a time [s]; raises ValueError if the value is invalid."""

Handlers = dict[str, Handler]

PRIMARY = ("DRIVE", "PARK", "MALCONFIG", "DISABLED")
STANDBY = ("DRIVE+", "PARK+", "MALCONFIG+", "STANDBY")
STANDBY_ACTIVE = ("DRIVE+", "PARK+")


class HelmWatch:
    """Tracks the helm's state, and that of a standby helm that may take over.

    Attributes:
        allstop: reason of the all-stop; "clear" without one.
        handlers: variable -> its handler.
    """

    def __init__(self) -> None:
        self.allstop = "unknown"
        self._primary = "unknown"
        self._standby = ""
        self._modes = ""
        self._received = -inf
        self._switched = False
        self.handlers: Handlers = {
            "IVPHELM_STATE": self._take_state,
            "IVPHELM_SUMMARY": self._take_summary,
            "IVPHELM_ALLSTOP": self._take_allstop,
        }

    def mode(self, now: float, timeout: float) -> str:
        """Return the mode: the helm's modes in DRIVE, else its state, or NOHELM after a timeout.

        Args:
            now: the time [s].
            timeout: silence after which there is no helm [s].
        """
        silence = now - self._received
        if silence > timeout:
            return "NOHELM-EVER" if self._received == -inf else f"NOHELM-{silence:.0f}"
        state = self._standby if self._standby in STANDBY_ACTIVE else self._primary
        if state in ("DRIVE", "DRIVE+") and self._modes not in ("", "none"):
            return self._modes
        return state

    def _take_state(self, value: Value, now: float) -> None:
        self._received = now
        state = str(value).strip()
        if state in PRIMARY:
            self._primary = state
        elif state in STANDBY:
            self._standby = state
        if state.endswith("+") and not self._switched:
            self._switched = True
            self._modes = self.allstop = ""
        if state.startswith("MALCONFIG"):
            self.allstop = "n/a"

    def _take_summary(self, value: Value, now: float) -> None:
        self._received = now
        _, found, rest = ("," + str(value)).partition(",modes=")
        if found:
            self._modes = rest.partition(",")[0]

    def _take_allstop(self, value: Value, now: float) -> None:
        self._received = now
        self.allstop = str(value)
