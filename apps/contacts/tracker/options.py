"""Parameters of ``uTracker``: limits of returns, clustering, tracking, publication."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.shared.clouds import CloudOptions
from steerageway.bus import Options, declare
from steerageway.vessel.perception.tracking import TrackerSettings


@dataclass(frozen=True)
class TrackerOptions(Options):
    """Parameters of the app's configuration block."""

    clouds: CloudOptions = declare.group(CloudOptions)
    reach: float = declare.number(
        0.8, "maximum distance of neighbouring returns in a cluster", unit="m", above=0
    )
    reach_growth: float = declare.number(0.03, "increase of reach per metre of range", low=0)
    least_points: int = declare.whole(2, "minimum number of returns of an object", low=1)
    largest: float = declare.number(
        25, "length above which an object is a static structure", unit="m", above=0
    )
    cell: float = declare.number(
        6, "size of the obstacles into which structures are cut", unit="m", above=0
    )
    memory: float = declare.number(
        60, "time for which an obstacle is kept without detections", unit="s", above=0
    )
    noise: float = declare.number(
        0.2, "standard deviation of an object's measured position on each axis", unit="m", above=0
    )
    size_noise: float = declare.number(
        0.1, "increase of noise per metre of the object's length", low=0
    )
    acceleration: float = declare.number(
        0.05, "spectral density of an object's acceleration", unit="m²/s³", above=0
    )
    confirm: int = declare.whole(
        4, "number of scans that must detect an object before it is published", low=1
    )
    lost: float = declare.number(
        5, "time without detections after which a track is dropped", unit="s", above=0
    )
    moving: float = declare.number(
        0.4, "speed above which an object is a contact, otherwise an obstacle", unit="m/s", above=0
    )
    smallest: float = declare.number(
        1, "length below which an object is an obstacle, even if it moves", unit="m", low=0
    )
    prefix: str = declare.text("seen_", "prefix of the names of contacts and obstacles")
    contacts: bool = declare.flag(True, "false: do not post NODE_REPORT of moving objects")
    obstacles: bool = declare.flag(True, "false: do not post GIVEN_OBSTACLE of static objects")

    @property
    def tracker(self) -> TrackerSettings:
        """The settings of the tracker."""
        return TrackerSettings(
            acceleration=self.acceleration,
            noise=self.noise,
            size_noise=self.size_noise,
            confirm=self.confirm,
            lost=self.lost,
            moving=self.moving,
            smallest=self.smallest,
        )
