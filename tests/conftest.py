"""How property-based tests draw their examples."""

from __future__ import annotations

from hypothesis import settings

# A busy machine fails no test, and the same tree always tries the same examples. Others are tried
# by ``pytest --hypothesis-profile=search``.
settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None)
settings.load_profile("same")
