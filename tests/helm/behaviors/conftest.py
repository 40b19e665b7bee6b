"""Fixtures for tests of single behaviors."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from alone import Alone

Make = Callable[..., Alone]


@pytest.fixture
def alone() -> Make:
    """Return ``alone(kind, parameters="", domain=(...), **nav) -> Alone``."""
    return Alone
