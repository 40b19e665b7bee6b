"""``pSpoofNode``: reports vessels that are not there, so that others have somebody to meet.

They keep course and speed, and are told of by node reports as any vessel is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import count
from typing import ClassVar

from steerageway.apps.contacts.contact import SAME_TIME
from steerageway.apps.contacts.spoof_node.spoof import Spoof, parse_spoof
from steerageway.apps.contacts.spoof_node.variables import PUBLICATIONS, SUBSCRIPTIONS
from steerageway.apps.framework.block_readers import read_color
from steerageway.bus import App, Config, Entry, Message, Parameter, variables
from steerageway.moos.node_report import write
from steerageway.moos.values import by_key, trimmed


class SpoofNode(App):
    """A source of node reports of vessels that are not there."""

    keeps_quotes = True
    publications = PUBLICATIONS
    publishes: Sequence[str] = variables.names(publications)
    subscriptions = SUBSCRIPTIONS
    subscribes = ("SPOOF", "SPOOF_CANCEL")
    parameters: ClassVar[Sequence[Parameter]] = (
        Parameter("spoof", "", "x=,y= and perhaps hdg=,spd=,name=,type=,group=,... ; repeatable"),
        Parameter("refresh_interval", "0.5", "time between two reports of a vessel [s], >= 0"),
        Parameter("default_hdg", "45", "heading if none is given [deg]"),
        Parameter("default_spd", "0", "speed if none is given [m/s]; below 0: astern"),
        Parameter(
            "default_duration", "0", "how long it is there if it is not given [s]; 0: for good"
        ),
        Parameter("default_length", "5", "length if none is given [m], > 0"),
        Parameter("default_vtype", "kayak", "type if none is given"),
        Parameter("default_color", "purple", "colour if none is given"),
        Parameter("default_group", "", "group if none is given"),
        Parameter("default_vsource", "", "source if none is given"),
    )

    def configure(self) -> None:
        """Read the block."""
        config = self.config
        self._interval = config.number("refresh_interval", default=0.5, low=0.0)
        self._defaults = {
            "hdg": trimmed(config.number("default_hdg", default=45.0), 9),
            "spd": trimmed(config.number("default_spd", default=0.0), 9),
            "dur": trimmed(config.number("default_duration", default=0.0, low=0.0), 9),
            "len": trimmed(config.number("default_length", default=5.0, above=0.0), 9),
            "type": self._word("default_vtype", "kayak"),
            "color": read_color(config, "default_color", default="purple"),
            "group": self._word("default_group", ""),
            "vsource": self._word("default_vsource", ""),
        }
        self._spoofs: dict[str, Spoof] = {}
        self._reported = float("-inf")
        self._reports = 0
        for entry in config.all("spoof"):
            self._read(entry)

    def _word(self, key: str, default: str) -> str:
        return self.config.text(key, default=default).strip()

    def _read(self, entry: Entry) -> None:
        try:
            self._add(entry.value)
        except ValueError as error:
            raise Config.error(entry, str(error)) from error

    def _add(self, text: str) -> None:
        spoof = parse_spoof(text, self._defaults, self._free_name(), self.time)
        self._spoofs[spoof.name.lower()] = spoof

    def _free_name(self) -> str:
        names = (f"C{number:04d}" for number in count(1))
        return next(name for name in names if name.lower() not in self._spoofs)

    def on_start(self) -> None:
        """Register; those of the block are there from now on."""
        self.register(*self.subscribes)
        for key, spoof in self._spoofs.items():
            until = spoof.until + self.time
            self._spoofs[key] = replace(spoof, since=self.time, until=until)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take vessels, and take them away."""
        for message in mail:
            text = str(message.value)
            try:
                if message.name == "SPOOF":
                    self._add(text)
                else:
                    self._cancel(text)
            except ValueError as error:
                self.run_warning(f"{message.name} = {text}: {error}")

    def _cancel(self, text: str) -> None:
        fields = by_key(text.lower())
        name, group = fields.get("vname") or fields.get("contact", ""), fields.get("group", "")
        if not name and not group:
            raise ValueError("expected vname=NAME or group=NAME")
        gone = [
            key
            for key, spoof in self._spoofs.items()
            if key == name or (group and spoof.record.group.lower() == group)
        ]
        for key in gone:
            del self._spoofs[key]

    def iterate(self) -> None:
        """Report every vessel."""
        self._spoofs = {k: s for k, s in self._spoofs.items() if self.time <= s.until + SAME_TIME}
        if self.time - self._reported < self._interval - SAME_TIME:
            return
        self._reported = self.time
        for spoof in self._spoofs.values():
            x, y, heading, speed = spoof.now(self.time)
            record = replace(spoof.record, x=x, y=y, heading=heading, speed=speed, time=self.utc)
            self.post("NODE_REPORT", write(record.fields()))
            self._reports += 1

    def report(self) -> Iterable[str]:
        """List the vessels."""
        yield f"reports: {self._reports}"
        for spoof in self._spoofs.values():
            x, y, heading, speed = spoof.now(self.time)
            yield f"{spoof.name}: x={x:.2f}, y={y:.2f}, hdg={heading:g}, spd={speed:g}"
