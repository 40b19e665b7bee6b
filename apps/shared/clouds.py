"""Point clouds as mail: scans in order, and their returns within limits of height and range."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from steerageway.apps.shared.block_readers import parse_variable
from steerageway.bus import Config, Message, Options, declare, parsed
from steerageway.vessel.perception.measurement import Measurement, unpack
from steerageway.world.arrays import Flags, Floats
from steerageway.world.errors import InvalidValue

FARTHEST = 1e7  # limit of a sensor's coordinates [m]: a quarter of the way round the earth
STAMPS = 1e-3  # by which a cloud's time may be later than its message's [s]
TRUTH = "_TRUTH"  # suffix of variables with error-free measurements


def _clouds(config: Config, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(parsed(entry, parse_variable) for entry in config.all(*names)) or ("LIDAR_*",)


@dataclass(frozen=True)
class CloudOptions(Options):
    """Parameters of an app that takes point clouds."""

    cloud: tuple[str, ...] = declare.custom(
        _clouds, "variable of clouds, or a pattern; repeatable", default="LIDAR_*"
    )
    least_height: float = declare.number(
        0.4, "height below which returns are attributed to the water", unit="m"
    )
    most_height: float = declare.number(
        15, "height above which returns are ignored, e.g. of bridges", unit="m"
    )
    least_range: float = declare.number(
        2, "range within which returns are attributed to the vessel itself", unit="m"
    )
    most_range: float = declare.number(100, "range beyond which returns are ignored", unit="m")

    def check(self, config: Config) -> None:
        """Check that the minimum height and range are below the maximum ones.

        Raises:
            ConfigError: they are not.
        """
        for what in ("height", "range"):
            least, most = getattr(self, f"least_{what}"), getattr(self, f"most_{what}")
            if most > least:
                continue
            entry = config.entry(f"most_{what}") or config.entry(f"least_{what}")
            assert entry is not None  # the defaults are in order
            raise Config.error(entry, f"expected most_{what} above least_{what}, {least:g}")

    def scans(
        self, mail: Sequence[Message], warn: Callable[[str], None]
    ) -> Iterator[tuple[float, list[Measurement]]]:
        """Yield the clouds of each time [s], in order of time; warn of what is no cloud."""
        found: dict[float, list[Measurement]] = {}
        for message in mail:
            if message.name.endswith(TRUTH) and message.name not in self.cloud:
                continue
            if not isinstance(message.value, bytes):
                warn(f"{message.name}: expected a measurement in bytes, not a text")
                continue
            try:
                cloud = unpack(message.value)
                cloud.placed()
                if max(map(abs, cloud.pose[:3])) > FARTHEST:
                    raise InvalidValue(f"pose: expected at most {FARTHEST:g} m from the datum")
                if cloud.time > message.time + STAMPS:
                    raise InvalidValue(f"t: {cloud.time:g} s: expected at most {message.time:g} s")
            except InvalidValue as error:
                warn(f"{message.name}: {error}")
                continue
            found.setdefault(cloud.time, []).append(cloud)
        yield from sorted(found.items())

    def above_water(self, cloud: Measurement) -> tuple[Floats, Floats, Flags]:
        """Return the returns of a cloud between the limits of height.

        Returns: their places (n, 2) north, east [m]; horizontal ranges (n,) [m]; whether these lie
            within the limits of range (n,).
        """
        places = cloud.placed()
        kept = (-places[:, 2] >= self.least_height) & (-places[:, 2] <= self.most_height)
        plane = places[kept, :2]
        ranges = np.hypot(*(plane - np.asarray(cloud.pose[:2])).T)
        return plane, ranges, (ranges >= self.least_range) & (ranges <= self.most_range)
