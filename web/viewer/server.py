"""HTTP and WebSocket server of the viewer: API routes and handlers (docs/viewer_protocol.md)."""

from __future__ import annotations

import asyncio
import json

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from steerageway.bus import BusError
from steerageway.moos.errors import FormatError
from steerageway.web.answers import Handler, JSONResponse, Refusal, read_json
from steerageway.web.application import application_of
from steerageway.web.child import StartError
from steerageway.web.security import Gate
from steerageway.web.viewer.analysis import csv_lines
from steerageway.web.viewer.charts import encoded
from steerageway.web.viewer.exports import exported
from steerageway.web.viewer.hull import NoModel, VesselFiles, mesh_of, model_of
from steerageway.web.viewer.open_sources import Busy, OpenSources, parse_start
from steerageway.web.viewer.requests import NoLog, Requests, past_of
from steerageway.web.viewer.senses import NoSense, senses_of, shown
from steerageway.web.viewer.session import Session, wait_until_ready
from steerageway.web.viewer.sources import Live, Replay, Source
from steerageway.web.viewer.views import LiveView, ReplayView, View

WENT = 1000  # WebSocket close code: normal closure

STATUSES: dict[type[Exception], int] = {
    PermissionError: 403,
    Busy: 409,
    StartError: 409,
    NoLog: 409,
    NoModel: 404,
    NoSense: 404,
    BusError: 400,
    FormatError: 400,
    ValueError: 400,
    OSError: 400,
}


def application(open_sources: OpenSources, gate: Gate) -> Starlette:
    """Return the server's application.

    Args:
        open_sources: the open sources; closed with the server.
        gate: the access rules.
    """
    handlers, one = Handlers(open_sources), "/api/source/{id}"
    get: dict[str, Handler] = {
        "/api/home": handlers.home,
        f"{one}/vessel/{{name}}": handlers.vessel,
        f"{one}/mesh/{{name}}": handlers.mesh,
        f"{one}/csv": handlers.csv,
        f"{one}/tracks/{{kind}}": handlers.tracks,
        f"{one}/file/{{number}}": handlers.file,
        f"{one}/senses": handlers.senses,
        f"{one}/sense/{{community}}/{{name}}": handlers.sense,
    }
    post: dict[str, Handler] = {
        "/api/open": handlers.open,
        "/api/start": handlers.start,
        "/api/configure": handlers.configure,
        "/api/end": handlers.end,
    }
    sockets = [WebSocketRoute("/ws", handlers.socket)]
    return application_of("viewer", (get, post), STATUSES, gate, open_sources.close, sockets)


class Handlers:
    """Handlers of the viewer's HTTP and WebSocket requests."""

    def __init__(self, open_sources: OpenSources) -> None:
        self._open_sources = open_sources

    async def home(self, request: Request) -> Response:
        """Return the contents of the start page."""
        return JSONResponse(await run_in_threadpool(self._open_sources.home))

    async def open(self, request: Request) -> Response:
        """Open a running mission, or logs."""
        body, start_page = await read_json(request), self._open_sources.start_page
        address, logs = body.get("run"), body.get("logs")
        if isinstance(address, str):
            return JSONResponse({"source": self._open_sources.open_run(start_page.run(address))})
        if isinstance(logs, list) and len(logs) == 1 and isinstance(logs[0], str):
            return JSONResponse({"source": self._open_sources.open_logs(start_page.log(logs[0]))})
        raise Refusal(400, "expected the address of a run, or a list with the path of a log")

    async def start(self, request: Request) -> Response:
        """Start a mission."""
        self._may_change()
        mission, warp, paused = parse_start(await read_json(request))
        path = await run_in_threadpool(self._open_sources.start_page.mission, mission)
        return JSONResponse({"source": await self._open_sources.start(path, warp, paused)})

    async def end(self, request: Request) -> Response:
        """End the mission that was started here."""
        self._may_change()
        await self._open_sources.end()
        return JSONResponse({})

    async def configure(self, request: Request) -> Response:
        """Return the configurator's URL for a listed vessel, or for its list of vessels."""
        self._may_change()
        body = await read_json(request)
        folder = await run_in_threadpool(
            self._open_sources.start_page.vessel, str(body.get("vessel") or "")
        )
        return JSONResponse({"address": await self._open_sources.configurator.address(folder)})

    async def vessel(self, request: Request) -> Response:
        """Return the 3D geometry of a vessel."""
        return JSONResponse(await run_in_threadpool(model_of, self._vessel(request)))

    async def mesh(self, request: Request) -> Response:
        """Return the triangles of a hull."""
        data = await run_in_threadpool(mesh_of, self._vessel(request))
        return Response(data, media_type="application/octet-stream")

    async def csv(self, request: Request) -> Response:
        """Return variables as CSV."""
        logs = await past_of(self._source(request.path_params["id"]))
        names = request.query_params.getlist("var")
        low, high = (float(request.query_params.get(key, "nan")) for key in ("from", "to"))
        lines = csv_lines(logs, names, low, high)
        headers = {"Content-Disposition": 'attachment; filename="steerageway.csv"'}
        return StreamingResponse(lines, media_type="text/csv", headers=headers)

    async def tracks(self, request: Request) -> Response:
        """Return the trails of all vessels as GeoJSON, GPX or KML."""
        source, kind = self._source(request.path_params["id"]), request.path_params["kind"]
        logs, projection = await past_of(source), source.facts.projection
        if projection is None:
            raise Refusal(409, "this mission has no datum")
        text = await run_in_threadpool(exported, kind, logs.tracks(), projection, logs.epoch)
        headers = {"Content-Disposition": f'attachment; filename="tracks.{kind}"'}
        return Response(text, media_type="application/octet-stream", headers=headers)

    async def file(self, request: Request) -> Response:
        """Return a background, as a browser can show it."""
        source = self._source(request.path_params["id"])
        charts = {str(number): one for number, one in enumerate(source.backgrounds)}
        if (chart := charts.get(request.path_params["number"])) is None:
            raise Refusal(404, "no such background")
        data, media = await run_in_threadpool(encoded, chart)
        return Response(data, media_type=media)

    async def senses(self, request: Request) -> Response:
        """List the variables of point clouds and images."""
        source, time = self._source(request.path_params["id"]), _time_of(request)
        found = await run_in_threadpool(senses_of, source, time)
        rows = [
            {"community": s.community, "name": s.name, "kind": s.kind.name.lower()} for s in found
        ]
        return JSONResponse({"senses": rows})

    async def sense(self, request: Request) -> Response:
        """Return a point cloud or an image; 204 (no content) if there is no measurement."""
        source = self._source(request.path_params["id"])
        community, name = request.path_params["community"], request.path_params["name"]
        found = await run_in_threadpool(shown, source, community, name, _time_of(request))
        if found is None:
            return Response(status_code=204)
        data, media = found
        return Response(data, media_type=media)

    async def socket(self, websocket: WebSocket) -> None:
        """Serve a page's WebSocket."""
        await websocket.accept()
        sources, id_ = self._open_sources.sources, websocket.query_params.get("source", "")
        try:
            if id_ not in sources:
                await _leave(websocket, "no such source; the viewer may have been restarted")
                return
            await wait_until_ready(websocket, sources[id_])
            source = sources[id_]  # of a run that has answered, another
            await wait_until_ready(websocket, source)
            if source.failed:
                await _leave(websocket, source.failed)
                return
            view = self._view(source)
            requests = Requests(view, self._open_sources.read_only, sources)
            await Session(websocket, view, requests).run()
        except (WebSocketDisconnect, RuntimeError, asyncio.CancelledError):
            return  # the page has disconnected, or the server is shutting down

    def _view(self, source: Source) -> View:
        if isinstance(source, Live):
            return LiveView(source, self._open_sources.read_only)
        assert isinstance(source, Replay)
        assert source.logs is not None
        return ReplayView(source, source.logs, self._open_sources.read_only)

    def _source(self, id_: str) -> Source:
        source = self._open_sources.sources.get(id_)
        if source is None:
            raise Refusal(404, f"{id_}: no such source")
        return source

    def _vessel(self, request: Request) -> VesselFiles:
        vessels = self._source(request.path_params["id"]).facts.vessels
        name = request.path_params["name"]
        if name not in vessels:
            raise Refusal(404, f"{name}: no files of this vessel")
        return vessels[name]

    def _may_change(self) -> None:
        if self._open_sources.read_only:
            raise Refusal(403, "this viewer is read-only")


def _time_of(request: Request) -> float:
    return float(request.query_params.get("t", "nan"))


async def _leave(websocket: WebSocket, reason: str) -> None:
    await websocket.send_text(json.dumps({"k": "bye", "reason": reason}))
    await websocket.close(WENT)
