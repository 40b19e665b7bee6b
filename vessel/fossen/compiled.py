"""How the package compiles: numba, kept on disk, IEEE arithmetic, no reordering (no fastmath).

numba keeps machine code beside a function's own file and asks only that file whether it is still
fresh. A model is spread over several, so the name on disk carries a fingerprint of the compiled
sources here and beside the function: machine code never outlives an edit of what it was made of.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from numba import njit

HERE = Path(__file__).parent


@cache
def fingerprint(folder: Path) -> str:
    """Give a digest of the sources that compile something, in this package and in ``folder``."""
    digest = sha256()
    for path in sorted({*HERE.glob("*.py"), *folder.glob("*.py")}):
        text = path.read_bytes()
        if b"@compiled" in text:
            digest.update(text)
    return digest.hexdigest()[:12]


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile at first call and keep the result on disk; 1/0 is inf, as in NumPy."""
    folder = Path(function.__code__.co_filename).parent
    function.__qualname__ = f"{function.__qualname__}_{fingerprint(folder)}"
    dispatcher: Callable[..., Any] = njit(cache=True, error_model="numpy")(function)
    return dispatcher
