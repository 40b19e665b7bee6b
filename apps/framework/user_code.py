"""User-defined Python: checks of its imports, and what keeps it from being loaded unasked."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import steerageway
from steerageway.bus import ConfigError, Setting

NAMESPACE = "steerageway"
CODE_KEYS = ("behavior_path", "ivp_behavior_dir", "ivp_behavior_dirs")  # of a helm
_HOME = Path(__file__).resolve().parents[2]
_IN = str(Path(steerageway.__file__).parents[1])
NO_CODE = "Python of the mission's own; --no-code refuses it"
_PACKAGES = ("apps", "bus", "ivp", "launcher", "moos", "vessel", "world")


def program(module: str) -> list[str]:
    """Return the command that runs one of our modules as a program, in any folder.

    ``python -m`` would load modules from the current folder first, which may be a mission's.
    """
    find = f"import runpy, sys; sys.path.append({_IN!r})"
    run = f"runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
    return [sys.executable, "-P", "-c", f"{find}; {run}"]


def check_no_code(setting: Setting, problem: str = NO_CODE) -> None:
    """Check that a helm's block names no Python files.

    Raises:
        ConfigError: the first line that does.
    """
    for entry in setting.config.entries:
        place = setting.folder / entry.value.strip()
        if entry.key.lower() in CODE_KEYS and (place.is_file() or any(place.glob("*.py"))):
            raise ConfigError(entry.where, entry.key, entry.value, problem)


def check_imports(file: Path) -> None:
    """Check that a file imports the project's packages from ``steerageway``.

    A user's package of the same name next to the file is accepted.

    Raises:
        ImportError: a package is imported by its bare name, which works only in a checkout, and
            loads a second copy of it.
    """
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return  # the loader of the file reports the error
    for node, package in _imports(tree):
        if package in _PACKAGES and not _is_own(file.parent, package):
            raise ImportError(
                f"{file.name}:{node.lineno}: {ast.unparse(node)}: write {_corrected(node, package)}"
            )


def _corrected(node: ast.Import | ast.ImportFrom, package: str) -> str:
    """Return the correct import, with which the remaining code still works."""
    if isinstance(node, ast.Import) and package in [a.name for a in node.names if not a.asname]:
        return f"from {NAMESPACE} import {package}"
    return ast.unparse(node).replace(package, f"{NAMESPACE}.{package}", 1)


def _imports(tree: ast.Module) -> Iterator[tuple[ast.Import | ast.ImportFrom, str]]:
    """Yield every import with the top-level package of each imported name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node, node.module.partition(".")[0]
        elif isinstance(node, ast.Import):
            yield from ((node, alias.name.partition(".")[0]) for alias in node.names)


def _is_own(folder: Path, package: str) -> bool:
    """Whether a user's own package or module of this name is in a folder."""
    if folder.resolve() == _HOME:
        return False
    return (folder / package).is_dir() or (folder / f"{package}.py").is_file()
