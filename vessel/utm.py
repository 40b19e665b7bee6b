"""``geometry.utm``, by the name that scripts of this library import it by."""

from __future__ import annotations

from steerageway.geometry.utm import UtmDatum, central_meridian, forward, inverse

__all__ = ["UtmDatum", "central_meridian", "forward", "inverse"]
