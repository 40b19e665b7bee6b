"""Wormholes in mission files, and the posts about a vessel's passages.

    wormhole = tag=one, madrid_poly={format=ellipse,x=80,y=-180,degs=0,major=160,minor=20,pts=20}
    wormhole = tag=one, weber_poly={60,-20:60,20:100,20:100,-20}
    wormhole = tag=one, connection=from_madrid, delay=3, fade=2, id_change=true

Lines of one tag are combined; of a repeated field the last one is used. The simulator and
uDriftWormhole share this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from steerageway.bus import Config, Entry, Options, declare, variables
from steerageway.declarations import truth
from steerageway.diagnostics.nearest import hint
from steerageway.geometry.geodesy import check_local
from steerageway.moos.polygon import Polygon, parse_polygon
from steerageway.moos.values import by_key, number_of, trimmed
from steerageway.moos.view import points_text
from steerageway.vessel.wormhole import Passage, Side, Traveller, Wormhole

REPORTER_PAUSE, NAME_UPDATE, PASSAGE = "PNR_PAUSE", "NODE_NAME_UPDATE", "WORMHOLE_PASSAGE"
POSTS = (REPORTER_PAUSE, NAME_UPDATE, PASSAGE, "VIEW_POLYGON")
DRAW_EVERY = 10  # iterations

_CONNECTIONS = {
    "from_madrid": (Side.MADRID,),
    "from_weber": (Side.WEBER,),
    "both": (Side.MADRID, Side.WEBER),
}
_POLYGONS = ("madrid_poly", "weber_poly")
_KEYS = ("tag", *_POLYGONS, "connection", "delay", "fade", "id_change")
Lines = dict[str, tuple[str, Entry]]
"""Fields of a wormhole: field -> its last value, and its line."""

PUBLICATIONS = variables.published(f"""
    {REPORTER_PAUSE} | text | | `true`, `false` | each passage with a delay | pause of the node
        reports
    {NAME_UPDATE} | text | | | each passage with `id_change` | `abe_1`: the vessel's new name
    {PASSAGE} | text | m, s | | each passage |
        `tag=one,from=madrid,since=5,x=12,y=90,exit_x=12,exit_y=-10,count=1`, with `id_change` also
        `name=`
""")


def read_wormholes(config: Config, names: Sequence[str] = ("wormhole",)) -> tuple[Wormhole, ...]:
    """Read the ``wormhole`` lines of a block.

    Args:
        names: of the parameter.
    Raises:
        ConfigError: a line is invalid, or a wormhole lacks a mouth.
    """
    tags: dict[str, Lines] = {}
    for entry in config.all(*names):
        fields = _fields(entry)
        lines = tags.setdefault(fields["tag"], {})
        lines |= {key: (value, entry) for key, value in fields.items()}
    return tuple(_wormhole(lines) for lines in tags.values())


@dataclass(frozen=True)
class WormholeOptions(Options):
    """Parameters of wormholes."""

    wormhole: tuple[Wormhole, ...] = declare.custom(
        read_wormholes,
        "tag=T,madrid_poly={..},weber_poly={..}: see steerageway help drift_and_wormholes",
    )


def _fields(entry: Entry) -> dict[str, str]:
    fields = by_key(entry.value)
    for key in fields:
        if key not in _KEYS:
            expected = f"expected {', '.join(_KEYS)}, not {key}{hint(key, _KEYS)}"
            raise Config.error(entry, expected)
    fields["tag"] = fields.get("tag", "").lower()
    if not fields["tag"]:
        raise Config.error(entry, "expected tag=NAME, the wormhole that the line is about")
    return fields


def _wormhole(lines: Lines) -> Wormhole:
    tag, last = lines["tag"]
    polygons = {key: _polygon(key, *lines[key]) for key in _POLYGONS if key in lines}
    for key in _POLYGONS:
        if key not in polygons:
            raise Config.error(last, f"expected a {key}, the other mouth of {tag}")
    return Wormhole(
        tag=tag,
        madrid=polygons["madrid_poly"],
        weber=polygons["weber_poly"],
        entries=_connection(*lines.get("connection", ("from_madrid", last))),
        delay=_seconds("delay", *lines.get("delay", ("0", last))),
        fade=_seconds("fade", *lines.get("fade", ("0", last))),
        id_change=_flag(*lines.get("id_change", ("false", last))),
    )


def _polygon(key: str, text: str, entry: Entry) -> Polygon:
    spec = text[1:-1] if text.startswith("{") and text.endswith("}") else text
    try:
        polygon = parse_polygon(spec)
        for corner in polygon.points:
            check_local(*corner)
        return polygon
    except ValueError as error:
        raise Config.error(entry, f"{key}: {error}") from None


def _connection(text: str, entry: Entry) -> tuple[Side, ...]:
    if text.lower() not in _CONNECTIONS:
        raise Config.error(entry, f"connection: expected one of {', '.join(_CONNECTIONS)}")
    return _CONNECTIONS[text.lower()]


def _seconds(key: str, text: str, entry: Entry) -> float:
    found = number_of(text)
    if found is None or found < 0:
        raise Config.error(entry, f"{key}: expected seconds, 0 or more")
    return found


def _flag(text: str, entry: Entry) -> bool:
    flag = truth(text)
    if flag is None:
        raise Config.error(entry, "id_change: expected true or false")
    return flag


def drawings(wormholes: Iterable[Wormhole]) -> Iterator[str]:
    """Yield a ``VIEW_POLYGON`` for each mouth."""
    for wormhole in wormholes:
        for mouth in reversed(wormhole.mouths):
            yield (
                f"pts={{{points_text(mouth.region.points, 2)}}},label={wormhole.tag}_{mouth.side},"
                "label_color=invisible,edge_color=invisible,vertex_color=invisible,"
                "fill_color=white,fill_transparency=0.10"
            )


class PassageReporter:
    """Posts a vessel's passages through wormholes, and pauses its node reports.

    Attributes: traveller: the vessel.
    """

    def __init__(
        self, wormholes: Iterable[Wormhole], name: str, post: Callable[[str, str], None]
    ) -> None:
        """Begin with a vessel that has not passed through any; ``name`` is its own."""
        self.traveller = Traveller(wormholes)
        self._name, self._post = name, post
        self._paused = False

    def hide(self) -> None:
        """Pause its node reports."""
        if not self._paused:
            self._paused = True
            self._post(REPORTER_PAUSE, "true")

    def emerge(self, now: float) -> Passage:
        """Move it to the exit at a time [s], and resume its reports; return the passage."""
        passage = self.traveller.emerge(now)
        wormhole, side, count = passage.wormhole, passage.mouth.side, self.traveller.count
        name = f"{self._name}_{count}" if wormhole.id_change else ""
        places = zip(("x", "y", "exit_x", "exit_y"), (*passage.entry, *passage.exit), strict=True)
        self._post(
            PASSAGE,
            f"tag={wormhole.tag},from={side},since={trimmed(passage.since, 3)},"
            + ",".join(f"{key}={trimmed(value, 3)}" for key, value in places)
            + f",count={count}{',name=' if name else ''}{name}",
        )
        if name:
            self._post(NAME_UPDATE, name)
        self._show()
        return passage

    def call_off(self) -> None:
        """End a passage, as the vessel was moved elsewhere."""
        self.traveller.passage = None
        self._show()

    def draw(self, iteration: int) -> None:
        """Draw the mouths, every few iterations."""
        if iteration % DRAW_EVERY == 0:
            for text in drawings(self.traveller.wormholes):
                self._post("VIEW_POLYGON", text)

    def report(self) -> Iterator[str]:
        tags = ", ".join(wormhole.tag for wormhole in self.traveller.wormholes)
        yield f"Wormholes: {tags}  Passages: {self.traveller.count}"
        passage = self.traveller.passage
        if passage is not None:
            yield f"In {passage.wormhole.tag} from {passage.mouth.side} since {passage.since:.2f} s"

    def _show(self) -> None:
        if self._paused:
            self._paused = False
            self._post(REPORTER_PAUSE, "false")
