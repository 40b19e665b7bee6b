"""Warnings and posts of a vessel that touches the ground or leaves its envelope."""

from __future__ import annotations

from collections.abc import Callable, Mapping

AGROUND, ENVELOPE_LEFT = "USM_AGROUND", "USM_ENVELOPE_LEFT"


class LimitWatch:
    """The limits that a vessel has left.

    Attributes:
        aground: whether it was aground when last looked at.
    """

    def __init__(self, post: Callable[..., None], warn: Callable[[str], None]) -> None:
        self._post, self._warn = post, warn
        self.aground = False
        self._left: set[str] = set()  # limits with a warning

    def look(
        self, name: str, left: Mapping[str, str], aground: str, state: Callable[[], str]
    ) -> None:
        """Post grounding when it changes, and warn once for each limit.

        Args:
            name: of the vessel. left: each limit that it exceeds, with a description.
            aground: a description; "" afloat. state: returns its state for the warning.
        """
        if bool(aground) != self.aground:
            self.aground = bool(aground)
            self._post(AGROUND, "true" if aground else "false")
        if aground:
            left = {**left, "ground": aground}
        for limit, what in left.items():
            if limit not in self._left:
                self._left.add(limit)
                self._warn(f"{name} leaves its envelope: {what}; {state()}")
                self._post(ENVELOPE_LEFT, float(len(self._left)))
