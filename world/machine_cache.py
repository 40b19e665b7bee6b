"""Where machine code is kept: once for each machine, whatever environment a program runs in.

``~/.cache/steerageway/compiled`` (below ``XDG_CACHE_HOME``, if that is set) holds a folder for each
kind of processor and each version of Python and numba. The names of the functions in it carry a
fingerprint of their sources, so that installations of several versions share the folder. It may be
deleted at any time; what is needed is compiled again.
"""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import llvmlite.binding as llvm
import numba

LOCATOR = f"{__name__}.MachineLocator"
_LETTERS = 8  # of the digest of a processor's features


@cache
def folder() -> Path:
    """Give the folder for this processor and these versions; it need not be there yet."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    features = sha256(llvm.get_host_cpu_features().flatten().encode()).hexdigest()[:_LETTERS]
    processor = f"{platform.machine()}-{llvm.get_host_cpu_name()}-{features}"
    versions = f"python{platform.python_version()}-numba{numba.__version__}"
    return base / "steerageway" / "compiled" / processor / versions


@contextmanager
def kept_for_the_machine() -> Iterator[None]:
    """Have numba keep here what is decorated meanwhile, unless ``NUMBA_CACHE_DIR`` is set."""
    config: Any = numba.config
    before = config.CACHE_LOCATOR_CLASSES
    if not config.CACHE_DIR:
        config.CACHE_LOCATOR_CLASSES = LOCATOR
    try:
        yield
    finally:
        config.CACHE_LOCATOR_CLASSES = before


class MachineLocator:
    """Tells numba where a function is kept; the methods are those that numba calls."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file = file  # these two names are numba's, for its warnings
        self._lineno = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> Self | None:
        """Give a function's locator; None without a source, or where nothing can be written."""
        if not Path(file).is_file():
            return None
        found = cls(function, file)
        try:
            found.ensure_cache_path()
        except (OSError, RuntimeError):  # the latter where there is no home
            return None
        return found

    def ensure_cache_path(self) -> None:
        """Make the folder, and see that it can be written to."""
        _make_writable(self.get_cache_path())

    def get_cache_path(self) -> str:
        """Give the folder."""
        return str(folder())

    def get_source_stamp(self) -> str:
        """Give what tells sources apart: nothing, as the functions' names do."""
        return ""

    def get_disambiguator(self) -> str:
        """Give what tells functions of one name apart."""
        return str(self._lineno)


@cache
def _make_writable(path: str) -> None:
    os.makedirs(path, exist_ok=True)
    tempfile.TemporaryFile(dir=path).close()
