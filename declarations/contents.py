"""Contents of texts from outside."""

from __future__ import annotations

import json
from typing import Any


def json_of(text: str | bytes) -> Any:
    """Return the value of a text in JSON.

    Raises:
        ValueError: it is not JSON, or nested deeper than can be read.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("expected JSON that is nested less deep") from None
