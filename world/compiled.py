"""Compilation by numba: cached on disk, IEEE arithmetic, no reordering (no fastmath).

Machine code is cached once per machine (``world.machine_cache``). A model is spread over several
files, so the function's name in the cache carries a fingerprint of the compiled sources here, in
the function's folder and in the folders above it, of the formulas (``formula``) in sibling
folders, and of ``constants``: an edit of any of these sources invalidates the machine code.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit, types
from numba.core import event
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

from steerageway.world.compiling import report
from steerageway.world.formula import chosen, everywhere
from steerageway.world.machine_cache import kept, kept_for_the_machine

CPointer: Any = types.CPointer
Function = TypeVar("Function", bound=Callable[..., Any])
HERE = Path(__file__).parent
NAMESPACE = "steerageway"
CONSTANTS = HERE / "constants.py"  # compiled code contains their values


class _Reporter(event.Listener):
    """Reports each function that is compiled, for a display."""

    def on_start(self, event: Any) -> None:
        report(event.data["dispatcher"].py_func.__name__)

    def on_end(self, event: Any) -> None:
        """Do nothing."""


cast(Any, event).register("numba:compile", _Reporter())


@cache
def fingerprint(folder: Path) -> str:
    """Return a digest of the sources that affect the compiled functions of a folder."""
    digest = sha256()
    above = [place for place in folder.parents if (place / "__init__.py").is_file()]
    above = [place for place in above if place.name != NAMESPACE]  # none in a checkout
    compiling = {path for place in (HERE, folder, *above) for path in place.glob("*.py")}
    beside = {path for place in above for path in place.glob("*/*.py")}
    for path in sorted(compiling | beside):
        text = path.read_bytes()
        marks = (b"@compiled", b"@part", b"@formula") if path in compiling else (b"@formula",)
        if path == CONSTANTS or any(mark in text for mark in marks):
            digest.update(text)
    return digest.hexdigest()[:12]


def compiled(function: Function) -> Function:
    """Compile at first call and keep the result on disk; 1/0 is inf, as in NumPy.

    Without a writable cache folder (e.g. a read-only installation without a home directory), every
    process compiles again.
    """
    source: Any = function
    folder = Path(source.__code__.co_filename).parent
    source.__qualname__ = f"{source.__qualname__}_{fingerprint(folder)}"
    try:
        with kept_for_the_machine():
            return cast(Function, _once(kept(njit(cache=True, error_model="numpy")(source))))
    except RuntimeError:  # no writable cache folder
        return cast(Function, njit(error_model="numpy")(source))


def is_kept(function: Any) -> bool:
    """Whether machine code of a compiled function is on disk, or cannot be kept there."""
    file = getattr(function._cache, "_cache_file", None)
    return file is None or Path(file._index_path).with_suffix(".1.nbc").is_file()


def part(function: Function) -> Function:
    """Compile a part of a larger function: like ``compiled``, but inlined into its callers.

    ``part(formula)`` returns the compiled version of a formula, which itself remains plain Python.
    Python cannot call a part: what that needs would take as long to compile as the part itself.
    """
    source: Any = function
    without: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    dispatcher: Any = njit(error_model="numpy", forceinline=True, **without)(source)
    dispatcher.add_overload = lambda code: dispatcher.overloads.update(
        {tuple(code.signature.args): code}
    )
    dispatcher._compile_for_args = _refuse
    return cast(Function, _once(dispatcher))


def _once(dispatcher: Any) -> Any:
    """Compile a function once, not anew for each constant that compiled code calls it with."""
    find, plain = dispatcher.get_call_template, cast(Any, types.unliteral)
    dispatcher.get_call_template = lambda given, named: find(
        [plain(one) for one in given], {name: plain(one) for name, one in named.items()}
    )
    return dispatcher


def _refuse(*arguments: object, **named: object) -> object:
    raise TypeError("a part of compiled functions, which only these can call")


def _pointer(typing: Any, array: Any) -> Any:
    if array.layout != "C":
        raise TypingError(f"{array}: expected a C-contiguous array")
    signature = CPointer(array.dtype)(array)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return signature, generate


# Address of a C-contiguous array's numbers. Compiled code counts its references to arrays at every
# call, two thirds of the cost of a right-hand side; bare pointers are not counted.
# Read and written by a flat index, unchecked; valid only while the caller holds the array.
pointer = cast(Callable[[Any], Any], intrinsic(_pointer))


def _record(typing: Any, records: Any, index: Any) -> Any:
    signature = records.dtype(records, index)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.gep(arguments[0], [arguments[1]])

    return signature, generate


# One of the records at a pointer, by its index, unchecked; its fields are attributes.
record = cast(Callable[[Any, Any], Any], intrinsic(_record))


@overload(chosen, strict=False, jit_options={"forceinline": True})
def _chosen(condition: Any, one: Any, other: Any) -> Any:
    one_bit = isinstance(condition, types.Boolean)
    return (lambda condition, one, other: one if condition else other) if one_bit else None


@overload(everywhere, strict=False, jit_options={"forceinline": True})
def _everywhere(condition: Any) -> Any:
    return (lambda condition: condition) if isinstance(condition, types.Boolean) else None
