"""Build the documentation as a site: ``python -m docs.build_site [FOLDER]``.

The pages are the Markdown files of docs/, and whatever Markdown they link to outside: the README,
the variables, what missions say of themselves. They are laid into one folder, with the
tables that their marks stand for (``write_tables.py``) and links turned to where things are there,
and Zensical makes the site of it.
"""

from __future__ import annotations

import os
import posixpath
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from docs.draw_architecture import PICTURE, drawing
from docs.write_tables import with_tables

ROOT = Path(__file__).parents[1]
PAGES, SITE = ROOT / "build" / "pages", ROOT / "build" / "site"
CONFIGURATION = ROOT / "mkdocs.yml"
LINKED_ONLY = ("missions/", "tests/")  # pages that others lead to
OVERVIEW = "README.md"
LINK = re.compile(r"(?<!\\)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)")


def place(source: str) -> str:
    """Give where in the site a file is, named by its path from the project's root."""
    return "overview.md" if source == OVERVIEW else source.removeprefix("docs/")


def target(source: str, link: str) -> str:
    """Give what a link of a file means, as a path from the project's root."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), link))


@cache
def text_of(source: str) -> str:
    """Give a page's text with its tables."""
    return with_tables((ROOT / source).read_text(encoding="utf-8"))


def linked(source: str) -> list[str]:
    """Give what a page links to that is there, by paths from the project's root."""
    links = [target(source, link) for link, _ in LINK.findall(text_of(source))]
    return [link for link in links if (ROOT / link).is_file()]


def sources() -> list[str]:
    """Give the files of the site: the pages, and what they link to, by paths from the root."""
    pages = sorted((ROOT / "docs").rglob("*.md"))
    waiting = [OVERVIEW, *(page.relative_to(ROOT).as_posix() for page in pages)]
    found = set(waiting)
    for source in waiting:
        if source.endswith(".md"):
            new = [link for link in linked(source) if link not in found]
            waiting += dict.fromkeys(new)
            found.update(new)
    return waiting


def text_there(source: str) -> str:
    """Give a page's text with links turned to where things are in the site."""
    here = posixpath.dirname(place(source))

    def turned(match: re.Match[str]) -> str:
        link, anchor = match.groups()
        there = posixpath.relpath(place(target(source, link)), here or ".")
        return f"]({there}{anchor or ''})"

    return LINK.sub(turned, text_of(source))


def lay_out(folder: Path) -> None:
    """Write the files of the site into a folder, which is made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    for source in sources():
        there = folder / place(source)
        there.parent.mkdir(parents=True, exist_ok=True)
        if source.endswith(".md"):
            there.write_text(text_there(source), encoding="utf-8")
        else:
            shutil.copyfile(ROOT / source, there)
    (folder / PICTURE).write_text(drawing(ROOT), encoding="utf-8")


def in_navigation() -> set[str]:
    """Give the pages that ``mkdocs.yml`` puts into the navigation."""
    return set(re.findall(r": (\S+\.md)$", CONFIGURATION.read_text(encoding="utf-8"), re.MULTILINE))


def main() -> int:
    """Build the site; 0 when no link is broken and no page of docs/ missing in the navigation."""
    site = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else SITE
    lay_out(PAGES)
    forgotten = {page.relative_to(PAGES).as_posix() for page in PAGES.rglob("*.md")}
    forgotten = {page for page in forgotten - in_navigation() if not page.startswith(LINKED_ONLY)}
    for page in sorted(forgotten):
        print(f"{CONFIGURATION.name}: {page} is not in nav", file=sys.stderr)
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    built = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=False
    )
    if built.returncode == 0 and site != SITE:
        shutil.copytree(SITE, site, dirs_exist_ok=True)
    return int(built.returncode != 0 or bool(forgotten))


if __name__ == "__main__":
    sys.exit(main())
