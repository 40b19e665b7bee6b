"""The notebooks work as written, cell by cell, and draw what they say."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs" / "notebooks").glob("*.ipynb"))

EXPECTED = {"first_steps": (3, 2, 1), "learning": (0, 0, 0)}
"""Pictures, tables and viewers of each notebook."""


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
    pictures, tables, viewers = EXPECTED[notebook.stem]
    drawn = [one._repr_png_() for one in shown if hasattr(one, "_repr_png_")]
    assert [picture[:4] for picture in drawn] == [b"\x89PNG"] * pictures
    assert [len(one) > 4 for one in shown if hasattr(one, "columns")] == [True] * tables
    cells_of_viewers = [one for one in shown if hasattr(one, "address")]
    assert len(cells_of_viewers) == viewers
    for cell in cells_of_viewers:
        assert cell.address.partition("#")[0] in cell._repr_html_()
        cell.close()
    if "curve" in names:  # a policy that learns
        assert names["curve"][-1] > 2.0 * names["curve"][0]
        assert names["info"]["reached"]
        assert [one.get_axes() != [] for one in shown if isinstance(one, Figure)] == [True, True]
