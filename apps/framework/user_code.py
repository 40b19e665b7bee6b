"""Checks the imports of a user's Python file before it is loaded."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

NAMESPACE = "steerageway"
CODE_KEYS = ("behavior_path", "ivp_behavior_dir", "ivp_behavior_dirs")  # of a helm
_HOME = Path(__file__).resolve().parents[2]
_PACKAGES = ("apps", "bus", "ivp", "launcher", "moos", "vessel", "world")


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
