"""Execution of a page's requests, as listed in docs/viewer_protocol.md."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from math import hypot, inf
from typing import Any

from steerageway.apps.shared.display import appcast_lines
from steerageway.bus import WARP, is_name
from steerageway.declarations import Number, Whole, member_of
from steerageway.geometry.geodesy import Projection
from steerageway.web.viewer import analysis
from steerageway.web.viewer.block import Choice, ViewerBlock, macros_at
from steerageway.web.viewer.live import LiveRun
from steerageway.web.viewer.log_set import LogSet
from steerageway.web.viewer.recomputed import Working, packets_by_name
from steerageway.web.viewer.sources import Source
from steerageway.web.viewer.views import LiveView, ReplayView, View

Request = Mapping[str, Any]
CHANGING = ("pause", "resume", "stop", "step", "run_until", "warp", "case")
MOST_WATCHED = 200  # patterns or variables of one request
LONGEST_NAME = 300  # characters: a community, a colon, and a variable's name or pattern
LONGEST_SHOWN = 80  # characters of a value in an error
LONGEST_REPLY = 1000  # characters about a post
LONGEST_VALUE = 1 << 20  # characters of a posted value
HISTORY = 4000  # default number of points of a curve
NO_OTHER = "expected another source whose logs have been read"


class RequestError(ValueError):
    """A request of a page cannot be executed; the text says why."""


class NoLog(RequestError):
    """A request needs logs, and there are none."""


class Requests:
    """Executes the requests of one page, and keeps what it subscribed to.

    Args:
        view: the page's view of the source.
        read_only: whether requests that change the run are rejected.
        others: id -> source to compare with.

    Attributes:
        watched: patterns of variables whose values are sent.
        plotted: variables of which every message is sent.
        in_3d: whether the states of actuators are sent.
        moved: whether the whole picture has to be sent again.
        stirred: whether the status has to be sent at once.
        values_due: whether values are sent even if none has changed.
    """

    def __init__(self, view: View, read_only: bool, others: Mapping[str, Source]) -> None:
        self._view, self.read_only, self._others = view, read_only, others
        self.watched: list[str] = []
        self.plotted: list[str] = []
        self.in_3d = self.moved = self.stirred = self.values_due = False
        self._verbs: dict[str, Callable[[Request], Awaitable[Any]]] = {
            **dict.fromkeys(CHANGING, self._control),
            "post": self._post,
            "press": self._press,
            "click": self._click,
            "order": self._order,
            "drive": self._drive,
            "release": self._release,
            "seek": self._seek,
            "play": self._play,
            "watch": self._watch,
            "names": self._names,
            "plot": self._plot,
            "history": self._history,
            "helm_history": self._helm_history,
            "appcast": self._appcast,
            "ipf": self._ipf,
            "compare": self._compare,
            "beside": self._beside,
            "watch3d": self._watch_3d,
            "latlon": self._latlon,
            "note": self._note,
            "unnote": self._note,
        }

    async def execute(self, request: Request) -> Any:
        """Execute a request; return the result.

        Raises:
            RequestError, BusError: it failed; the text says why.
        """
        verb = request.get("do")
        if not isinstance(verb, str) or verb not in self._verbs:
            raise RequestError(f"{shown(verb)}: no such request")
        if verb not in self._view.verbs():
            why = "this viewer is read-only" if self.read_only else "not here"
            raise RequestError(f"{verb}: {why}")
        return await self._verbs[verb](request)

    @property
    def _live(self) -> LiveRun:
        if not isinstance(self._view, LiveView):
            raise RequestError("expected a live run")
        if self._view.live.ended:
            raise RequestError(f"the run has ended: {self._view.live.ended}")
        return self._view.live

    @property
    def _replay(self) -> ReplayView:
        if not isinstance(self._view, ReplayView):
            raise RequestError("expected logs, not a live run")
        return self._view

    async def _logs(self) -> LogSet:
        return await past_of(self._view.source)

    async def _control(self, request: Request) -> Any:
        verb, self.stirred = request["do"], True
        if verb == "step" and isinstance(self._view, ReplayView):
            unit = _text(request, "unit", "second")
            count = int(_number(request, "count", 1.0, Whole()))
            return await asyncio.to_thread(self._view.step, unit, count)
        args: list[Any] = []
        if verb == "step":
            args = [_number(request, "count", 1.0, Whole(low=1))]
        elif verb == "run_until":
            args = [_number(request, "time")]
        elif verb == "warp":
            factor = request.get("factor")
            args = ["max" if factor == "max" else _number(request, "factor", kind=WARP)]
        elif verb == "case" and request.get("seed") is not None:
            args = [int(_number(request, "seed", kind=Whole()))]
        name = "reset" if verb == "case" else str(verb)
        live = self._live
        return await _on_bus(live, lambda: live.board.control(name, *args))

    async def _post(self, request: Request) -> Any:
        live = self._live
        community, name = (_text(request, key) for key in ("community", "name"))
        value = _text(request, "value", longest=LONGEST_VALUE)
        done = await _on_bus(live, lambda: live.post(community, name, value))
        return shown(done, LONGEST_REPLY)

    async def _press(self, request: Request) -> Any:
        block = self._block(request)
        number = int(_number(request, "n", kind=Whole(low=0)))
        if _text(request, "menu") == "action":
            choice = block.actions[number] if 0 <= number < len(block.actions) else None
        else:
            choice = block.buttons.get(number)
        if choice is None:
            raise RequestError(f"{block.community}: no such button")
        macros = {"UTC": f"{self._live.utc:.3f}", "BIX": str(number)}
        return await self._post_choice(block.community, choice, macros)

    async def _click(self, request: Request) -> Any:
        block = self._block(request)
        key = (_text(request, "side"), _text(request, "context"))
        if key not in block.contexts:
            raise RequestError(f"{block.community}: no such context as {key[1]}")
        x, y, vname = _number(request, "x"), _number(request, "y"), _text(request, "vname", "")
        projection = self._view.source.facts.projection
        with self._view.reading():
            placed = self._view.picture.placed()
        closest = min(placed, key=lambda one: hypot(one.x - x, one.y - y), default=None)
        name = closest.name if closest is not None else ""
        latlon = None if projection is None else _latlon_of(projection, x, y)
        macros = macros_at(x, y, latlon, vname, name, self._live.utc)
        return await self._post_choice(block.community, block.contexts[key], macros)

    async def _order(self, request: Request) -> Any:
        order, named = _text(request, "order"), request.get("communities")
        helms = self._view.source.facts.helms
        if not isinstance(named, list) or not named or not all(one in helms for one in named):
            raise RequestError("order: expected communities with a helm")
        choices = {one: helms[one].orders.get(order) for one in named}
        without = [one for one, choice in choices.items() if choice is None]
        if without:
            raise RequestError(f"{shown(order)}: no such order of {shown(', '.join(without))}")
        macros = {"UTC": f"{self._live.utc:.3f}"}
        for community, choice in choices.items():
            assert choice is not None
            await self._post_choice(community, choice, {**macros, "VNAME": community})
        return len(choices)

    async def _post_choice(self, community: str, choice: Choice, macros: Mapping[str, str]) -> Any:
        live, replies = self._live, []
        for name, value in choice.values(macros):
            replies.append(await _on_bus(live, partial(live.post_value, community, name, value)))
        return shown("; ".join(replies), LONGEST_REPLY)

    def _block(self, request: Request) -> ViewerBlock:
        blocks = self._view.source.facts.blocks
        community = _text(request, "community", blocks[0].community if blocks else "")
        for block in blocks:
            if block.community == community:
                return block
        raise RequestError(f"{community}: its mission file has no pMarineViewer block")

    async def _drive(self, request: Request) -> Any:
        live, community = self._live, _text(request, "community")
        thrust, rudder = _number(request, "thrust"), _number(request, "rudder")
        await _on_bus(live, lambda: live.joysticks.drive(community, thrust, rudder))

    async def _release(self, request: Request) -> Any:
        live, community = self._live, _text(request, "community")
        await _on_bus(live, lambda: live.joysticks.release(community))

    async def _seek(self, request: Request) -> Any:
        await asyncio.to_thread(self._replay.seek, _number(request, "t"))
        self.moved = True
        return self._replay.time

    async def _play(self, request: Request) -> Any:
        self._replay.play(_number(request, "speed"))
        self.stirred = True

    async def _watch(self, request: Request) -> Any:
        self.watched = _texts(request, "patterns")
        self.values_due = True
        if isinstance(self._view, LiveView) and not self._view.live.ended:
            await _on_bus(self._view.live, partial(self._view.live.watch, self._view, self.watched))

    async def _names(self, request: Request) -> Any:
        if other := self._other(request, "of"):
            return await asyncio.to_thread(analysis.names_of, other, other.span[1])
        if isinstance(self._view, LiveView):
            return await _on_bus(self._view.live, self._view.live.names)
        last = self._replay.last
        return await asyncio.to_thread(analysis.names_of, await self._logs(), last)

    async def _plot(self, request: Request) -> Any:
        self.plotted = _texts(request, "vars")
        if isinstance(self._view, LiveView) and not self._view.live.ended:
            await _on_bus(self._view.live, partial(self._view.live.plot, self._view, self.plotted))

    async def _history(self, request: Request) -> Any:
        low, high = _number(request, "from", -inf), _number(request, "to", inf)
        most = int(_number(request, "points", HISTORY, Whole(low=1)))
        name = _text(request, "var")
        try:
            logs = self._other(request, "of") or await self._logs()
        except NoLog:
            if self._view.source.awaited:  # the run is paused at its beginning
                return {"var": name, "total": 0, "t": [], "v": []}
            raise
        return await asyncio.to_thread(analysis.history, logs, name, (low, high), most)

    async def _helm_history(self, request: Request) -> Any:
        community = _text(request, "community")
        return await asyncio.to_thread(analysis.helm_history, await self._logs(), community)

    async def _appcast(self, request: Request) -> Any:
        community, app = _text(request, "community"), _text(request, "app")
        if isinstance(self._view, ReplayView):
            return await self._logged_appcast(community, app, self._asked_time(request))
        live = self._live
        if community not in live.board.clients:
            raise RequestError(f"{community}: no such community")
        asking = await _on_bus(live, lambda: live.appcast(community, app))
        return {"lines": appcast_lines(str(await asyncio.wrap_future(asking)))}

    async def _logged_appcast(self, community: str, app: str, time: float) -> Any:
        """Return an appcast of the log, or one that the app makes again on the log's mail."""
        logs = await self._logs()
        analysis.community_and_name(logs, f"{community}:")
        logged = await asyncio.to_thread(analysis.logged_appcast, logs, community, app, time)
        if logged is not None:
            return {"lines": appcast_lines(logged), "recomputed": False}
        state = self._view.source.recomputers.at(logs, community, app, time)
        if isinstance(state, Working):
            return {"working": round(state.share, 3)}
        return {"lines": appcast_lines(state.appcast), "recomputed": True}

    async def _ipf(self, request: Request) -> Any:
        community, behavior = _text(request, "community"), _text(request, "behavior", "")
        logs = await self._logs()
        time = self._asked_time(request)
        found = await asyncio.to_thread(analysis.posted_functions, logs, community, time)
        if found is None and isinstance(self._view, LiveView) and not request.get("recompute"):
            return {"on_request": True}
        if found is not None:
            return {"recomputed": False, **await asyncio.to_thread(analysis.ipf, found, behavior)}
        helm = await asyncio.to_thread(analysis.helm_of, logs, community, time)
        state = self._view.source.recomputers.at(logs, community, helm, time)
        if isinstance(state, Working):
            return {"working": round(state.share, 3)}
        found = analysis.Functions(
            state.iterated,
            analysis.functions_in(packets_by_name(state.packets)),
            state.decision,
            state.halt,
        )
        return {"recomputed": True, **await asyncio.to_thread(analysis.ipf, found, behavior)}

    def _asked_time(self, request: Request) -> float:
        """Return the time of a request, by default that of the view."""
        return _number(request, "t", float(self._view.status()["time"]))

    def _other(self, request: Request, key: str) -> LogSet | None:
        """Return the logs of the source that a request names; None if it names none."""
        id_ = _text(request, key, "")
        logs = self._others[id_].logs if id_ in self._others else None
        if id_ and logs is None:
            raise RequestError(NO_OTHER)
        return logs

    def _beside_logs(self, request: Request) -> LogSet:
        """Return the logs of the source that a request compares with."""
        if (logs := self._other(request, "with")) is None:
            raise RequestError(NO_OTHER)
        return logs

    async def _compare(self, request: Request) -> Any:
        id_, other = _text(request, "with"), self._beside_logs(request)
        result = await asyncio.to_thread(analysis.compare, await self._logs(), other)
        return {"source": id_, "title": self._others[id_].title, **result}

    async def _beside(self, request: Request) -> Any:
        other = self._beside_logs(request)
        both = (await self._logs(), other)
        time, patterns = self._asked_time(request), _texts(request, "patterns")
        return await asyncio.to_thread(analysis.beside, both, time, patterns)

    async def _note(self, request: Request) -> Any:
        source = self._view.source
        if source.notebook is None:
            raise RequestError("this run has no folder here, in which notes are kept")
        change = source.notebook.add if request["do"] == "note" else source.notebook.remove
        await asyncio.to_thread(change, _number(request, "t"), _text(request, "text"))
        source.notes_revision += 1

    async def _watch_3d(self, request: Request) -> Any:
        self.in_3d = bool(request.get("on"))

    async def _latlon(self, request: Request) -> Any:
        projection = self._view.source.facts.projection
        if projection is None:
            raise RequestError("this mission has no datum")
        lat, lon = _latlon_of(projection, _number(request, "x"), _number(request, "y"))
        return {"lat": lat, "lon": lon}


async def _on_bus(live: LiveRun, order: Callable[[], Any]) -> Any:
    """Have the bus thread of a run do something; return its result."""
    return await asyncio.wrap_future(live.call(order))


def _latlon_of(projection: Projection, x: float, y: float) -> tuple[float, float]:
    try:
        return projection.to_latlon(x, y)
    except ValueError as error:
        raise RequestError(str(error)) from None


async def past_of(source: Source) -> LogSet:
    """Return a source's logs, read as far as they are written.

    Raises:
        NoLog: there are none.
        FormatError: one cannot be read.
    """
    logs = await source.past()
    if logs is None:
        none = "has no log yet" if source.awaited else "leaves no log here"
        raise NoLog(source.failed or f"this run {none}")
    return logs


ANY = Number()


def _number(request: Request, key: str, default: float | None = None, kind: Number = ANY) -> float:
    try:
        return member_of(request, key, kind, default)
    except ValueError as error:
        raise RequestError(f"{request.get('do')}: {error}") from None


def _text(
    request: Request, key: str, default: str | None = None, longest: int = LONGEST_NAME
) -> str:
    value = request.get(key)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise RequestError(f"{request.get('do')}: expected {key} to be a text")
    if len(value) > longest:
        raise RequestError(
            f"{request.get('do')}: {key} = {shown(value)}: expected at most {longest} characters"
        )
    return value


def _texts(request: Request, key: str) -> list[str]:
    values = request.get(key)
    if not isinstance(values, list):
        raise RequestError(f"{request.get('do')}: expected {key} to be a list of texts")
    if len(values) > MOST_WATCHED:
        raise RequestError(f"{request.get('do')}: expected at most {MOST_WATCHED} of them")
    texts = [_text({"do": request.get("do"), key: value}, key) for value in values]
    for text in texts:
        _, colon, name = text.partition(":")
        if not is_name(name if colon else text):
            raise RequestError(
                f"{request.get('do')}: {shown(text)}: expected a variable's name or pattern,"
                " printable, without blanks at its ends, of at most 256 characters"
            )
    return list(dict.fromkeys(texts))


def shown(value: object, longest: int = LONGEST_SHOWN) -> str:
    """Return a value as text for an error or a reply, cut if it is long."""
    text = str(value)
    return text if len(text) <= longest else f"{text[:longest]}…"
