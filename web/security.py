"""Access control of the web servers: host, same-origin and token checks of HTTP requests.

Another site's page could make a browser send requests to this server (cross-site request), or have
its own name resolve to this machine (DNS rebinding). So the ``Host`` of every request must be one
of the server's names, and the ``Origin`` of each request that changes something, or opens a
WebSocket, must be the server's own. The token is the fragment of the printed URL (behind the
``#``), which browsers do not send; the page presents it once and gets a cookie that scripts cannot
read.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from steerageway.web.answers import JSONResponse

LOCAL = ("127.0.0.1", "localhost", "[::1]")
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
)
THIS_MACHINE = "http://127.0.0.1:* http://localhost:*"  # pages that may show ours in a frame
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
FRESH, KEPT = "no-store", "private, max-age=86400"
VENDORED = "/vendor/"
GUARDED = ("/api/", "/ws")
REFUSED = 1008  # WebSocket close code: policy violation


@dataclass(frozen=True, slots=True)
class Gate:
    """The access rules of a server.

    Attributes:
        names: host names that a request may be addressed to.
        port: of the server.
        secure: whether it uses TLS.
        framed: whether pages of this machine, such as a notebook's, may show it in a frame.
        token: the secret in the printed URL.
    """

    names: tuple[str, ...]
    port: int
    secure: bool = False
    framed: bool = False
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @property
    def cookie(self) -> str:
        """The cookie's name; with the port, as browsers send a host's cookies to all its ports."""
        return f"steerageway_{self.port}"

    @property
    def address(self) -> str:
        """The URL for the user to open, with the token."""
        return f"{self._scheme}://{self.names[0]}:{self.port}/#{self.token}"

    @property
    def _scheme(self) -> str:
        return "https" if self.secure else "http"

    def knows_host(self, host: str) -> bool:
        """Whether a ``Host`` header names this server."""
        return host in self._hosts()

    def knows_origin(self, origin: str) -> bool:
        """Whether an ``Origin`` header is that of this server's own page."""
        return origin in {f"{self._scheme}://{host}" for host in self._hosts()}

    def _hosts(self) -> Iterable[str]:
        usual = 443 if self.secure else 80
        bare = self.names if self.port == usual else ()
        return (*(f"{name}:{self.port}" for name in self.names), *bare)

    def knows_token(self, token: str) -> bool:
        """Whether this is the token."""
        return secrets.compare_digest(token.encode(), self.token.encode())

    def set_cookie(self) -> str:
        """Return the value of the ``Set-Cookie`` header."""
        secure = "; Secure" if self.secure else ""
        return f"{self.cookie}={self.token}; HttpOnly; SameSite=Strict; Path=/{secure}"

    def has_cookie(self, header: str) -> bool:
        """Whether a ``Cookie`` header contains the token."""
        try:
            found = SimpleCookie(header).get(self.cookie)
        except CookieError:
            return False
        return found is not None and self.knows_token(found.value)


class Guard:
    """ASGI middleware: rejects what the gate does not allow, adds security headers to responses."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self._app, self._gate = app, gate
        self._policy = CSP + (THIS_MACHINE if gate.framed else "'none'")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        status, why = self._refusal(scope, path)

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers["Content-Security-Policy"] = self._policy
                headers["Cache-Control"] = KEPT if path.startswith(VENDORED) else FRESH
            await send(message)

        if not status:
            await self._app(scope, receive, answer)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": REFUSED, "reason": why})
        else:
            await JSONResponse({"error": why}, status)(scope, receive, answer)

    def _refusal(self, scope: Scope, path: str) -> tuple[int, str]:
        """Return the status and reason of a rejection; (0, "") if the request is allowed."""
        gate, headers = self._gate, Headers(scope=scope)
        if len(headers.getlist("host")) != 1 or not gate.knows_host(headers["host"]):
            return 403, "the Host header is not a name of this server"
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        origin = headers.get("origin")
        if changes and (origin is None or not gate.knows_origin(origin)):
            return 403, "only the server's own page may send this request"
        if path.startswith(GUARDED) and not gate.has_cookie(headers.get("cookie", "")):
            return 401, "open the printed address, which contains the token"
        return 0, ""


def names_of(host: str) -> tuple[str, ...]:
    """Return the host names of a server that listens at an address."""
    return LOCAL if host in (*LOCAL, "::1") else (f"[{host}]" if ":" in host else host,)
