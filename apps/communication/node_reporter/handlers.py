"""Handler types of the node reporter's parts."""

from __future__ import annotations

from collections.abc import Callable

from steerageway.bus import Value

Handler = Callable[[Value, float], None]
"""Takes a value at a time [s]; raises ValueError if the value is invalid."""

Handlers = dict[str, Handler]
