"""The parameters of ``uFldObstacleSim``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from steerageway.apps.framework.block_readers import read_color
from steerageway.bus import Config, Parameter
from steerageway.moos.lines import decoded, file_bytes
from steerageway.moos.obstacle_file import KEYS, ObstacleFile, parse_obstacle_file

PARAMETERS = (
    Parameter("obstacle_file", "", "file of the region, the obstacles and their sizes"),
    Parameter("post_points", "false", "true: vessels sense points of obstacles; false: are told"),
    Parameter("rate_points", "5", "points of each obstacle in range at each tick, >= 0"),
    Parameter("sensor_range", "50", "how far points are sensed [m], >= 0"),
    Parameter("point_size", "2", "size of these in a viewer, >= 0"),
    Parameter("min_duration", "-1", "least time a told obstacle lasts [s]"),
    Parameter("max_duration", "-1", "greatest time a told obstacle lasts [s]; 0, -1: for good"),
    Parameter("refresh_interval", "-1", "they are told again every so many seconds; -1: never"),
    Parameter("reset_interval", "-1", "they are thrown anew no sooner than this [s]; -1: never"),
    Parameter("reset_range", "10", "only while every vessel is so far off the region [m], >= 0"),
    Parameter("reuse_ids", "true", "false: obstacles thrown anew have new labels"),
    Parameter("post_visuals", "true", "false: nothing is drawn"),
    Parameter("draw_region", "true", "false: the region is not drawn"),
    Parameter("region_edge_color", "gray50", "colour of its edges"),
    Parameter("region_vert_color", "white", "colour of its corners"),
    Parameter("poly_fill_color", "white", "colour of obstacles"),
    Parameter("poly_edge_color", "gray50", "colour of their edges"),
    Parameter("poly_vert_color", "gray50", "colour of their corners"),
    Parameter("poly_label_color", "invisible", "colour of their labels"),
    Parameter("poly_edge_size", "1", "width of their edges, >= 0"),
    Parameter("poly_vert_size", "1", "size of their corners, >= 0"),
    Parameter("poly_transparency", "0.15", "of their inside: 0 invisible, 1 opaque"),
)


@dataclass(frozen=True, slots=True)
class Looks:
    """How obstacles and their region are drawn; see ``PARAMETERS``."""

    region: bool
    region_edge: str
    region_vertex: str
    fill: str
    edge: str
    vertex: str
    label: str
    edge_size: float
    vertex_size: float
    opacity: float


@dataclass(frozen=True, slots=True)
class Options:
    """What the block says; see ``PARAMETERS``.

    Attributes:
        file: what the obstacle file says; file_name: as the block has it; "" for none.
        durations: least and greatest time an obstacle lasts [s]; None: for good.
        looks: None if nothing is drawn.
    """

    file: ObstacleFile
    file_name: str
    posts_points: bool
    point_rate: int
    point_size: float
    sensor_range: float
    durations: tuple[float, float] | None
    refresh_interval: float
    reset_interval: float
    reset_range: float
    reuse_ids: bool
    looks: Looks | None
    warnings: tuple[str, ...]


def read_options(config: Config, folder: Path) -> Options:
    """Read the block and its file.

    Args:
        folder: from which the file's name starts.
    Raises:
        ConfigError: a line is wrong, or the file cannot be read.
        FormatError: a line of the file is wrong.
    """
    file, missing = _read_file(config, folder)
    durations, crossed = _durations(config)
    looks = _read_looks(config)
    return Options(
        file=file,
        file_name="" if missing else config.text("obstacle_file").strip(),
        posts_points=config.flag("post_points", default=False),
        point_rate=config.whole("rate_points", default=5, low=0),
        point_size=config.number("point_size", default=2.0, low=0.0),
        sensor_range=config.number("sensor_range", default=50.0, low=0.0),
        durations=durations,
        refresh_interval=config.number("refresh_interval", default=-1.0),
        reset_interval=config.number("reset_interval", default=-1.0),
        reset_range=config.number("reset_range", default=10.0, low=0.0),
        reuse_ids=config.flag("reuse_ids", default=True),
        looks=looks if config.flag("post_visuals", default=True) else None,
        warnings=(*crossed, *((missing,) if missing else _warnings(file))),
    )


def _read_file(config: Config, folder: Path) -> tuple[ObstacleFile, str]:
    """Read the file; if there is none, say so: it may be one that a script would have made."""
    entry = config.entry("obstacle_file")
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


def _durations(config: Config) -> tuple[tuple[float, float] | None, tuple[str, ...]]:
    """Read least and greatest; with what there is to say of them."""
    least = config.number("min_duration", default=-1.0)
    most = config.number("max_duration", default=least)
    if most < least:
        crossed = f"max_duration is less than min_duration: {least:g} counts"
        return (least, least) if least > 0 else None, (crossed,)
    return (max(0.0, least), most) if most > 0 else None, ()


def _read_looks(config: Config) -> Looks:
    return Looks(
        region=config.flag("draw_region", default=True),
        region_edge=read_color(config, "region_edge_color", default="gray50"),
        region_vertex=read_color(config, "region_vert_color", default="white"),
        fill=read_color(config, "poly_fill_color", default="white"),
        edge=read_color(config, "poly_edge_color", default="gray50"),
        vertex=read_color(config, "poly_vert_color", default="gray50"),
        label=read_color(config, "poly_label_color", default="invisible"),
        edge_size=config.number("poly_edge_size", default=1.0, low=0.0),
        vertex_size=config.number("poly_vert_size", default=1.0, low=0.0),
        opacity=config.number("poly_transparency", default=0.15, low=0.0, high=1.0),
    )


def _warnings(file: ObstacleFile) -> list[str]:
    keys = ", ".join(KEYS)
    found = [f"{line.where}: {line.key}: expected one of {keys}" for line in file.unknown]
    if file.missing:
        missing = ", ".join(file.missing)
        found.append(f"the obstacle file lacks {missing}: obstacles are never thrown anew")
    return found
