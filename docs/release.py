"""What a release publishes: ``python -m docs.release notes TAG``, ``... site TAG FOLDER``.

``notes`` prints the tag's section of CHANGELOG.md. ``site`` adds the site that ``make site`` built
to a folder with those of all versions: a folder for each, ``latest``, and ``versions.json``, which
the pages read for their menu of versions.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
CHANGES, SITE = ROOT / "CHANGELOG.md", ROOT / "build" / "site"
LATEST, LIST = "latest", "versions.json"
VERSION = re.compile(r"v?(\d+(?:\.\d+)+\w*)")
START = '<meta http-equiv="refresh" content="0; url=latest/index.html">\n'


def notes(changes: str, version: str) -> str:
    """Return the section of a version in a list of changes.

    Raises:
        ValueError: there is none.
    """
    heads = re.findall(r"^## .*$", changes, re.MULTILINE)
    for head in heads:
        if version in re.findall(r"[\w.]+", head):
            _, _, rest = changes.partition(f"{head}\n")
            return re.split(r"^## ", rest, flags=re.MULTILINE)[0].strip() + "\n"
    listed = "; ".join(head.removeprefix("## ") for head in heads)
    raise ValueError(f"CHANGELOG.md: expected a section for {version}; it has {listed}")


def add_site(site: Path, folder: Path, version: str) -> None:
    """Add the site of a version to a folder of sites, as the latest."""
    for name in (version, LATEST):
        shutil.rmtree(folder / name, ignore_errors=True)
        shutil.copytree(site, folder / name)
    listing = folder / LIST
    known = json.loads(listing.read_text()) if listing.is_file() else []
    others = [{**row, "aliases": []} for row in known if row["version"] != version]
    first = {"version": version, "title": version, "aliases": [LATEST]}
    listing.write_text(json.dumps([first, *others], indent=1) + "\n")
    (folder / "index.html").write_text(START)


def main(words: Sequence[str]) -> int:
    """Print the notes, or add the site; return the exit code."""
    what, tag, *folder = words
    found = VERSION.fullmatch(tag)
    try:
        if found is None:
            raise ValueError(f"{tag}: expected a version, as v0.1.0")
        if what == "notes":
            print(notes(CHANGES.read_text(encoding="utf-8"), found[1]), end="")
        else:
            add_site(SITE, Path(folder[0]), found[1])
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
