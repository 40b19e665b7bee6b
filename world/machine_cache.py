"""Cache folder of machine code: shared by all environments of a machine.

``~/.cache/steerageway/compiled`` (below ``XDG_CACHE_HOME``, if that is set) contains a folder for
each processor type and each version of Python and numba. The names of the cached functions carry
a fingerprint of their sources, so that several installed versions share the folder. It may be
deleted at any time; missing functions are compiled again.
"""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import llvmlite.binding as llvm
import numba
import numba.core.config

LOCATOR = f"{__name__}.MachineLocator"
# numba reads settings from a file of the current folder, which may be another person's: they could
# name a cache, whose contents are unpickled, or a class to load. NUMBA_* of the environment remain.
numba_config: Any = numba.core.config
numba_config._config_fname = ""
numba_config.reload_config()
_LETTERS = 8  # of the digest of a processor's features


@cache
def folder() -> Path:
    """Return the folder for this processor and these versions; it may not exist yet."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    features = sha256(llvm.get_host_cpu_features().flatten().encode()).hexdigest()[:_LETTERS]
    processor = f"{platform.machine()}-{llvm.get_host_cpu_name()}-{features}"
    versions = f"python{platform.python_version()}-numba{numba.__version__}"
    return base / "steerageway" / "compiled" / processor / versions


@contextmanager
def kept_for_the_machine() -> Iterator[None]:
    """Let numba cache functions decorated in the context here, except with ``NUMBA_CACHE_DIR``."""
    before = numba_config.CACHE_LOCATOR_CLASSES
    if not numba_config.CACHE_DIR:
        numba_config.CACHE_LOCATOR_CLASSES = LOCATOR
    try:
        yield
    finally:
        numba_config.CACHE_LOCATOR_CLASSES = before


def kept(function: Any) -> Any:
    """Return a compiled function that is used also where its machine code cannot be written."""
    cache: Any = function._cache
    save = cache.save_overload

    def attempt(signature: Any, code: Any) -> None:
        with suppress(OSError):  # e.g. a full disk: the next process compiles again
            save(signature, code)

    cache.save_overload = attempt
    return function


class MachineLocator:
    """Cache locator for numba: where a function's machine code is kept. The methods are numba's."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file = file  # these two names are numba's, for its warnings
        self._lineno = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> Self | None:
        """Return a function's locator; None without a source file or a writable folder."""
        if not Path(file).is_file():
            return None
        found = cls(function, file)
        try:
            found.ensure_cache_path()
        except (OSError, RuntimeError):  # the latter without a home directory
            return None
        return found

    def ensure_cache_path(self) -> None:
        """Create the folder, and check that it is writable."""
        _make_writable(self.get_cache_path())

    def get_cache_path(self) -> str:
        """Return the cache folder."""
        return str(folder())

    def get_source_stamp(self) -> str:
        """Return the source stamp: constant, as the functions' names carry the fingerprint."""
        return ""

    def get_disambiguator(self) -> str:
        """Return a text that distinguishes functions of the same name."""
        return str(self._lineno)


@cache
def _make_writable(path: str) -> None:
    os.makedirs(path, exist_ok=True)
    tempfile.TemporaryFile(dir=path).close()
