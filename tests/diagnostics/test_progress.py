"""A progress bar is drawn for who sees it."""

from __future__ import annotations

import io
import sys

import pytest

from steerageway.diagnostics.progress import Bar, progress_bar


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


class Gone(Terminal):
    """A terminal that was closed."""

    def write(self, text: str) -> int:
        raise OSError


def test_the_bar_fills_from_nothing_to_all() -> None:
    assert progress_bar(0.0) == "[" + 20 * "-" + "]   0 %"
    assert progress_bar(0.5) == "[" + 10 * "#" + 10 * "-" + "]  50 %"
    assert progress_bar(1.2) == "[" + 20 * "#" + "] 100 %"


@pytest.mark.parametrize("seen", [True, False])
def test_a_bar_is_one_line_rewritten_when_it_changes(
    seen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = Terminal() if seen else io.StringIO()
    with Bar(stream) as bar:
        for part in range(1001):
            bar("sailing", part / 1000)
    lines = stream.getvalue().split("\r")[1:]
    assert len(lines) == (100 + 20 + 1 if seen else 0)
    assert not seen or lines[-1] == f"{progress_bar(1.0)}  sailing\n"
    monkeypatch.setitem(sys.modules, "ipykernel", sys)  # a notebook's cell is no terminal
    notebook = io.StringIO()
    with Bar(notebook) as bar:
        bar("a longer text", 0.0)
        bar("done", 1.0)
    assert notebook.getvalue().endswith("\r[####################] 100 %  done         \n")
    with Bar(Gone()) as bar:
        bar("goes on", 0.5)
