"""Handlers for a vessel's appearance and identity in its reports: colour, name, group, modes."""

from __future__ import annotations

from steerageway.apps.communication.node_reporter.handlers import Handlers
from steerageway.apps.communication.node_reporter.options import is_word
from steerageway.bus import Value
from steerageway.moos.node_report import NodeRecord
from steerageway.moos.values import pairs


class Appearance:
    """Updates a vessel's own record, and the fields its second navigation's record shares with it.

    Attributes:
        handlers: variable -> its handler.
    """

    def __init__(self, own: NodeRecord, alt: NodeRecord, *, color_changes: bool) -> None:
        self._own, self._alt, self._both = own, alt, (own, alt)
        self.handlers: Handlers = {
            "PLATFORM_COLOR": self._take_color,
            "NODE_NAME_UPDATE": self._take_name,
            "NODE_GROUP_UPDATE": self._take_group,
            "AUX_MODE": self._take_aux_mode,
            "LOAD_WARNING": self._take_load_warning,
            "THRUST_MODE_REVERSE": self._take_reverse,
            "NAV_TRAJECTORY": self._take_trajectory,
        }
        if color_changes:
            self.handlers["NODE_COLOR_CHANGE"] = self._take_color

    def _take_color(self, value: Value, _now: float) -> None:
        if not is_word(str(value)):
            raise ValueError("expected a colour, one word")
        for record in self._both:
            record.color = str(value)

    def _take_name(self, value: Value, _now: float) -> None:
        name, before = str(value), self._own.name
        if not is_word(name):
            raise ValueError("expected a name, one word")
        if self._alt.name.startswith(f"{before}_"):
            self._alt.name = name + self._alt.name.removeprefix(before)
        self._own.name = name

    def _take_group(self, value: Value, _now: float) -> None:
        for record in self._both:
            record.group = str(value)

    def _take_aux_mode(self, value: Value, _now: float) -> None:
        self._own.mode_aux = str(value)

    def _take_load_warning(self, value: Value, _now: float) -> None:
        given = dict(pairs(str(value)))
        if not given.get("app") or not given.get("maxgap"):
            raise ValueError("expected app=NAME,maxgap=SECONDS")
        self._own.load_warning = f"{given['app']}:{given['maxgap']}"

    def _take_reverse(self, value: Value, _now: float) -> None:
        self._own.thrust_mode_reverse = str(value).strip().lower() == "true"

    def _take_trajectory(self, value: Value, _now: float) -> None:
        self._own.trajectory = str(value)
