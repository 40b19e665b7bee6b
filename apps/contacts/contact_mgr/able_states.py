"""Contacts whose behaviors were disabled or enabled, for flag macros."""

from __future__ import annotations

from steerageway.moos.values import Value


class AbleStates:
    """Disabled contacts, and those enabled again, the most recent first."""

    def __init__(self) -> None:
        self._disabled: list[str] = []
        self._enabled: list[str] = []

    def note(self, verb: str, contact: str) -> None:
        """Record disable, enable or expunge (which removes it from both lists) of a contact."""
        for known in (self._disabled, self._enabled):
            if contact in known:
                known.remove(contact)
        if verb == "disable":
            self._disabled.insert(0, contact)
        elif verb == "enable":
            self._enabled.insert(0, contact)

    def macros(self) -> dict[str, Value]:
        """Return the flag macros, without their brackets."""
        return {
            "RECENT_DISABLED": self._disabled[0] if self._disabled else "",
            "RECENT_ENABLED": self._enabled[0] if self._enabled else "",
            "ALL_DISABLED": ",".join(self._disabled),
            "TOTAL_DISABLED": float(len(self._disabled)),
        }
