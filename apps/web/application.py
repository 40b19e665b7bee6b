"""The application that a web server serves: its routes, its page, and who may come in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from steerageway.apps.web.security import Gate, Guard
from steerageway.apps.web.serving import SHARED


def application_of(
    routes: Sequence[BaseRoute], page: Path, gate: Gate, close: Callable[[], Awaitable[None]]
) -> Starlette:
    """Make an application.

    Args:
        routes: what is answered.
        page: the folder of its page's files, beside those that all pages share.
        gate: who may come in.
        close: ends what the server has, when it ends.
    """

    @asynccontextmanager
    async def life(app: Starlette) -> Any:
        yield
        await close()

    files = Mount("/", StaticFiles(directory=page, packages=[SHARED], html=True))
    app = Starlette(routes=[*routes, files], lifespan=life)
    app.add_middleware(Guard, gate=gate)
    return app
