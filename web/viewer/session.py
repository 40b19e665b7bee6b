"""WebSocket session of one page: sends frames at fixed rates, and executes its requests.

Nothing is queued for a page, as each frame is made from the picture when it is sent: a slow page
skips frames and gets the latest, and other pages are not affected.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import suppress
from math import isnan
from typing import Any, Protocol

from steerageway.bus import BusError, wall
from steerageway.declarations import json_of
from steerageway.web.viewer import frames
from steerageway.web.viewer.marks import Marks
from steerageway.web.viewer.picture import MOST_DRAWINGS, Vessel, shapes_in_order
from steerageway.web.viewer.requests import RequestError, Requests
from steerageway.web.viewer.sources import Source
from steerageway.web.viewer.views import LiveView, View, plain

VERSION = 1
MANY = 20  # number of vessels above which scenes are sent at the lower rate
SCENE, SCENE_OF_MANY = 0.05, 0.1  # intervals of scenes [wall s]
STATUS, HELM, VALUES, SAMPLES, TRAILS = 0.5, 0.5, 0.5, 0.2, 0.5  # of other frames [wall s]
PROGRESS = 0.2  # interval of progress frames [wall s]
MOST_SHAPES = 4000  # limit of changed shapes in a frame; beyond, the whole picture is sent
MOST_MARKS = 2000  # marks in a frame
MOST_TROUBLES = 50  # different texts about drawings in a frame
MOST_POINTS = 50_000  # limit of trails' points in a frame, so that scenes are not delayed


LONGEST_ERROR = 1000  # characters
# A number of JSON may be too large for a float, a text too deeply nested.
REQUEST_ERRORS = (BusError, ValueError, LookupError, OSError, OverflowError, RecursionError)


class Socket(Protocol):
    """The connection to a page."""

    async def send_text(self, data: str) -> None:
        """Send a JSON frame; waits if the page does not read."""

    async def send_bytes(self, data: bytes) -> None:
        """Send a binary frame; waits if the page does not read."""

    async def receive_text(self) -> str:
        """Wait for a request of the page."""


class Session:
    """A page's session.

    Args:
        socket: connection to the page.
        view: the page's view of the source.
        requests: executes its requests.
    """

    def __init__(self, socket: Socket, view: View, requests: Requests) -> None:
        self._socket, self._view, self._requests = socket, view, requests
        self._sending = asyncio.Lock()
        self._generation = self._roster = self._revision = self._decisions = self._noted = -1
        self._vessels: list[Vessel] = []
        self._scene = b""
        self._trails: dict[str, tuple[int, int]] = {}  # vessel -> id of trail, points sent
        self._known: dict[tuple[str, str], tuple[object, float]] = {}
        self._plotted: dict[str, float] = {}
        self._marks: tuple[Marks | None, int] = (None, 0)
        self._noted_in = -1
        self._status: dict[str, Any] = {}
        self._due = dict.fromkeys(("status", "helm", "values", "samples", "trails"), 0.0)

    async def run(self) -> None:
        """Serve the page until it disconnects."""
        await self._send(self._hello())
        reader = asyncio.create_task(self._read())
        try:
            last = wall()
            while not reader.done():
                now = wall()
                if self._view.speed:
                    await asyncio.to_thread(self._view.advance, now - last)
                last = now
                await self._show(now)
                await asyncio.sleep(SCENE if len(self._vessels) <= MANY else SCENE_OF_MANY)
            reader.result()
        finally:
            reader.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await reader
            await self._view.close()

    async def _read(self) -> None:
        """Execute the page's requests one after the other, until it disconnects."""
        while True:
            try:
                text = await self._socket.receive_text()
            except KeyError:  # of a frame of bytes
                return
            number, reply = await self._execute(text)
            if reply.get("ok") and self._requests.moved:
                self._requests.moved = False
                self._generation = -1
            await self._send({"k": "reply", "id": number, **reply})

    async def _execute(self, text: str) -> tuple[object, dict[str, Any]]:
        request: Any = None
        try:
            request = json_of(text)
            if not isinstance(request, dict):
                raise RequestError("expected a JSON object")
            if not isinstance(request.get("id"), int | None):
                request["id"] = None
                raise RequestError("expected id to be a whole number")
            result = await self._requests.execute(request)
        except REQUEST_ERRORS as error:
            number = request.get("id") if isinstance(request, dict) else None
            text = str(error) or type(error).__name__
            return number, {"ok": False, "error": text[:LONGEST_ERROR]}
        return request.get("id"), {"ok": True, "result": result}

    async def _show(self, now: float) -> None:
        """Send the frames that are due and have changed."""
        view = self._view
        out: list[dict[str, Any] | bytes] = []
        with view.reading():
            if view.generation != self._generation:
                out += self._whole()
            else:
                out += self._differences()
            self._send_scene(out)
            self._send_troubles(out)
            if now >= self._due["trails"]:
                self._due["trails"] = now + TRAILS
                self._send_trails(out)
            if now >= self._due["helm"]:
                self._due["helm"] = now + HELM
                self._send_helms(out)
                self._send_marks(out)
        if now >= self._due["status"] or self._requests.stirred:
            self._due["status"], self._requests.stirred = now + STATUS, False
            self._send_status(out)
        if now >= self._due["values"] and (self._requests.watched or self._requests.values_due):
            self._due["values"] = now + VALUES
            self._send_values(out)
        if now >= self._due["samples"] and self._requests.plotted:
            self._due["samples"] = now + SAMPLES
            self._send_samples(out)
        for frame in out:
            await self._send(frame)

    def _hello(self) -> dict[str, Any]:
        view, source = self._view, self._view.source
        live = view.live if isinstance(view, LiveView) else None
        status = view.status()
        return {
            "k": "hello",
            "version": VERSION,
            "source": {
                "id": source.id,
                "kind": source.kind,
                "title": source.title,
                "folder": None if live is None else live.about.get("folder") or None,
            },
            "communities": list(view.picture.vessels) if live is None else live.run.communities,
            "datum": _datum(source),
            "epoch": float(live.about["epoch"]) if live else getattr(source.logs, "epoch", 0.0),
            "span": status["span"],
            "read_only": self._requests.read_only,
            "can": view.verbs(),
            "viewer": [block.shown() for block in source.facts.blocks],
            "orders": _orders(source),
            "movable": [one.row() for helm in source.facts.helms.values() for one in helm.movable],
            "backgrounds": _backgrounds(source),
            "apps": dict(live.about.get("apps", {})) if live else source.facts.apps,
            "notes": [*source.notes, *(live.notes if live else ())],
        }

    def _whole(self) -> list[dict[str, Any] | bytes]:
        """Return the frame of the whole picture, and reset what has been sent."""
        view = self._view
        picture = view.picture
        self._generation, self._roster = view.generation, picture.roster
        self._revision, self._decisions = picture.revision, picture.decisions
        self._vessels = picture.placed()
        self._scene, self._trails, self._noted = b"", {}, -1
        self._known.clear()
        self._due = dict.fromkeys(self._due, 0.0)
        return [
            {
                "k": "picture",
                "t": picture.time,
                "roster": picture.roster,
                "vessels": self._looks(),
                "shapes": list(shapes_in_order(picture)),
                "helm": [helm.row() for helm in picture.helms.values() if helm.state],
                "status": view.status(),
            }
        ]

    def _differences(self) -> list[dict[str, Any] | bytes]:
        """Return the frames of vessels and shapes that have changed since the last call."""
        picture = self._view.picture
        out: list[dict[str, Any] | bytes] = []
        if picture.roster != self._roster:
            self._roster, self._vessels = picture.roster, picture.placed()
            self._trails = {}
            out.append({"k": "vessels", "roster": self._roster, "vessels": self._looks()})
        if picture.revision != self._revision:
            put, drop = picture.changes(self._revision)
            if len(put) + len(drop) > MOST_SHAPES:
                return self._whole()
            self._revision = picture.revision
            if put or drop:
                out.append({"k": "shapes", "t": picture.time, "put": put, "drop": drop})
        return out

    def _send_helms(self, out: list[dict[str, Any] | bytes]) -> None:
        picture = self._view.picture
        helms = picture.decided(self._decisions)
        self._decisions = picture.decisions
        if helms:
            out.append({"k": "helm", "rows": [helm.row() for helm in helms]})

    def _send_marks(self, out: list[dict[str, Any] | bytes]) -> None:
        source = self._view.source
        marks, (known, sent) = source.marks, self._marks
        if marks is not None and (marks is not known or sent != len(marks.all)):
            rows = marks.all[sent if marks is known else 0 :][:MOST_MARKS]
            out.append({"k": "marks", "whole": marks is not known, "rows": rows})
            self._marks = marks, (sent if marks is known else 0) + len(rows)
        if source.notes_revision != self._noted_in and source.notebook is not None:
            self._noted_in = source.notes_revision
            out.append({"k": "notes", "rows": source.notebook.all()})

    def _send_troubles(self, out: list[dict[str, Any] | bytes]) -> None:
        picture = self._view.picture
        if picture.noted == self._noted:
            return
        self._noted = picture.noted
        texts = Counter(picture.troubles.values())
        rows = sorted(texts.items())[:MOST_TROUBLES]
        kept = {"count": len(picture.troubles), "thinned": sorted(picture.thinned)}
        out.append({"k": "troubles", "rows": rows, "most": MOST_DRAWINGS, **kept})

    def _looks(self) -> list[dict[str, Any]]:
        models = self._view.source.facts.vessels
        return [{**one.look(), "model": one.own and one.name in models} for one in self._vessels]

    def _send_scene(self, out: list[dict[str, Any] | bytes]) -> None:
        time = self._view.status()["time"]
        scene = frames.scene(self._vessels, self._roster & 0xFFFFFFFF, time)
        if scene != self._scene:
            self._scene = scene
            out.append(scene)
            if self._requests.in_3d:  # only with a new scene, to which the rows refer
                rows = {vessel.name: row for row, vessel in enumerate(self._vessels)}
                states = self._view.actuators().items()
                if found := [(rows[name], one) for name, one in states if name in rows and one]:
                    out.append(frames.actuators(found, self._roster, time))

    def _send_trails(self, out: list[dict[str, Any] | bytes]) -> None:
        trails = self._view.tracks()
        pieces: list[frames.Piece] = []
        room = MOST_POINTS
        for row, vessel in enumerate(self._vessels):
            track = trails.get(vessel.name)
            if track is None or not room:
                continue
            which, sent = self._trails.get(vessel.name, (0, 0))
            first = sent if which == id(track) else 0
            end = min(len(track), first + room)
            if end > first:
                pieces.append(frames.Piece(row, track, first, end))
                self._trails[vessel.name] = (id(track), end)
                room -= end - first
        if pieces:
            out.append(frames.tracks(pieces, self._roster, self._view.picture.time))
        if not room:
            self._due["trails"] = 0.0  # send the remaining points with the next scene

    def _send_status(self, out: list[dict[str, Any] | bytes]) -> None:
        status = self._view.status()
        if status != self._status:
            self._status = status
            out.append({"k": "status", **status})

    def _send_values(self, out: list[dict[str, Any] | bytes]) -> None:
        whole = self._requests.values_due or not self._known
        if whole:
            self._known.clear()
        rows = []
        for value in self._view.values(self._requests.watched):
            key, now = (value.community, value.name), (value.value, value.time)
            if self._known.get(key) != now:
                self._known[key] = now
                rows.append([*key, plain(value.value), *value[3:]])
        if rows or self._requests.values_due:
            self._requests.values_due = False
            out.append({"k": "values", "whole": whole, "rows": rows})

    def _send_samples(self, out: list[dict[str, Any] | bytes]) -> None:
        names = self._requests.plotted
        self._plotted = {name: self._plotted.get(name, -1.0) for name in names}
        series = self._view.sampled(names, self._plotted)
        for one in series:
            self._plotted[one["var"]] = one["t"][-1]
        if series:
            out.append({"k": "samples", "series": series})

    async def _send(self, frame: dict[str, Any] | bytes) -> None:
        async with self._sending:
            if isinstance(frame, bytes):
                await self._socket.send_bytes(frame)
            else:
                await self._socket.send_text(json.dumps(frame, separators=(",", ":")))


async def wait_until_ready(socket: Socket, source: Source) -> None:
    """Send the progress of indexing to a page until its source can be shown."""
    while not source.ready.is_set():
        frame = {"k": "progress", "share": round(source.share, 3), "text": source.doing}
        await socket.send_text(json.dumps(frame))
        with suppress(TimeoutError):
            await asyncio.wait_for(source.ready.wait(), PROGRESS)


def _orders(source: Source) -> dict[str, dict[str, list[str]]]:
    """Return community -> order -> its posts as texts."""
    return {
        community: {order: one.shown(0)["posts"] for order, one in helm.orders.items()}
        for community, helm in source.facts.helms.items()
        if helm.orders
    }


def _datum(source: Source) -> dict[str, float] | None:
    found = source.facts.datum
    return None if found is None else {"lat": found[0], "lon": found[1]}


def _backgrounds(source: Source) -> list[dict[str, Any]]:
    """Return the backgrounds in the protocol's form, with the corners of pictures in metres."""
    projection = source.facts.projection
    found = []
    for number, one in enumerate(source.backgrounds):
        if one.corners and projection is None:
            continue
        corners = [projection.to_local(*corner) for corner in one.corners] if projection else []
        if not any(isnan(x) for corner in corners for x in corner):
            found.append({"n": number, "kind": one.kind, "corners": corners})
    return found
