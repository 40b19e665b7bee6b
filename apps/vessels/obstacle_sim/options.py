"""The parameters of ``uFldObstacleSim``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from steerageway.bus import Config, Entry, Options, declare
from steerageway.moos.lines import decoded, file_bytes
from steerageway.moos.obstacle_file import KEYS, ObstacleFile, parse_obstacle_file
from steerageway.moos.view import color_of


@dataclass(frozen=True)
class Looks(Options):
    """How obstacles and their region are drawn."""

    draw_region: bool = declare.flag(True, "false: the region is not drawn")
    region_edge_color: str = declare.value("gray50", color_of, "colour of its edges")
    region_vert_color: str = declare.value("white", color_of, "colour of its corners")
    poly_fill_color: str = declare.value("white", color_of, "colour of obstacles")
    poly_edge_color: str = declare.value("gray50", color_of, "colour of their edges")
    poly_vert_color: str = declare.value("gray50", color_of, "colour of their corners")
    poly_label_color: str = declare.value("invisible", color_of, "colour of their labels")
    poly_edge_size: float = declare.number(1, "width of their edges", low=0)
    poly_vert_size: float = declare.number(1, "size of their corners", low=0)
    poly_transparency: float = declare.number(
        0.15, "of their inside; 0: invisible, 1: opaque", low=0, high=1
    )


@dataclass(frozen=True)
class ObstacleOptions(Options):
    """What the block says but for looks."""

    obstacle_file: Entry | None = declare.line("file of the region, the obstacles and their sizes")
    post_points: bool = declare.flag(
        False, "true: vessels sense points of obstacles; false: are told"
    )
    rate_points: int = declare.whole(5, "points of each obstacle in range at each tick", low=0)
    sensor_range: float = declare.number(50, "how far points are sensed", unit="m", low=0)
    point_size: float = declare.number(2, "size of these in a viewer", low=0)
    min_duration: float = declare.number(-1, "least time a told obstacle lasts", unit="s")
    max_duration: float | None = declare.number(
        None,
        "greatest time a told obstacle lasts; 0, -1: for good; without a line: as min_duration",
        unit="s",
    )
    refresh_interval: float = declare.number(
        -1, "they are told again every so many seconds; -1: never"
    )
    reset_interval: float = declare.number(
        -1, "they are thrown anew no sooner than this; -1: never", unit="s"
    )
    reset_range: float = declare.number(
        10, "only while every vessel is so far off the region", unit="m", low=0
    )
    reuse_ids: bool = declare.flag(True, "false: obstacles thrown anew have new labels")
    post_visuals: bool = declare.flag(True, "false: nothing is drawn")

    @property
    def crossed(self) -> bool:
        """Whether the greatest duration is less than the least, which counts then."""
        return self.max_duration is not None and self.max_duration < self.min_duration

    @property
    def durations(self) -> tuple[float, float] | None:
        """Least and greatest time an obstacle lasts [s]; None: for good."""
        least = self.min_duration
        most = least if self.max_duration is None else max(least, self.max_duration)
        return (max(0.0, least), most) if most > 0 else None


def read_file(entry: Entry | None, folder: Path) -> tuple[ObstacleFile, str]:
    """Read the file; if there is none, say so: it may be one that a script would have made.

    Args:
        folder: from which the file's name starts.
    Raises:
        ConfigError: it cannot be read.
        FormatError: a line of the file is wrong.
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
    """Say what is doubtful of a file."""
    keys = ", ".join(KEYS)
    found = [f"{line.where}: {line.key}: expected one of {keys}" for line in file.unknown]
    if file.missing:
        missing = ", ".join(file.missing)
        found.append(f"the obstacle file lacks {missing}: obstacles are never thrown anew")
    return found
