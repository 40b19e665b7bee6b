"""HTTP request bodies, JSON responses, and exceptions as JSON error responses."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from steerageway.declarations import json_of

LARGEST = 1 << 20  # default limit of a request body [bytes]

Handler = Callable[[Request], Awaitable[Response]]


class JSONResponse(Response):
    """A value in JSON, in ASCII: a file's name or a request may have half of a surrogate pair."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Return the text of a value."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


class Refusal(Exception):
    """A request is rejected: the error response is its text and HTTP status.

    Attributes: ``status``; ``about``, further fields of the response.
    """

    def __init__(self, status: int, text: str, about: Mapping[str, Any] | None = None) -> None:
        self.status, self.about = status, dict(about or {})
        super().__init__(text)


def json_errors(handler: Handler, statuses: Mapping[type[Exception], int]) -> Handler:
    """Wrap a handler so that user errors become JSON error responses.

    Args:
        handler: of a request.
        statuses: exception type -> HTTP status, the first match applies; other exceptions are
            defects of the server and propagate.
    """

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except Refusal as refusal:
            return JSONResponse({"error": str(refusal), **refusal.about}, refusal.status)
        except tuple(statuses) as error:
            status = next(code for kind, code in statuses.items() if isinstance(error, kind))
            return JSONResponse({"error": str(error)}, status)

    return answer


async def read_body(request: Request, largest: int = LARGEST) -> bytes:
    """Read the body of a request.

    Raises:
        Refusal: it is larger than ``largest`` [bytes], or ends early.
    """
    parts, size = [], 0
    try:
        async for chunk in request.stream():
            size += len(chunk)
            if size > largest:
                raise Refusal(400, f"expected at most {largest >> 20} MB")
            parts.append(chunk)
    except ClientDisconnect:
        raise Refusal(400, "the connection was closed before the request was whole") from None
    return b"".join(parts)


async def read_json(request: Request, largest: int = LARGEST) -> dict[str, Any]:
    """Read the body of a request as a JSON object.

    Raises:
        Refusal: it is too large, or not a JSON object.
    """
    try:
        body = json_of(await read_body(request, largest))
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise Refusal(400, "expected a JSON object")
    return body
