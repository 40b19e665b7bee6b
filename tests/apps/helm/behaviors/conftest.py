"""Behaviors by themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alone import Alone

Make = Callable[..., Alone]


@pytest.fixture
def alone(tmp_path: Path) -> Make:
    """Give ``alone(kind, parameters="", domain=(...), **nav) -> Alone``."""

    def make(kind: str, parameters: str = "", **given: Any) -> Alone:
        return Alone(tmp_path, kind, parameters, **given)

    return make
