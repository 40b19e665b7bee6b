"""Parameters of ``uTracker``: limits of returns, clustering, tracking, publication."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from steerageway.apps.framework.block_readers import variable_in
from steerageway.bus import Config, Options, declare
from steerageway.vessel.perception.tracking import TrackerSettings


def _clouds(config: Config, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(variable_in(entry) for entry in config.all(*names)) or ("LIDAR_*",)


@dataclass(frozen=True)
class TrackerOptions(Options):
    """Parameters of the app's configuration block."""

    cloud: tuple[str, ...] = declare.custom(
        _clouds, "variable of clouds, or a pattern; repeatable", default="LIDAR_*"
    )
    least_height: float = declare.number(
        0.4, "returns nearer to the water's level are the water's", unit="m"
    )
    most_height: float = declare.number(15, "higher ones are of what one passes under", unit="m")
    least_range: float = declare.number(2, "nearer ones are of the vessel itself", unit="m")
    most_range: float = declare.number(100, "further ones do not count", unit="m")
    reach: float = declare.number(
        0.8, "returns as near to each other are of one thing", unit="m", above=0
    )
    reach_growth: float = declare.number(
        0.03, "what is added to that for each metre of range", low=0
    )
    least_points: int = declare.whole(2, "returns of a thing", low=1)
    largest: float = declare.number(
        25, "longer things do not move: they are structures", unit="m", above=0
    )
    cell: float = declare.number(
        6, "structures are cut into obstacles of this size", unit="m", above=0
    )
    memory: float = declare.number(
        60, "how long an obstacle stays that is not seen", unit="s", above=0
    )
    noise: float = declare.number(
        0.2, "standard deviation of a thing's place on each axis", unit="m", above=0
    )
    size_noise: float = declare.number(
        0.1, "what is added to that for each metre of its length", low=0
    )
    acceleration: float = declare.number(
        0.05, "density of its accelerations' spectrum", unit="m²/s³", above=0
    )
    confirm: int = declare.whole(4, "scans that see a thing before it counts", low=1)
    lost: float = declare.number(
        5, "a thing that is not seen for so long is lost", unit="s", above=0
    )
    moving: float = declare.number(
        0.4, "slower things are obstacles, faster ones contacts", unit="m/s", above=0
    )
    smallest: float = declare.number(
        1, "shorter things are obstacles, whatever they do", unit="m", low=0
    )
    prefix: str = declare.text("seen_", "names of contacts and obstacles begin so")
    contacts: bool = declare.flag(True, "whether NODE_REPORT tells of what moves")
    obstacles: bool = declare.flag(True, "whether GIVEN_OBSTACLE tells of what does not")

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


def check_order(config: Config, options: TrackerOptions) -> None:
    """Check that the minimum height and range are below the maximum ones.

    Raises:
        ConfigError: they are not.
    """
    for what in ("height", "range"):
        least, most = getattr(options, f"least_{what}"), getattr(options, f"most_{what}")
        if most > least:
            continue
        entry = config.entry(f"most_{what}") or config.entry(f"least_{what}")
        assert entry is not None  # the defaults are in order
        raise Config.error(entry, f"expected most_{what} above least_{what}, {least:g}")
