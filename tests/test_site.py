"""The documentation becomes a site: all pages in its navigation, nothing from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FROM_ELSEWHERE = re.compile(
    r'<(?:script|img|iframe|source)[^>]+src="?https?:|<link[^>]+href="?https?:'
)


@pytest.mark.process
def test_the_site_builds_with_every_page_and_nothing_from_elsewhere(tmp_path: Path) -> None:
    command = (sys.executable, "docs/build_site.py", str(tmp_path / "site"))
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    pages = {path: path.read_text() for path in (tmp_path / "site").rglob("*.html")}
    assert len(pages) > 60
    assert "Steerageway" in pages[tmp_path / "site" / "index.html"]
    assert not [path for path, text in pages.items() if FROM_ELSEWHERE.search(text)]


def test_every_mission_is_on_the_page_of_missions() -> None:
    told = set(re.findall(r"missions/(\w+)/README\.md", (ROOT / "docs/missions.md").read_text()))
    assert told == {path.parent.name for path in ROOT.glob("missions/*/README.md")}
