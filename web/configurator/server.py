"""HTTP server of the configurator: API routes and request handlers; see docs/configurator.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from steerageway.declarations import decimal
from steerageway.vessel.errors import VesselError
from steerageway.vessel.fossen.folder import read_folder
from steerageway.vessel.fossen.keys.listing import FILES, record
from steerageway.vessel.tools.place import SHIPPED, shipped_vessels
from steerageway.web.answers import Handler, JSONResponse, Refusal, read_body, read_json
from steerageway.web.application import application_of
from steerageway.web.child import StartError
from steerageway.web.configurator import draft_editor, meshes
from steerageway.web.configurator.draft import Draft, NothingToDo, Stale
from steerageway.web.configurator.export import as_config, exported
from steerageway.web.configurator.names import MOST_BYTES
from steerageway.web.configurator.sail import Sailing
from steerageway.web.configurator.vessel_library import Conflict, VesselLibrary
from steerageway.web.configurator.worker_process import WorkerProcess, WorkError
from steerageway.web.security import Gate

QUICK, LONG = 60.0, 900.0  # time limits of checks and of long jobs [wall s]
TEXT = 4 << 20  # limit of a request with a text [bytes]
STATUSES: dict[type[Exception], int] = {
    PermissionError: 403,
    LookupError: 404,
    Stale: 409,
    NothingToDo: 409,
    StartError: 409,
    WorkError: 422,
    VesselError: 422,
    ValueError: 400,
    OSError: 400,
}


class ServerState:
    """The server's state: the vessel library, worker processes, the test run.

    Args:
        library: the vessels and drafts that can be opened.
        read_only: whether requests that change something are rejected.
        default: the id of the draft that a page shows first; "" for the list.
    """

    def __init__(self, library: VesselLibrary, read_only: bool, default: str = "") -> None:
        self.library, self.read_only, self.default = library, read_only, default
        self.quick, self.long = WorkerProcess(QUICK), WorkerProcess(LONG)
        self.sailing = Sailing()

    async def close(self) -> None:
        """End all child processes."""
        await self.quick.cancel()
        await self.long.cancel()
        await self.sailing.end()


def application(server_state: ServerState, gate: Gate) -> Starlette:
    """Return the server's application."""
    handlers = Handlers(server_state)
    get, post = _handlers(handlers, server_state.library)
    changing = {path: handlers.changing(handler) for path, handler in post.items()}
    return application_of("configurator", (get, changing), STATUSES, gate, server_state.close)


def _handlers(
    handlers: Handlers, library: VesselLibrary
) -> tuple[dict[str, Handler], dict[str, Handler]]:
    """Return the GET handlers, and the POST handlers, which change something, by path."""
    one = "/api/draft/{id}"
    get: dict[str, Handler] = {
        "/api/home": handlers.home,
        "/api/keys": handlers.keys,
        one: handlers.state,
        f"{one}/check": handlers.check,
        f"{one}/hull": handlers.hull,
        f"{one}/zip": handlers.zip,
        f"{one}/config": handlers.config,
        f"{one}/file": handlers.file,
        "/api/work": handlers.work,
        "/api/sail": handlers.sailing,
    }
    post: dict[str, Handler] = {
        "/api/open": handlers.open,
        "/api/upload": handlers.upload,
        f"{one}/drop": handlers.drop,
        f"{one}/edit": handlers.told(draft_editor.edit),
        f"{one}/text": handlers.told(draft_editor.write_text),
        f"{one}/undo": handlers.revised(Draft.undo),
        f"{one}/redo": handlers.revised(Draft.redo),
        f"{one}/put": handlers.put,
        f"{one}/hydra": handlers.hydra,
        f"{one}/remove": handlers.remove,
        f"{one}/mesh": handlers.mesh,
        f"{one}/mesh/look": handlers.look,
        f"{one}/mesh/parts": handlers.parts,
        f"{one}/mesh/mend": handlers.mend,
        f"{one}/mesh/present": handlers.present,
        f"{one}/mesh/take": handlers.told(draft_editor.take_mesh),
        f"{one}/save": handlers.save,
        f"{one}/adopt": handlers.revised(library.adopt),
        f"{one}/work": handlers.begin,
        f"{one}/sail": handlers.sail,
        "/api/cancel": handlers.cancel,
        "/api/sail/end": handlers.end,
    }
    return get, post


class Handlers:
    """Handlers of the configurator's HTTP requests."""

    def __init__(self, server_state: ServerState) -> None:
        self._server = server_state

    def changing(self, handler: Handler) -> Handler:
        """Return the handler of a request that a read-only server rejects."""

        async def answer(request: Request) -> Response:
            if self._server.read_only:
                raise Refusal(403, "this configurator is read-only")
            return await handler(request)

        return answer

    async def home(self, request: Request) -> Response:
        """List the vessels and drafts that can be opened."""
        home = await run_in_threadpool(self._server.library.home)
        about = {"read_only": self._server.read_only, "default": self._server.default}
        return JSONResponse({**home, **about})

    async def keys(self, request: Request) -> Response:
        """Return the key declarations of all files, from those that the readers use."""
        declared = {f"{file}.yml": [record(key) for key in keys] for file, keys in FILES.items()}
        return JSONResponse(declared)

    async def open(self, request: Request) -> Response:
        """Open a template, a folder, or a blank vessel."""
        body = await read_json(request)
        draft = await run_in_threadpool(self._opened, body)
        return JSONResponse({"id": draft.id})

    def _opened(self, body: dict[str, Any]) -> Draft:
        library, name = self._server.library, str(body.get("name") or "")
        if "template" in body:
            return library.template(str(body["template"]), name)
        if "folder" in body:
            return library.folder(str(body["folder"]))
        if "blank" in body:
            return library.blank(str(body["blank"]))
        raise Refusal(400, "expected a template, a folder, or the name of a blank vessel")

    async def upload(self, request: Request) -> Response:
        """Open an uploaded zip, or a JSON file of Panisim's configurator."""
        data = await read_body(request, MOST_BYTES)
        file = Path(request.query_params.get("name", "vessel"))
        if file.suffix.lower() == ".json":
            made = await run_in_threadpool(self._server.library.configured, data, file.name)
            return JSONResponse({"id": made[0].id, "remarks": made[1]})
        called = file.stem or "vessel"
        draft = await run_in_threadpool(self._server.library.zipped, data, called)
        return JSONResponse({"id": draft.id})

    async def drop(self, request: Request) -> Response:
        """Delete a draft."""
        await run_in_threadpool(self._server.library.drop, self._draft(request).id)
        return JSONResponse({})

    async def state(self, request: Request) -> Response:
        """Return the state of a draft."""
        known = decimal(request.query_params.get("known", ""))
        return await self._state(request, -1 if known is None else known)

    def told(self, do: Callable[[Draft, Mapping[str, Any]], None]) -> Handler:
        """Return a handler that changes a draft as the body of its request says."""

        async def answer(request: Request) -> Response:
            return await self._done(request, do, await read_json(request, TEXT))

        return answer

    def revised(self, do: Callable[[Draft, int], None]) -> Handler:
        """Return a handler that changes a draft of the revision in the body of its request."""
        return self.told(lambda draft, body: do(draft, draft_editor.revision_of(body)))

    async def put(self, request: Request) -> Response:
        """Write an uploaded file into the draft."""
        revision, name = self._named(request)
        data = await read_body(request, meshes.LARGEST)
        return await self._done(request, draft_editor.put_file, revision, name, data)

    async def hydra(self, request: Request) -> Response:
        """Import an uploaded zip of HydRA's results."""
        revision, name = self._named(request)
        data = await read_body(request, MOST_BYTES)
        return await self._done(request, draft_editor.put_hydra, revision, name, data)

    async def remove(self, request: Request) -> Response:
        """Remove a file from the draft."""
        return await self._done(request, draft_editor.put_file, *self._named(request), None)

    async def file(self, request: Request) -> Response:
        """Return the contents of a file."""
        data = self._draft(request).data(request.query_params.get("name", ""))
        if data is None:
            raise Refusal(404, "no such file")
        return Response(data, media_type="application/octet-stream")

    async def mesh(self, request: Request) -> Response:
        """Stage an uploaded mesh; return its size, parts, and a guess of unit and axes."""
        draft = self._draft(request)
        name = request.query_params.get("name", "")
        data = await read_body(request, meshes.LARGEST)
        path = await run_in_threadpool(draft_editor.stage_mesh, draft, name, data)
        length = float(request.query_params.get("length", "0"))
        return JSONResponse(await self._looked(path, {}, length))

    async def look(self, request: Request) -> Response:
        """Describe a staged mesh with the given unit and axes."""
        body = await read_json(request)
        path = draft_editor.staged(self._draft(request), str(body.get("name")))
        return JSONResponse(await self._looked(path, body))

    async def _looked(
        self, path: Path, placing: Mapping[str, Any], length: float = 0.0
    ) -> dict[str, Any]:
        given = {"length": length, **{key: placing.get(key) for key in ("scale", "axes")}}
        return {"name": path.name, **await self._server.quick.do("look", path=str(path), **given)}

    async def mend(self, request: Request) -> Response:
        """Stage a mesh after a repair, and describe it with the given unit and axes."""
        body = await read_json(request)
        path = draft_editor.staged(self._draft(request), str(body.get("name")))
        given = (str(body.get(key)) for key in ("repair", "axes"))
        mended = await run_in_threadpool(meshes.mend, path, *given)
        return JSONResponse(await self._looked(mended, body))

    async def present(self, request: Request) -> Response:
        """Stage the mesh that is the hull, and describe it as it is placed."""
        draft = self._draft(request)
        file, placing = await run_in_threadpool(meshes.present, read_folder(draft.files))
        path = await run_in_threadpool(draft_editor.stage_mesh, draft, file.name, file.read_bytes())
        return JSONResponse({**await self._looked(path, placing), **placing})

    async def parts(self, request: Request) -> Response:
        """Stage a mesh of the selected parts only, and describe it."""
        body = await read_json(request)
        path = draft_editor.staged(self._draft(request), str(body.get("name")))
        kept = draft_editor.part_numbers(body)
        kept_file = await run_in_threadpool(meshes.keep_parts, path, kept)
        return JSONResponse(await self._looked(kept_file, {}))

    async def hull(self, request: Request) -> Response:
        """Return the hull's triangles."""
        data = await run_in_threadpool(meshes.triangles, self._draft(request).files)
        return Response(data, media_type="application/octet-stream")

    async def check(self, request: Request) -> Response:
        """Return the diagnostics of a draft, and the revision that was checked."""
        draft = self._draft(request)
        revision = draft.journal.revision
        mistakes = await self._server.quick.do("check", folder=str(draft.files))
        return JSONResponse({"revision": revision, "mistakes": mistakes})

    async def begin(self, request: Request) -> Response:
        """Run a long job; the response is sent when it is done."""
        draft, body = self._draft(request), await read_json(request)
        revision = draft.journal.revision
        given = {key: value for key, value in body.items() if key not in ("do", "folder", "of")}
        folder = await run_in_threadpool(self._other, body.get("of"), draft)
        result = await self._server.long.do(str(body.get("do")), folder=str(folder), **given)
        return JSONResponse({"revision": revision, "result": result})

    def _other(self, name: object, draft: Draft) -> Path:
        """Return the folder of a job: this draft, its saved version, a shipped one, another draft.

        Estimates of the latter are shown next to this draft's.
        """
        if name is None:
            return draft.files
        if name in shipped_vessels():
            return SHIPPED / str(name)
        if name == "saved" and draft.origin is not None:
            return draft.origin
        return self._server.library.draft(str(name)).files

    async def work(self, request: Request) -> Response:
        """Return the progress of the long job."""
        return JSONResponse({"said": self._server.long.last_line})

    async def cancel(self, request: Request) -> Response:
        """Cancel the long job."""
        await self._server.long.cancel()
        return JSONResponse({})

    async def save(self, request: Request) -> Response:
        """Write a draft to its folder, or to a new one."""
        draft, body = self._draft(request), await read_json(request)
        name, force = str(body.get("name") or draft.name), body.get("force") is True
        try:
            folder = await run_in_threadpool(self._server.library.save, draft, name, force)
        except Conflict as conflict:
            raise Refusal(409, str(conflict), {"files": conflict.files}) from None
        return JSONResponse({"folder": str(folder), "state": draft_editor.state(draft)})

    async def zip(self, request: Request) -> Response:
        """Return a draft as a zip."""
        draft = self._draft(request)
        data = await run_in_threadpool(exported, draft)
        headers = {"Content-Disposition": f'attachment; filename="{draft.name}.zip"'}
        return Response(data, media_type="application/zip", headers=headers)

    async def config(self, request: Request) -> Response:
        """Return a draft in the format of Panisim's configurator, with remarks on omissions."""
        draft = self._draft(request)
        text, remarks = await run_in_threadpool(as_config, draft)
        name = f"{draft.name}_config.json"
        return JSONResponse({"name": name, "text": text, "remarks": remarks})

    async def sail(self, request: Request) -> Response:
        """Start a test run of a draft; return its viewer's address."""
        draft, body = self._draft(request), await read_json(request)
        address = await self._server.sailing.begin(draft, body.get("warp", 5))
        return JSONResponse({"address": address})

    async def sailing(self, request: Request) -> Response:
        """Return the state of the test run."""
        return JSONResponse(self._server.sailing.about())

    async def end(self, request: Request) -> Response:
        """End the test run."""
        await self._server.sailing.end()
        return JSONResponse({})

    def _draft(self, request: Request) -> Draft:
        return self._server.library.draft(request.path_params["id"])

    async def _done(self, request: Request, do: Callable[..., None], *given: object) -> Response:
        """Do something to the draft of a request; return the draft's state."""
        await run_in_threadpool(do, self._draft(request), *given)
        return await self._state(request)

    async def _state(self, request: Request, known: int = -1) -> Response:
        draft = self._draft(request)
        return JSONResponse(await run_in_threadpool(draft_editor.state, draft, known))

    def _named(self, request: Request) -> tuple[int, str]:
        revision = decimal(request.query_params.get("revision", ""))
        if revision is None:
            raise Refusal(400, "expected the revision that is edited")
        return revision, request.query_params.get("name", "")
