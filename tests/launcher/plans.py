"""Helpers that plan launches without running them."""

from __future__ import annotations

from pathlib import Path

from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import Launch, plan_launch


def plan(*arguments: str | Path) -> Launch:
    """Plan a launch without logs."""
    return plan_launch(parse_options(["--no-log", "--placement", "one", *map(str, arguments)]))
