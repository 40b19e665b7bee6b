"""Requests and answers: what is asked as JSON, what is refused in a sentence."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

LARGEST = 1 << 20  # bytes that a page may send at once, where nothing else is said

Handler = Callable[[Request], Awaitable[Response]]


class Refusal(Exception):
    """What a request is answered with instead.

    Attributes: ``status``; ``about``, what else the page is told.
    """

    def __init__(self, status: int, text: str, about: Mapping[str, Any] | None = None) -> None:
        self.status, self.about = status, dict(about or {})
        super().__init__(text)


def told(handler: Handler, statuses: Mapping[type[Exception], int]) -> Handler:
    """Turn what goes wrong into an answer.

    Args:
        handler: answers a request.
        statuses: of exceptions, the first that fits counts; others are not the user's mistakes.
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


async def body_of(request: Request, largest: int = LARGEST) -> bytes:
    """Read what a page sends, if it is not too much.

    Raises:
        Refusal: it is.
    """
    parts, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > largest:
            raise Refusal(400, f"expected at most {largest >> 20} MB")
        parts.append(chunk)
    return b"".join(parts)


async def asked_of(request: Request, largest: int = LARGEST) -> dict[str, Any]:
    """Read the JSON object that a page sends.

    Raises:
        Refusal: it sends something else.
    """
    try:
        asked = json.loads(await body_of(request, largest))
    except (ValueError, RecursionError):
        asked = None
    if not isinstance(asked, dict):
        raise Refusal(400, "expected a JSON object")
    return asked
