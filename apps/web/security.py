"""Who may talk to the server: only pages of our own address that know the token.

A page elsewhere could have a browser send requests here (another origin), or could have its own
name mean this machine (DNS rebinding). So the ``Host`` of every request must equal one of ours, and
the ``Origin`` of whatever changes something, or opens a WebSocket, must be that of the page's
own. The token comes with the printed address, behind the ``#``, which browsers do not send; the
page hands it in once and gets a cookie that scripts cannot read.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL = ("127.0.0.1", "localhost", "[::1]")
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
FRESH, KEPT = "no-store", "private, max-age=86400"
VENDORED = "/vendor/"
GUARDED = ("/api/", "/ws")
REFUSED = 1008  # a WebSocket's code for what a policy forbids


@dataclass(frozen=True, slots=True)
class Gate:
    """What a request must bring along.

    Attributes:
        names: under which the server may be addressed.
        port: where it listens.
        secure: whether by TLS.
        token: what the printed address carries.
    """

    names: tuple[str, ...]
    port: int
    secure: bool = False
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @property
    def cookie(self) -> str:
        """The cookie's name: cookies of all ports of a host are sent to each of them."""
        return f"steerageway_{self.port}"

    @property
    def address(self) -> str:
        """What a person opens."""
        return f"{self._scheme}://{self.names[0]}:{self.port}/#{self.token}"

    @property
    def _scheme(self) -> str:
        return "https" if self.secure else "http"

    def knows_host(self, host: str) -> bool:
        """Whether a request is addressed to us."""
        return host in self._hosts()

    def knows_origin(self, origin: str) -> bool:
        """Whether a page that asks is one of ours."""
        return origin in {f"{self._scheme}://{host}" for host in self._hosts()}

    def _hosts(self) -> Iterable[str]:
        usual = 443 if self.secure else 80
        bare = self.names if self.port == usual else ()
        return (*(f"{name}:{self.port}" for name in self.names), *bare)

    def knows_token(self, token: str) -> bool:
        """Whether this is the token."""
        return secrets.compare_digest(token.encode(), self.token.encode())

    def set_cookie(self) -> str:
        """Give the header that hands a page its cookie."""
        secure = "; Secure" if self.secure else ""
        return f"{self.cookie}={self.token}; HttpOnly; SameSite=Strict; Path=/{secure}"

    def has_cookie(self, header: str) -> bool:
        """Whether a request carries the cookie."""
        try:
            found = SimpleCookie(header).get(self.cookie)
        except CookieError:
            return False
        return found is not None and self.knows_token(found.value)


class Guard:
    """Lets through only what the gate allows, and puts the protective headers on every answer."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self._app, self._gate = app, gate

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
        """Say why a request is refused, with its status; 0 if it is not."""
        gate, headers = self._gate, Headers(scope=scope)
        if len(headers.getlist("host")) != 1 or not gate.knows_host(headers["host"]):
            return 403, "this server is not addressed by that name"
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        origin = headers.get("origin")
        if changes and (origin is None or not gate.knows_origin(origin)):
            return 403, "this may be asked by the server's own page only"
        if path.startswith(GUARDED) and not gate.has_cookie(headers.get("cookie", "")):
            return 401, "open the address that was printed; it carries a token"
        return 0, ""


def names_of(host: str) -> tuple[str, ...]:
    """Give the names a server at an address may go by."""
    return LOCAL if host in (*LOCAL, "::1") else (f"[{host}]" if ":" in host else host,)
