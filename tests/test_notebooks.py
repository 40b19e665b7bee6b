"""The notebooks work as written, cell by cell, and draw what they say."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs" / "notebooks").glob("*.ipynb"))


def shown_by(source: str, names: dict[str, Any]) -> Any:
    """Run a cell; return the value of its last line, as a notebook shows it."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_each_cell_runs_and_pictures_tables_and_the_viewer_are_shown(
    notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    read = json.loads(notebook.read_text(encoding="utf-8"))
    assert (read["nbformat"], read["nbformat_minor"]) == (4, 5)
    cells = [one for one in read["cells"] if one["cell_type"] == "code"]
    assert all(one["outputs"] == [] for one in cells)
    names: dict[str, Any] = {}
    shown = [shown_by("".join(one["source"]), names) for one in cells]
    pictures = [one._repr_png_() for one in shown if hasattr(one, "_repr_png_")]
    assert [picture[:4] for picture in pictures] == [b"\x89PNG"] * 3
    assert [len(one) > 4 for one in shown if hasattr(one, "columns")] == [True, True]
    (cell,) = [one for one in shown if hasattr(one, "address")]
    assert cell.address.partition("#")[0] in cell._repr_html_()
    cell.close()
