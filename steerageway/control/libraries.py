"""Libraries that only some functions need, imported with the first use."""

from __future__ import annotations

from typing import Any

from steerageway.vessel.errors import VesselError


class LibraryMissing(VesselError):
    """A library of the extra ``control`` is not installed."""


def control() -> Any:
    """Return python-control.

    Raises:
        LibraryMissing: it is not installed.
    """
    try:
        import control as library
    except ImportError:
        raise LibraryMissing(
            "python-control is missing: pip install 'steerageway[control]'"
        ) from None
    return library
