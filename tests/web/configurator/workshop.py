"""Helpers: a configurator's server without a socket, and its client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from steerageway.web.configurator.server import ServerState, application
from steerageway.web.configurator.vessel_library import VesselLibrary
from steerageway.web.security import LOCAL, Gate

PORT = 8000
OURS = f"http://127.0.0.1:{PORT}"


class Answer(NamedTuple):
    """A response of the server."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """Its body."""
        return json.loads(self.body)


class Client:
    """Sends requests to a server's application, in a separate event loop."""

    def __init__(self, workshop: ServerState) -> None:
        self.gate = Gate(LOCAL, PORT)
        self.shop = workshop
        self._app = application(workshop, self.gate)
        self.loop = asyncio.new_event_loop()

    def ask(self, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Answer:
        """Get a path, or post to it: bytes as they are, else JSON."""
        usual = {
            "host": f"127.0.0.1:{PORT}",
            "origin": OURS,
            "cookie": f"{self.gate.cookie}={self.gate.token}",
        }
        given = {**usual, **(headers or {})}
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        path, _, query = path.partition("?")
        scope = {
            "type": "http", "method": "GET" if body is None else "POST", "path": path,
            "raw_path": path.encode(), "query_string": query.encode(), "http_version": "1.1",
            "scheme": "http", "root_path": "", "client": ("127.0.0.1", 5),
            "server": ("127.0.0.1", PORT),
            "headers": [(key.encode(), value.encode()) for key, value in given.items()],
        }  # fmt: skip
        sent: list[dict[str, Any]] = []
        mail = [{"type": "http.request", "body": b"" if body is None else data, "more_body": False}]

        async def receive() -> dict[str, Any]:
            return mail.pop() if mail else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        self.loop.run_until_complete(self._app(scope, receive, send))
        start = next(one for one in sent if one["type"] == "http.response.start")
        names = {key.decode(): value.decode() for key, value in start["headers"]}
        return Answer(start["status"], names, b"".join(one.get("body", b"") for one in sent))

    def draft(self, **what: str) -> str:
        """Open something; return the path of its draft."""
        answer = self.ask("/api/open", what)
        assert answer.status == 200, answer.body
        return f"/api/draft/{answer.json['id']}"

    def draft_of(self, data: bytes) -> str:
        """Open a zip; return the path of its draft."""
        answer = self.ask("/api/upload?name=a.zip", data)
        assert answer.status == 200, answer.body
        return f"/api/draft/{answer.json['id']}"

    def edit(self, draft: str, *edits: dict[str, Any]) -> Answer:
        """Edit a draft as it is now."""
        revision = self.ask(draft).json["revision"]
        return self.ask(f"{draft}/edit", {"revision": revision, "title": "t", "edits": edits})


@contextmanager
def opened(folder: Path, read_only: bool = False) -> Iterator[Client]:
    """Return a client of a configurator with a separate folder."""
    library = VesselLibrary(folder / "drafts", [folder / "vessels"])
    client = Client(ServerState(library, read_only))
    try:
        yield client
    finally:
        client.loop.run_until_complete(client.shop.close())
        client.loop.close()
