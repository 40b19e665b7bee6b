"""An unexpected error in one line, for people whose code raised it."""

from __future__ import annotations

from pathlib import Path
from traceback import FrameSummary, extract_tb

_HOME = Path(__file__).parents[1]  # the packages of this project lie in it
_LIBRARIES = ("stdlib", "platstdlib", "purelib", "platlib")


def error_text(error: BaseException) -> str:
    """Describe an unexpected error in one line: what it is, and the line of code it comes from.

    That is the innermost line of a user's own code, not of a package of this project or a library;
    if there is none, the line of the app.
    """
    frames = extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if not _is_library(frame)]
    mine = [frame for frame in theirs if not _is_beside(frame)]
    where = (mine or theirs or frames)[-1]
    return f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"


def _is_library(frame: FrameSummary) -> bool:
    """Whether a frame is in the bus, in Python or in an installed library."""
    from sysconfig import get_path  # imported only when an app has failed

    file = Path(frame.filename)
    libraries = (_HOME / "bus", *(Path(get_path(name)) for name in _LIBRARIES))
    return not file.is_absolute() or any(file.is_relative_to(folder) for folder in libraries)


def _is_beside(frame: FrameSummary) -> bool:
    """Whether a frame is in a package of this project other than the bus."""
    file = Path(frame.filename)
    if not file.is_relative_to(_HOME):
        return False
    return (_HOME / file.relative_to(_HOME).parts[0] / "__init__.py").is_file()
