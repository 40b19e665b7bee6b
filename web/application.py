"""Starlette application of a web server: API routes, static files, access control."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from steerageway.web.answers import Handler, JSONResponse, json_errors, read_body
from steerageway.web.security import Gate, Guard
from steerageway.web.serving import SHARED

Handlers = Mapping[str, Handler]  # by path


def application_of(
    name: str,
    api: tuple[Handlers, Handlers],
    statuses: Mapping[type[Exception], int],
    gate: Gate,
    close: Callable[[], Awaitable[None]],
    sockets: Sequence[BaseRoute] = (),
) -> Starlette:
    """Return the application ``web.NAME``, whose page is in the folder ``page`` of this package.

    Args:
        name: of the package, and in messages.
        api: the handlers of GET requests and of POST requests.
        statuses: of the exceptions of handlers, see ``json_errors``.
        gate: the access rules.
        close: releases the server's resources on shutdown.
        sockets: further routes.
    """

    async def session(request: Request) -> Response:
        """Set the session cookie for a page that presents the token."""
        token = (await read_body(request)).decode("utf-8", "replace").strip()
        if not gate.knows_token(token):
            return JSONResponse({"error": f"that is not the token of this {name}"}, 403)
        return Response(status_code=204, headers={"Set-Cookie": gate.set_cookie()})

    @asynccontextmanager
    async def life(app: Starlette) -> Any:
        yield
        await close()

    get, post = api
    routes = [
        Route(path, json_errors(handler, statuses), methods=[method])
        for method, handlers in (("GET", get), ("POST", {"/session": session, **post}))
        for path, handler in handlers.items()
    ]
    page = Path(__file__).parent / name / "page"
    files = Mount("/", StaticFiles(directory=page, packages=[SHARED], html=True))
    app = Starlette(routes=[*routes, *sockets, files], lifespan=life)
    app.add_middleware(Guard, gate=gate)
    return app
