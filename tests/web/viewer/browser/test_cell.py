"""The viewer in a cell of a notebook: a frame in another server's page of this machine."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from steerageway.web.serving import CommandError
from steerageway.web.viewer.cell import view
from tests.web.viewer.browser.conftest import READY, Page


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing of it."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def notebook(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Return a folder and the address at which a notebook's server serves it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield tmp_path, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_notebooks_page_shows_the_log_in_a_frame(
    browser: Page, alpha: Path, notebook: tuple[Path, str]
) -> None:
    folder, address = notebook
    cell = view(alpha)
    try:
        html = f"<!doctype html><body>{cell._repr_html_()}</body>"
        (folder / "cell.html").write_text(html)
        browser.driver.get(f"{address}/cell.html")
        browser.driver.switch_to.frame(browser.find("iframe"))
        browser.until(READY)
        browser.driver.switch_to.default_content()
    finally:
        cell.close()


def test_a_log_that_is_not_there_is_told_in_the_cell(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"none\.alog: no such log"):
        view(tmp_path / "none.alog")
