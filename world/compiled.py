"""How the project compiles: numba, kept on disk, IEEE arithmetic, no reordering (no fastmath).

Machine code is kept once for each machine (``world.machine_cache``). A model is spread over several
files, so the name on disk carries a fingerprint of the compiled sources here, beside the function
and in the folders above it, and of the formulas (``formula``) in the folders next to it: machine
code never outlives an edit of what it was made of.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit, types
from numba.core.errors import TypingError
from numba.extending import intrinsic

from steerageway.world.machine_cache import kept_for_the_machine

CPointer: Any = types.CPointer
Function = TypeVar("Function", bound=Callable[..., Any])
HERE = Path(__file__).parent


@cache
def fingerprint(folder: Path) -> str:
    """Give a digest of the sources of what is compiled in a folder."""
    digest = sha256()
    above = [place for place in folder.parents if (place / "__init__.py").is_file()]
    compiling = {path for place in (HERE, folder, *above) for path in place.glob("*.py")}
    beside = {path for place in above[:-1] for path in place.glob("*/*.py")}
    for path in sorted(compiling | beside):
        text = path.read_bytes()
        marks = (b"@compiled", b"@part", b"@formula") if path in compiling else (b"@formula",)
        if any(mark in text for mark in marks):
            digest.update(text)
    return digest.hexdigest()[:12]


def compiled(function: Function) -> Function:
    """Compile at first call and keep the result on disk; 1/0 is inf, as in NumPy.

    Where there is nowhere to keep it (a read-only installation without a home, say), every process
    compiles for itself.
    """
    source: Any = function
    folder = Path(source.__code__.co_filename).parent
    source.__qualname__ = f"{source.__qualname__}_{fingerprint(folder)}"
    try:
        with kept_for_the_machine():
            return cast(Function, njit(cache=True, error_model="numpy")(source))
    except RuntimeError:  # there is no folder that may be written to
        return cast(Function, njit(error_model="numpy")(source))


def part(function: Function) -> Function:
    """Compile as ``compiled`` does, but into whatever calls it: for parts of a larger function.

    As ``part(formula)`` it makes the part of a formula, which itself stays as it is.
    """
    source: Any = function
    return cast(Function, njit(error_model="numpy", forceinline=True)(source))


def _pointer(typing: Any, array: Any) -> Any:
    if array.layout != "C":
        raise TypingError(f"{array}: expected a C-contiguous array")
    signature = CPointer(array.dtype)(array)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return signature, generate


# Where a C-contiguous array's numbers lie. Compiled code counts its references to arrays at every
# call, two thirds of what a right-hand side would cost; references to bare numbers it does not.
# Read and written by one flat index, unchecked; valid while the caller holds the array.
pointer = cast(Callable[[Any], Any], intrinsic(_pointer))


def _record(typing: Any, records: Any, index: Any) -> Any:
    signature = records.dtype(records, index)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.gep(arguments[0], [arguments[1]])

    return signature, generate


# One of the records that a pointer leads to, by its index, unchecked; its fields are attributes.
record = cast(Callable[[Any, Any], Any], intrinsic(_record))
