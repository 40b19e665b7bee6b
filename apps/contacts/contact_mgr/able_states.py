"""Which contacts had their behaviors disabled and enabled, as flags about it may tell."""

from __future__ import annotations

from steerageway.moos.values import Value


class AbleStates:
    """The contacts that are disabled, and those that were enabled again, the last one first."""

    def __init__(self) -> None:
        self._disabled: list[str] = []
        self._enabled: list[str] = []

    def note(self, verb: str, contact: str) -> None:
        """Take note of a contact: disable, enable or expunge, which is neither any more."""
        for known in (self._disabled, self._enabled):
            if contact in known:
                known.remove(contact)
        if verb == "disable":
            self._disabled.insert(0, contact)
        elif verb == "enable":
            self._enabled.insert(0, contact)

    def macros(self) -> dict[str, Value]:
        """Return the macros of flags, without their brackets."""
        return {
            "RECENT_DISABLED": self._disabled[0] if self._disabled else "",
            "RECENT_ENABLED": self._enabled[0] if self._enabled else "",
            "ALL_DISABLED": ",".join(self._disabled),
            "TOTAL_DISABLED": float(len(self._disabled)),
        }
