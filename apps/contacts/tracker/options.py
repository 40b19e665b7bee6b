"""The parameters of ``uTracker``."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.framework.block_readers import variable_in
from steerageway.bus import Config, ConfigError, Parameter
from steerageway.vessel.perception.tracking import TrackerSettings

PARAMETERS = (
    Parameter("cloud", "LIDAR_*", "variable of clouds, or a pattern; repeatable"),
    Parameter("least_height", "0.4", "returns nearer to the water's level are the water's [m]"),
    Parameter("most_height", "15", "higher ones are of what one passes under [m]"),
    Parameter("least_range", "2", "nearer ones are of the vessel itself [m], >= 0"),
    Parameter("most_range", "100", "further ones do not count [m], > 0"),
    Parameter("reach", "0.8", "returns as near to each other are of one thing [m], > 0"),
    Parameter("reach_growth", "0.03", "what is added to that for each metre of range, >= 0"),
    Parameter("least_points", "2", "returns of a thing, >= 1"),
    Parameter("largest", "25", "longer things do not move: they are structures [m], > 0"),
    Parameter("cell", "6", "structures are cut into obstacles of this size [m], > 0"),
    Parameter("memory", "60", "how long an obstacle stays that is not seen [s], > 0"),
    Parameter("noise", "0.2", "standard deviation of a thing's place on each axis [m], > 0"),
    Parameter("size_noise", "0.1", "what is added to that for each metre of its length, >= 0"),
    Parameter("acceleration", "0.05", "density of its accelerations' spectrum [m²/s³], > 0"),
    Parameter("confirm", "4", "scans that see a thing before it counts, >= 1"),
    Parameter("lost", "5", "a thing that is not seen for so long is lost [s], > 0"),
    Parameter("moving", "0.4", "slower things are obstacles, faster ones contacts [m/s], > 0"),
    Parameter("smallest", "1", "shorter things are obstacles, whatever they do [m], >= 0"),
    Parameter("prefix", "seen_", "names of contacts and obstacles begin so"),
    Parameter("contacts", "true", "whether NODE_REPORT tells of what moves"),
    Parameter("obstacles", "true", "whether GIVEN_OBSTACLE tells of what does not"),
)


@dataclass(frozen=True, slots=True)
class Options:
    """What the block says; see ``PARAMETERS``."""

    clouds: tuple[str, ...]
    heights: tuple[float, float]
    ranges: tuple[float, float]
    reach: float
    reach_growth: float
    least_points: int
    largest: float
    cell: float
    memory: float
    tracker: TrackerSettings
    prefix: str
    contacts: bool
    obstacles: bool


def read_options(config: Config) -> Options:
    """Read the block.

    Raises:
        ConfigError: a line is wrong.
    """
    number = config.number
    return Options(
        clouds=tuple(variable_in(entry) for entry in config.all("cloud")) or ("LIDAR_*",),
        heights=_in_order(config, "least_height", 0.4, "most_height", 15.0),
        ranges=_in_order(config, "least_range", 2.0, "most_range", 100.0),
        reach=number("reach", default=0.8, above=0.0),
        reach_growth=number("reach_growth", default=0.03, low=0.0),
        least_points=config.whole("least_points", default=2, low=1),
        largest=number("largest", default=25.0, above=0.0),
        cell=number("cell", default=6.0, above=0.0),
        memory=number("memory", default=60.0, above=0.0),
        tracker=TrackerSettings(
            acceleration=number("acceleration", default=0.05, above=0.0),
            noise=number("noise", default=0.2, above=0.0),
            size_noise=number("size_noise", default=0.1, low=0.0),
            confirm=config.whole("confirm", default=4, low=1),
            lost=number("lost", default=5.0, above=0.0),
            moving=number("moving", default=0.4, above=0.0),
            smallest=number("smallest", default=1.0, low=0.0),
        ),
        prefix=config.text("prefix", default="seen_").strip(),
        contacts=config.flag("contacts", default=True),
        obstacles=config.flag("obstacles", default=True),
    )


def _in_order(
    config: Config, low: str, low_default: float, high: str, high_default: float
) -> tuple[float, float]:
    """Read two numbers of which the second is the greater one."""
    least = config.number(low, default=low_default)
    most = config.number(high, default=high_default)
    if most > least:
        return least, most
    entry = config.entry(high) or config.entry(low)
    if entry is None:
        raise ConfigError(low, "", f"{least:g}", f"expected less than {high}, {most:g}")
    raise Config.error(entry, f"expected {high} above {low}, {least:g}")
