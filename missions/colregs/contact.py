"""An app that reports a contact vessel on a straight line, by node reports with loss and delay."""

from __future__ import annotations

from collections import deque

from steerageway.bus import App, Parameter
from steerageway.geometry.encounter import Track
from steerageway.moos.node_report import NodeRecord, write


class Contact(App):
    """Reports a vessel on a straight line, with loss and delay; posts its true position as well."""

    publishes = ("NODE_REPORT", "CONTACT_X", "CONTACT_Y")
    parameters = (
        Parameter("vessel", "ben", "name of the vessel"),
        Parameter("x", "0", "start position, east [m]"),
        Parameter("y", "0", "start position, north [m]"),
        Parameter("heading", "180", "heading [deg]"),
        Parameter("speed", "2", "speed [m/s]"),
        Parameter("loss", "0", "fraction of reports lost, 0 to 1"),
        Parameter("delay", "0", "delay of reports [s]"),
    )

    def configure(self) -> None:
        number = self.config.number
        self._vessel = self.config.text("vessel", default="ben")
        self._start = Track(
            number("x", default=0.0),
            number("y", default=0.0),
            number("heading", default=180.0),
            number("speed", default=2.0, low=0.0),
        )
        self._loss = number("loss", default=0.0, low=0.0, high=1.0)
        self._delay = number("delay", default=0.0, low=0.0)
        self._random = self.random("loss")
        self._under_way: deque[tuple[float, str]] = deque()

    def iterate(self) -> None:
        now = self._start.ahead(self._start.speed * self.time)
        self.post("CONTACT_X", now.x)
        self.post("CONTACT_Y", now.y)
        if self._random.random() >= self._loss:
            self._under_way.append((self.time + self._delay, self._report(now)))
        while self._under_way and self._under_way[0][0] <= self.time:
            self.post("NODE_REPORT", self._under_way.popleft()[1])

    def _report(self, now: Track) -> str:
        record = NodeRecord(
            name=self._vessel,
            x=now.x,
            y=now.y,
            heading=now.heading,
            speed=now.speed,
            type="kayak",
            time=self.utc,
        )
        return write(record.fields())
