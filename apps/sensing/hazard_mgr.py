"""``uFldHazardMgr``: a vessel's search for objects on the sea floor with ``uFldHazardSensor``.

It selects the vessel's sensor, requests detections, requests a classification of each detection,
and reports the detected objects on request. In MOOS-IvP it is the example that users extend: it
takes every detection for a hazard.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from steerageway.bus import App, Message, Options, declare, variables
from steerageway.moos.hazard import Hazard, parse_hazard
from steerageway.moos.polygon import Polygon, polygon_nearby
from steerageway.moos.values import by_key, trimmed


@dataclass(frozen=True)
class ManagerOptions(Options):
    """Parameters of the configuration block."""

    swath_width: float = declare.number(
        25, "requested distance from the track to the edge of the swath", unit="m", above=0
    )
    sensor_pd: float = declare.number(
        0.9, "requested probability of detection", low=0, high=1, aliases=("pd",)
    )
    report_name: str = declare.text("", "name of the report; default: the vessel's")
    region: Polygon | None = declare.value(
        "", polygon_nearby, "convex polygon: detections outside are not reported"
    )


class HazardMgr(App):
    """Searches with a vessel's hazard sensor."""

    publications = variables.published("""
        UHZ_CONFIG_REQUEST | text | m | | once | `vname=abe,width=50,pd=0.9`: set the sensor
        UHZ_SENSOR_REQUEST | text | | | each tick, once the sensor is set | `vname=abe`: detect
        UHZ_CLASSIFY_REQUEST | text | | | on a detection | `vname=abe,label=07`: classify
        HAZARDSET_REPORT | text | m | | on request |
            `source=abe#name=NAME#x=51,y=11.3,label=12#...`: the detected objects
    """)
    subscriptions = (
        variables.heard("UHZ_CONFIG_ACK", what="the sensor's settings"),
        variables.heard("UHZ_DETECTION_REPORT", what="a detection"),
        variables.heard("HAZARDSET_REQUEST", what="any text: report the detected objects"),
    )
    parameters = ManagerOptions.parameters()

    def configure(self) -> None:
        self._options = ManagerOptions.read(self.config)
        self._is_requested = self._is_set = False
        self._hazards: dict[str, Hazard] = {}

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take the sensor's answers, and requests for the report."""
        handlers: dict[str, Callable[[str], None]] = {
            "UHZ_CONFIG_ACK": self._take_settings,
            "UHZ_DETECTION_REPORT": self._take_detection,
            "HAZARDSET_REQUEST": self._report,
        }
        for message in mail:
            text = str(message.value)
            try:
                handlers[message.name](text)
            except ValueError as error:
                self.run_warning(f"{message.name} = {text}: {error}")

    def iterate(self) -> None:
        """Select the sensor, and request detections."""
        name, options = self.community, self._options
        if not self._is_requested:
            self._is_requested = True
            width, pd = trimmed(options.swath_width, 2), trimmed(options.sensor_pd, 2)
            self.post("UHZ_CONFIG_REQUEST", f"vname={name},width={width},pd={pd}")
        if self._is_set:
            self.post("UHZ_SENSOR_REQUEST", f"vname={name}")

    def _take_settings(self, text: str) -> None:
        missing = [
            key for key in ("vname", "width", "pd", "pfa", "pclass") if key not in by_key(text)
        ]
        if missing:
            raise ValueError(f"expected {missing[0]}=")
        self._is_set = True

    def _take_detection(self, text: str) -> None:
        hazard = replace(parse_hazard(text, typed=False), is_hazard=True)
        self._hazards[hazard.label] = hazard
        self.event(f"detected {hazard.spec}")
        self.post("UHZ_CLASSIFY_REQUEST", f"vname={self.community},label={hazard.label}")

    def _report(self, text: str) -> None:
        region = self._options.region
        found = [h for h in self._hazards.values() if region is None or region.contains(h.place)]
        head = f"source={self.community}", f"name={self._options.report_name or self.community}"
        self.post("HAZARDSET_REPORT", "#".join([*head, *(hazard.spec for hazard in found)]))
