"""Self-contained HTML reports: headings, commands, tables, and tracks as inline SVG.

A report is one file without scripts and without files from the network, in the reader's light or
dark theme. An ``Html`` is a part of a page; every other text is escaped.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from math import floor, hypot, isfinite, log10
from typing import NamedTuple

WIDTH, HEIGHT, MARGIN = 360, 270, 16  # of a drawing of tracks [px]
NEAR = 0.5  # distance from the last drawn point within which a point is not drawn [px]
COLORS = ("#2a78c2", "#d9602b", "#2f9a62", "#b24bb0", "#a8871d", "#5a6bd8", "#c23a55", "#4c8f98")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_NUMBER = '<td class="number">'
STYLE = """
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 76rem; margin: 0 auto; padding: 1rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: max-content }
.wide { overflow-x: auto; margin-bottom: 1rem }
th, td { padding: .2rem .7rem; text-align: left; vertical-align: top; max-width: 40rem }
th { border-bottom: 1px solid GrayText }
td { border-bottom: 1px solid #8884 }
.number { text-align: right }
pre { padding: .5rem .7rem; background: #8882; white-space: pre-wrap; overflow-wrap: anywhere }
figure { display: inline-block; margin: 0 1rem 1rem 0; max-width: 100%; vertical-align: top }
svg, img { max-width: 100%; height: auto; background: #8881 }
svg text { font: 12px sans-serif; fill: currentColor }
"""


class Html(str):
    """A part of a page."""

    __slots__ = ()


class Track(NamedTuple):
    """The track of a vessel: its name, and east and north of each instant [m]."""

    name: str
    points: Sequence[tuple[float, float]]


def page(title: str, parts: Iterable[Html], style: str = STYLE) -> str:
    """Return the text of a report's file; ``style`` is its style sheet."""
    head = (
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>\n<style>{style}</style>",
    )
    body = (element("h1", title), *parts, "</html>\n")
    return "\n".join(("<!doctype html>", '<html lang="en">', *head, *body))


def element(tag: str, *inside: str) -> Html:
    """Return an element with texts and parts: ``element("h2", "Worst cases")``."""
    return Html(f"<{tag}>{''.join(map(_escaped, inside))}</{tag}>")


def link(address: str, text: str) -> Html:
    """Return a link, to a file beside the report."""
    return Html(f'<a href="{escape(address)}">{_escaped(text)}</a>')


def picture(png: bytes, about: str) -> Html:
    """Return a PNG picture as a part of the page, with a text for readers who do not see it."""
    data = b64encode(png).decode()
    return Html(f'<img alt="{escape(about)}" src="data:image/png;base64,{data}">')


def table(columns: Sequence[str], rows: Iterable[Sequence[str | float | None]]) -> Html:
    """Return a table; numbers have five significant digits, a missing value has no text."""
    lines = [[*map(_cell, row)] for row in rows]
    numbers = {at for line in lines for at, cell in enumerate(line) if cell.startswith(_NUMBER)}
    head = [
        f'<th scope="col" class="{"number" * (at in numbers)}">{escape(name)}</th>'
        for at, name in enumerate(columns)
    ]
    text = "\n".join(f"<tr>{''.join(line)}</tr>" for line in (head, *lines))
    return Html(f'<div class="wide"><table>\n{text}\n</table></div>')


def tracks(caption: str, drawn: Sequence[Track]) -> Html:
    """Return a drawing of tracks in one scale, north up, with a scale bar.

    A ring is the start of a track; a dot and its name are the end. Positions that are not finite
    are left out.
    """
    finite = (Track(t.name, [p for p in t.points if all(map(isfinite, p))]) for t in drawn)
    there = [track for track in finite if track.points]
    text = element("figcaption", caption, "" if there else ": no positions")
    if not there:
        return element("figure", text)
    easts, norths = zip(*(point for track in there for point in track.points), strict=True)
    center = ((min(easts) + max(easts)) / 2, (min(norths) + max(norths)) / 2)
    wide, high = max(easts) - min(easts), max(norths) - min(norths)
    across, up = WIDTH - 2 * MARGIN, HEIGHT - 5 * MARGIN
    scale = 1 / max(wide / across, high / up, 1 / up)  # px per metre; no less than 1 m is shown
    lines = (_track(track, COLORS[n % len(COLORS)], center, scale) for n, track in enumerate(there))
    about = escape(f"Tracks of {', '.join(track.name for track in there)}")
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img" aria-label="{about}"'
    svg = "\n".join((f"<svg {box}>", *lines, _scale_bar(scale), "</svg>"))
    return element("figure", Html(svg), text)


def _track(track: Track, color: str, center: tuple[float, float], scale: float) -> str:
    thin: list[tuple[float, float]] = []
    for east, north in track.points:
        point = (
            WIDTH / 2 + (east - center[0]) * scale,
            (HEIGHT - 3 * MARGIN) / 2 - (north - center[1]) * scale,
        )
        if not thin or hypot(point[0] - thin[-1][0], point[1] - thin[-1][1]) > NEAR:
            thin.append(point)
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in thin)
    (left, top), (x, y) = thin[0], thin[-1]
    return (
        f'<g stroke="{color}" stroke-width="1.5" fill="none"><title>{escape(track.name)}</title>'
        f'<polyline points="{places}"/><circle cx="{left:.1f}" cy="{top:.1f}" r="4"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>'
        f'<text x="{x + 5:.1f}" y="{y - 5:.1f}" stroke="none">{escape(track.name)}</text></g>'
    )


def _scale_bar(scale: float) -> str:
    """Return a bar of 1, 2 or 5 times a power of ten metres, a third of the width at most."""
    most = WIDTH / 3 / scale
    power = 10.0 ** floor(log10(most))
    metres = max(step * power for step in (1, 2, 5) if step * power <= most)
    end, y = MARGIN + metres * scale, HEIGHT - MARGIN / 2
    return (
        f'<path d="M{MARGIN} {y}H{end:.1f}" stroke="currentColor" stroke-width="2"/>'
        f'<text x="{MARGIN}" y="{y - 5}">{metres:g} m</text>'
    )


def _cell(value: str | float | None) -> str:
    if value is None or isinstance(value, str):
        return element("td", value or "")
    return f"{_NUMBER}{value:.5g}</td>"


def _escaped(text: str) -> str:
    return text if isinstance(text, Html) else escape(text)
