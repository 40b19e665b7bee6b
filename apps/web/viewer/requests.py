"""Execution of a page's requests, as listed in docs/viewer_protocol.md."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from math import hypot, inf, isfinite
from typing import Any

from steerageway.apps.framework.display import appcast_lines
from steerageway.apps.web.viewer import analysis
from steerageway.apps.web.viewer.block import Choice, ViewerBlock, macros_at
from steerageway.apps.web.viewer.log_set import LogSet
from steerageway.apps.web.viewer.sources import Source
from steerageway.apps.web.viewer.views import LiveView, ReplayView, View

Asked = Mapping[str, Any]
CHANGING = ("pause", "resume", "stop", "step", "run_until", "warp", "case")
MOST_WATCHED = 200
HISTORY = 4000  # default number of points of a curve


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
        self._verbs: dict[str, Callable[[Asked], Awaitable[Any]]] = {
            **dict.fromkeys(CHANGING, self._control),
            "post": self._post,
            "press": self._press,
            "click": self._click,
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
            "watch3d": self._watch_3d,
            "latlon": self._latlon,
        }

    async def obey(self, asked: Asked) -> Any:
        """Execute a request; return the result.

        Raises:
            RequestError, BusError: it failed; the text says why.
        """
        verb = asked.get("do")
        if verb not in self._verbs:
            raise RequestError(f"{verb}: no such request")
        if verb not in self._view.verbs():
            why = "this viewer is read-only" if self.read_only else "not here"
            raise RequestError(f"{verb}: {why}")
        return await self._verbs[str(verb)](asked)

    @property
    def _live(self) -> LiveView:
        if not isinstance(self._view, LiveView):
            raise RequestError("expected a live run")
        if self._view.live.ended:
            raise RequestError(f"the run has ended: {self._view.live.ended}")
        return self._view

    @property
    def _replay(self) -> ReplayView:
        if not isinstance(self._view, ReplayView):
            raise RequestError("expected logs, not a live run")
        return self._view

    async def _logs(self) -> LogSet:
        return await past_of(self._view.source)

    async def _control(self, asked: Asked) -> Any:
        verb, self.stirred = asked["do"], True
        if verb == "step" and isinstance(self._view, ReplayView):
            unit = _text(asked, "unit", "second")
            await asyncio.to_thread(self._view.step, unit, int(_number(asked, "count", 1.0)))
            return None
        args: list[Any] = []
        if verb == "step":
            args = [_number(asked, "count", 1.0)]
        elif verb == "run_until":
            args = [_number(asked, "time")]
        elif verb == "warp":
            args = ["max"] if asked.get("factor") == "max" else [_number(asked, "factor")]
        elif verb == "case" and asked.get("seed") is not None:
            args = [int(_number(asked, "seed"))]
        name = "reset" if verb == "case" else str(verb)
        live = self._live.live
        return await asyncio.wrap_future(live.call(lambda: live.board.control(name, *args)))

    async def _post(self, asked: Asked) -> Any:
        live = self._live.live
        home, name, value = (_text(asked, key) for key in ("community", "name", "value"))
        return await asyncio.wrap_future(live.call(lambda: live.post(home, name, value)))

    async def _press(self, asked: Asked) -> Any:
        block = self._block(asked)
        number = int(_number(asked, "n"))
        if _text(asked, "menu") == "action":
            choice = block.actions[number] if 0 <= number < len(block.actions) else None
        else:
            choice = block.buttons.get(number)
        if choice is None:
            raise RequestError(f"{block.community}: no such button")
        macros = {"UTC": f"{self._live.live.utc:.3f}", "BIX": str(number)}
        return await self._post_choice(block, choice, macros)

    async def _click(self, asked: Asked) -> Any:
        block = self._block(asked)
        key = (_text(asked, "side"), _text(asked, "context"))
        if key not in block.contexts:
            raise RequestError(f"{block.community}: no such context as {key[1]}")
        x, y, vname = _number(asked, "x"), _number(asked, "y"), _text(asked, "vname", "")
        projection = self._view.source.facts.projection
        with self._view.reading():
            placed = self._view.picture.placed()
        closest = min(placed, key=lambda one: hypot(one.x - x, one.y - y), default=None)
        name = closest.name if closest is not None else ""
        latlon = None if projection is None else projection.to_latlon(x, y)
        macros = macros_at(x, y, latlon, vname, name, self._live.live.utc)
        return await self._post_choice(block, block.contexts[key], macros)

    async def _post_choice(self, block: ViewerBlock, choice: Choice, macros: Asked) -> Any:
        live = self._live.live
        said = []
        for name, value in choice.values(macros):
            order = partial(live.post_value, block.community, name, value)
            said.append(await asyncio.wrap_future(live.call(order)))
        return "; ".join(said)

    def _block(self, asked: Asked) -> ViewerBlock:
        blocks = self._view.source.facts.blocks
        home = _text(asked, "community", blocks[0].community if blocks else "")
        for block in blocks:
            if block.community == home:
                return block
        raise RequestError(f"{home}: its mission file has no pMarineViewer block")

    async def _drive(self, asked: Asked) -> Any:
        live, home = self._live.live, _text(asked, "community")
        thrust, rudder = _number(asked, "thrust"), _number(asked, "rudder")
        await asyncio.wrap_future(live.call(lambda: live.sticks.drive(home, thrust, rudder)))

    async def _release(self, asked: Asked) -> Any:
        live, home = self._live.live, _text(asked, "community")
        await asyncio.wrap_future(live.call(lambda: live.sticks.release(home)))

    async def _seek(self, asked: Asked) -> Any:
        await asyncio.to_thread(self._replay.seek, _number(asked, "t"))
        self.moved = True
        return self._replay.time

    async def _play(self, asked: Asked) -> Any:
        self._replay.play(_number(asked, "speed"))
        self.stirred = True

    async def _watch(self, asked: Asked) -> Any:
        self.watched = _texts(asked, "patterns")
        self.values_due = True
        if isinstance(self._view, LiveView) and not self._view.live.ended:
            view, live, patterns = self._view, self._view.live, self.watched
            await asyncio.wrap_future(live.call(lambda: live.watch(view, patterns)))

    async def _names(self, asked: Asked) -> Any:
        if isinstance(self._view, LiveView):
            live = self._view.live
            return await asyncio.wrap_future(live.call(live.names))
        last = self._replay.last
        return await asyncio.to_thread(analysis.names_of, await self._logs(), last)

    async def _plot(self, asked: Asked) -> Any:
        self.plotted = _texts(asked, "vars")
        if isinstance(self._view, LiveView) and not self._view.live.ended:
            view, live, names = self._view, self._view.live, self.plotted
            await asyncio.wrap_future(live.call(lambda: live.plot(view, names)))

    async def _history(self, asked: Asked) -> Any:
        low, high = _number(asked, "from", -inf), _number(asked, "to", inf)
        most = int(_number(asked, "points", HISTORY))
        name = _text(asked, "var")
        try:
            logs = await self._logs()
        except NoLog:
            if self._view.source.awaited:  # the run is paused at its beginning
                return {"var": name, "total": 0, "t": [], "v": []}
            raise
        return await asyncio.to_thread(analysis.history, logs, name, (low, high), most)

    async def _helm_history(self, asked: Asked) -> Any:
        home = _text(asked, "community")
        return await asyncio.to_thread(analysis.helm_history, await self._logs(), home)

    async def _appcast(self, asked: Asked) -> Any:
        live = self._live.live
        home, app = _text(asked, "community"), _text(asked, "app")
        asking = await asyncio.wrap_future(live.call(lambda: live.appcast(home, app)))
        return {"lines": appcast_lines(str(await asyncio.wrap_future(asking)))}

    async def _ipf(self, asked: Asked) -> Any:
        home, behavior = _text(asked, "community"), _text(asked, "behavior", "")
        time = self._view.status()["time"]
        return await asyncio.to_thread(analysis.ipf, await self._logs(), home, behavior, time)

    async def _compare(self, asked: Asked) -> Any:
        other = self._others.get(_text(asked, "with"))
        if other is None or other.logs is None:
            raise RequestError("expected another source whose logs have been read")
        result = await asyncio.to_thread(analysis.compare, await self._logs(), other.logs)
        return {"title": other.title, **result}

    async def _watch_3d(self, asked: Asked) -> Any:
        self.in_3d = bool(asked.get("on"))

    async def _latlon(self, asked: Asked) -> Any:
        projection = self._view.source.facts.projection
        if projection is None:
            raise RequestError("this mission has no datum")
        lat, lon = projection.to_latlon(_number(asked, "x"), _number(asked, "y"))
        return {"lat": lat, "lon": lon}


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


def _number(asked: Asked, key: str, default: float | None = None) -> float:
    value = asked.get(key)
    if value is None and default is not None:
        return default
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
        raise RequestError(f"{asked.get('do')}: expected {key} to be a number")
    return float(value)


def _text(asked: Asked, key: str, default: str | None = None) -> str:
    value = asked.get(key)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise RequestError(f"{asked.get('do')}: expected {key} to be a text")
    return value


def _texts(asked: Asked, key: str) -> list[str]:
    values = asked.get(key)
    if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
        raise RequestError(f"{asked.get('do')}: expected {key} to be a list of texts")
    if len(values) > MOST_WATCHED:
        raise RequestError(f"{asked.get('do')}: expected at most {MOST_WATCHED} of them")
    return values
