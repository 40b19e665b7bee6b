"""The parameters of ``uFldObstacleSim``, and the reader of its obstacle file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from steerageway.bus import Config, Entry, Options, declare
from steerageway.moos.lines import decoded, file_bytes
from steerageway.moos.obstacle_file import KEYS, ObstacleFile, parse_obstacle_file
from steerageway.moos.view import color_of


@dataclass(frozen=True)
class Looks(Options):
    """Appearance of obstacles and their region."""

    draw_region: bool = declare.flag(True, "draw the region")
    region_edge_color: str = declare.value("gray50", color_of, "colour of the region's edges")
    region_vert_color: str = declare.value("white", color_of, "colour of the region's corners")
    poly_fill_color: str = declare.value("white", color_of, "colour of obstacles")
    poly_edge_color: str = declare.value("gray50", color_of, "colour of obstacles' edges")
    poly_vert_color: str = declare.value("gray50", color_of, "colour of obstacles' corners")
    poly_label_color: str = declare.value("invisible", color_of, "colour of obstacles' labels")
    poly_edge_size: float = declare.number(1, "width of obstacles' edges", low=0)
    poly_vert_size: float = declare.number(1, "size of obstacles' corners", low=0)
    poly_transparency: float = declare.number(
        0.15, "opacity of obstacles; 0: invisible, 1: opaque", low=0, high=1
    )


@dataclass(frozen=True)
class ObstacleOptions(Options):
    """Parameters of the configuration block, apart from appearance."""

    obstacle_file: Entry | None = declare.line(
        "file with the region, the obstacles and their sizes"
    )
    post_points: bool = declare.flag(
        False, "true: vessels sense points of obstacles; false: obstacles are reported to them"
    )
    rate_points: int = declare.whole(5, "points sensed per obstacle in range and tick", low=0)
    sensor_range: float = declare.number(50, "range of the sensor", unit="m", low=0)
    point_size: float = declare.number(2, "size of sensed points in viewers", low=0)
    min_duration: float = declare.number(-1, "minimum duration of a reported obstacle", unit="s")
    max_duration: float | None = declare.number(
        None,
        "maximum duration of a reported obstacle; 0, -1: unlimited; default: min_duration",
        unit="s",
    )
    refresh_interval: float = declare.number(
        -1, "interval at which obstacles are posted again [s]; -1: never"
    )
    reset_interval: float = declare.number(
        -1, "minimum time between regenerations of the field; -1: never", unit="s"
    )
    reset_range: float = declare.number(
        10,
        "distance from the region that all vessels must have for a regeneration",
        unit="m",
        low=0,
        minus=True,
    )
    reuse_ids: bool = declare.flag(True, "false: regenerated obstacles have new labels")
    post_visuals: bool = declare.flag(True, "draw region, obstacles and sensed points")

    @property
    def crossed(self) -> bool:
        """Whether max_duration is less than min_duration, which is then used."""
        return self.max_duration is not None and self.max_duration < self.min_duration

    @property
    def durations(self) -> tuple[float, float] | None:
        """Minimum and maximum duration of an obstacle [s]; None: unlimited."""
        least = self.min_duration
        most = least if self.max_duration is None else max(least, self.max_duration)
        return (max(0.0, least), most) if most > 0 else None


def read_file(entry: Entry | None, folder: Path) -> tuple[ObstacleFile, str]:
    """Read the obstacle file; without a file, return a warning: a script may have to make it.

    Args:
        folder: to which the file's name is relative.
    Raises:
        ConfigError: it cannot be read.
        FormatError: a line of the file is invalid.
    """
    if entry is None:
        return ObstacleFile(), "obstacle_file is not set: there are no obstacles"
    path = folder / entry.value.strip()
    try:
        text = decoded(file_bytes(path))
    except FileNotFoundError:
        problem = f"{entry.where}: obstacle_file = {entry.value}: there is no such file"
        return ObstacleFile(), f"{problem}, so there are no obstacles"
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Config.error(entry, f"expected a file of obstacles: {reason}") from error
    return parse_obstacle_file(text, str(path)), ""


def warnings_of(file: ObstacleFile) -> list[str]:
    """Return warnings about suspicious contents of the file."""
    keys = ", ".join(KEYS)
    found = [f"{line.where}: {line.key}: expected one of {keys}" for line in file.unknown]
    found += file.far
    if file.missing:
        missing = ", ".join(file.missing)
        found.append(f"the obstacle file lacks {missing}: obstacles are never thrown anew")
    return found
