"""Plots of tracks and of variables over time. Requires matplotlib, imported at the first plot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from steerageway.apps.logs.alog.curves import Curve
from steerageway.apps.logs.alog.errors import ToolError
from steerageway.apps.logs.alog.tracks import Track
from steerageway.world import pictures
from steerageway.world.errors import WorldError

# The colours of Okabe and Ito, distinguishable with colour blindness, and three of Tol's.
COLORS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"),
    *("#882255", "#999933", "#332288"),
)
DASHES = ("-", (0, (6, 2)), (0, (2, 2)))  # of the first ten lines, the next ten, and so on
GREY = "#8a8f98"
PALE = "#8a8f9818"  # mostly transparent
TICK_STEPS = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 43200, 86400)
MAX_TICKS = 10
SHORT = 40  # maximum length of names for two legend columns


def draw(tracks: Sequence[Track], output: Path) -> None:
    """Draw tracks over one another and write the picture.

    Args:
        tracks: at least one.
        output: the file; its suffix selects the format (.png, .svg, .pdf).
    Raises:
        ToolError: matplotlib is not installed, or the file cannot be written.
    """
    with _picture(output, 1, 8.0) as (figure, (axes,)):
        _draw_tracks(figure, axes, tracks)


def tracks_picture(tracks: Sequence[Track]) -> pictures.Picture:
    """Return a picture of tracks over one another, at least one.

    Raises:
        MatplotlibMissing: it is not installed.
    """
    figure, ((axes,),) = pictures.panels(size=(8.0, 8.0))
    _style(axes)
    _draw_tracks(figure, axes, tracks)
    return pictures.Picture(figure)


def draw_curves(panels: Sequence[Sequence[Curve]], output: Path) -> None:
    """Draw variables over time, in panels above one another, and write the picture.

    Args:
        panels: the curves of each panel, at least one.
        output: the file; its suffix selects the format (.png, .svg, .pdf).
    Raises:
        ToolError: matplotlib is not installed, or the file cannot be written.
    """
    with _picture(output, len(panels), max(4.0, 2.5 * len(panels))) as (_, below):
        for axes, curves in zip(below, panels, strict=True):
            for number, curve in enumerate(curves):
                style = {**look_of(number), "drawstyle": "steps-post"}
                times, values = (*curve.times, curve.until), (*curve.values, curve.values[-1])
                axes.plot(times, values, linewidth=1.4, label=curve.name, **style)
            axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False)
        below[-1].set_xlabel("time [s]")


def look_of(number: int) -> dict[str, Any]:
    """Return colour and dash pattern of a line by its number: ten colours per dash pattern."""
    dashes = DASHES[number // len(COLORS) % len(DASHES)]
    return {"color": COLORS[number % len(COLORS)], "linestyle": dashes}


@contextmanager
def _picture(output: Path, count: int, height: float) -> Iterator[tuple[Any, Sequence[Any]]]:
    """Yield a figure and its axes, one above the other; write the file afterwards."""
    try:
        figure, axes = pictures.panels(count, 1, (8.0, height), sharex=True)
        for one in axes[:, 0]:
            _style(one)
        yield figure, axes[:, 0]
        pictures.write(figure, output, 150)
    except WorldError as error:
        raise ToolError(str(error)) from None


def time_ticks(times: Sequence[float]) -> list[float]:
    """Return the times to mark on a track: at round intervals from its start, at most ten."""
    duration = times[-1] - times[0]
    fitting = (step for step in TICK_STEPS if duration / step <= MAX_TICKS)
    step = next(fitting, TICK_STEPS[-1])
    return [times[0] + step * number for number in range(1, int(duration / step) + 1)]


def _columns(axes: Any) -> int:
    """Return the number of legend columns: two if its names are short."""
    _, labels = axes.get_legend_handles_labels()
    return 2 if max(map(len, labels)) <= SHORT else 1


def _style(axes: Any) -> None:
    axes.grid(color="#dfe3e8", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _draw_tracks(figure: Any, axes: Any, tracks: Sequence[Track]) -> None:
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel("x, east [m]")
    axes.set_ylabel("y, north [m]")
    axes.margins(0.08)
    _draw_targets(axes, tracks)
    for number, track in enumerate(tracks):
        _draw_track(axes, track, look_of(number), ticks=number == 0)
        if len(tracks) > 1:
            _label(axes, track.name, track.points[-1], COLORS[number % len(COLORS)], (9, 7))
    figure.legend(loc="outside upper left", ncols=_columns(axes), frameon=False)


def _draw_targets(axes: Any, tracks: Sequence[Track]) -> None:
    """Draw waypoints and areas, each once, in grey under the tracks."""
    for area in dict.fromkeys(area for track in tracks for area in track.areas.values()):
        axes.fill(*zip(*area, strict=True), facecolor=PALE, edgecolor=GREY, linewidth=1, zorder=1)
    routes = dict.fromkeys(route for track in tracks for route in track.routes.values())
    style = {"color": GREY, "linewidth": 1, "marker": "D", "markersize": 5, "zorder": 1}
    for number, route in enumerate(routes):
        x, y = zip(*route, strict=True)
        axes.plot(x, y, "--", label="" if number else "waypoints", **style)
        for count, point in enumerate(route if len(route) > 1 else (), 1):
            _label(axes, str(count), point, GREY, (6, 6))
    on_routes = {point for route in routes for point in route}
    for point in dict.fromkeys(point for track in tracks for point in track.waypoints):
        if point not in on_routes:
            axes.plot(*point, "D", markersize=6, markerfacecolor="none", color=GREY, zorder=1)


def _draw_track(axes: Any, track: Track, line: dict[str, Any], *, ticks: bool) -> None:
    """Draw one track with its start, its end, and time marks."""
    x, y = zip(*track.points, strict=True)
    label = f"{track.name}: {track.duration:.0f} s, {track.length:.0f} m"
    color = line["color"]
    axes.plot(x, y, linewidth=1.8, label=label, zorder=3, **line)
    ends = {"color": color, "markeredgewidth": 1.8, "zorder": 4}
    axes.plot(x[0], y[0], "o", markersize=9, markerfacecolor="white", **ends)
    shape = "s" if track.heading is None else (3, 0, -track.heading)
    axes.plot(x[-1], y[-1], marker=shape, markersize=11, **ends)
    if ticks:
        _draw_ticks(axes, track, color)


def _draw_ticks(axes: Any, track: Track, color: str) -> None:
    remaining = iter(zip(track.times, track.points, strict=True))
    for tick in time_ticks(track.times):
        point = next((point for time, point in remaining if time >= tick), track.points[-1])
        axes.plot(*point, "o", color=color, markersize=4, zorder=4)
        _label(axes, f"{tick - track.times[0]:.0f} s", point, color, (6, -11))


def _label(axes: Any, text: str, point: tuple[float, float], color: str, shift: Any) -> None:
    """Write a label next to a point, with a white outline for legibility over lines."""
    from matplotlib.patheffects import withStroke

    axes.annotate(
        text,
        point,
        xytext=shift,
        textcoords="offset points",
        fontsize=8,
        color=color,
        zorder=5,
        path_effects=[withStroke(linewidth=2.5, foreground="white")],
    )
