"""Starlette application of a web server: API routes, static files, access control."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from steerageway.web.security import Gate, Guard
from steerageway.web.serving import SHARED


def application_of(
    routes: Sequence[BaseRoute], page: Path, gate: Gate, close: Callable[[], Awaitable[None]]
) -> Starlette:
    """Return the application.

    Args:
        routes: of the API.
        page: the folder of its page's files, served together with the shared ones.
        gate: the access rules.
        close: releases the server's resources on shutdown.
    """

    @asynccontextmanager
    async def life(app: Starlette) -> Any:
        yield
        await close()

    files = Mount("/", StaticFiles(directory=page, packages=[SHARED], html=True))
    app = Starlette(routes=[*routes, files], lifespan=life)
    app.add_middleware(Guard, gate=gate)
    return app
