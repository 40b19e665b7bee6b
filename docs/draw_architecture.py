"""Draws who imports whom, and lists the files, from the sources, for ``architecture.md``.

The lists are those of modules and of scripts of pages, each by what it says of itself, of the files
of tests, and of missions.

In the drawing a row is a package of the project, or a layer of its bus; it stands above everything
it imports. A column is one that is imported: the line rises from it, and has a dot in the row of
each importer.
"""

from __future__ import annotations

import ast
import re
import tokenize
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from inspect import cleandoc
from itertools import groupby, takewhile
from pathlib import Path
from textwrap import wrap

ROOT = Path(__file__).parents[1]
NAME = "steerageway"
PICTURE = "imports.svg"  # of the site, beside the page
ALL_IMPORTS = "Imports between the packages, and between the layers of the bus"
EVERYWHERE = ("__init__.py", "__main__.py", "options.py", "variables.py")  # of what, is told above
ABOVE = (tokenize.COMMENT, tokenize.NL)  # what may stand above a module's docstring
SENTENCE = re.compile(r".*?[a-z)]\.(?=\s|$)", re.DOTALL)
ESCAPED = "\\|"  # in a table

LEFT, TEXT, LANES, LANE = 14, 130, 775, 26  # px: margin, texts, first column, between columns
WIDTH, TOP, HEAD, LINE, PAD, GAP = 970, 14, 34, 16, 16, 4  # px
DOT, UNDER = 21, 7  # px: above the foot of a row, an importer's dot and the line that ends there
CHARACTERS = 88  # in a line of text
COLOURS = ("#1f77b4", "#d95f02", "#2a9d5c", "#c0392b", "#7b52ab", "#8c6d31", "#444444")

Graph = Mapping[str, frozenset[str]]


class Circle(ValueError):
    """Some import goes in a circle, so nothing can stand above what it imports."""


def drawing(root: Path) -> str:
    """Give the drawing of a checkout, as SVG."""
    packages, layers = packages_of(root), folders_of(root / "bus")
    rows = {name: (_summary(path),) for name, path in packages.items()}
    bus = {name: (_summary(path), _modules(path)) for name, path in layers.items()}
    found, height = [], TOP
    for title, graph, texts in (
        ("The packages of the project", imports_between(packages, NAME), rows),
        ("The layers of bus/, with their modules", imports_between(layers, f"{NAME}.bus"), bus),
    ):
        panel, height = _panel(title, graph, texts, height)
        found += panel
    return "\n".join((_head(height), *found, "</svg>")) + "\n"


def listed(root: Path) -> str:
    """Give the lists of a checkout's modules, tests and missions."""
    found = [path for path in packages_of(root).values() if path.is_dir()]
    folders = [path.relative_to(root).as_posix() for path in found]
    modules = [_modules_listed(root, folder) for folder in (*folders, "benchmarks")]
    return "\n".join((*modules, _tests_listed(root), _missions_listed(root)))


def _modules_listed(root: Path, package: str) -> str:
    """Give the table of a package's modules, and of the scripts of its pages."""
    found = (path for suffix in ("py", "js") for path in (root / package).rglob(f"*.{suffix}"))
    rows = [
        (f"`{path.relative_to(root)}`", _script(path) if path.suffix == ".js" else _summary(path))
        for path in sorted(found, key=lambda path: path.with_suffix(""))
        if path.name not in EVERYWHERE and "vendor" not in path.parts
    ]
    return _table(f"{package}/", ("Module", "What is in it"), rows)


def _tests_listed(root: Path) -> str:
    """Give the table of the files of tests, by folder."""
    files = sorted((root / "tests").rglob("test_*.py"))
    rows = [
        (f"`{folder.relative_to(root)}/`", ", ".join(f"`{file.name}`" for file in files))
        for folder, files in groupby(files, key=lambda path: path.parent)
    ]
    return _table("tests/", ("Folder", "Files"), rows)


def _missions_listed(root: Path) -> str:
    """Give the table of the missions, each by the first sentence about it."""
    return _table(
        "missions/",
        ("Mission", "What happens"),
        [
            (f"`{path.parent.relative_to(root)}/`", _about(path))
            for path in sorted((root / "missions").glob("*/README.md"))
        ],
    )


def _about(page: Path) -> str:
    """Give the first sentence of a page below its title, without its links."""
    paragraph = page.read_text(encoding="utf-8").split("\n\n")[1].partition("```")[0]
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", _first_sentence(paragraph))


def _table(title: str, heads: tuple[str, str], rows: Iterable[tuple[str, str]]) -> str:
    told = [f"| {key} | {text.rstrip('.:;').replace('|', ESCAPED)} |\n" for key, text in rows]
    return "".join((f"### {title}\n\n| {heads[0]} | {heads[1]} |\n|---|---|\n", *told))


def _script(path: Path) -> str:
    """Give the first sentence of the comment that a page's script begins with."""
    lines = takewhile(lambda line: line.startswith("//"), path.read_text("utf-8").splitlines())
    return _first_sentence(" ".join(line.removeprefix("//") for line in lines))


def _first_sentence(text: str) -> str:
    found = SENTENCE.match(text)
    return " ".join((found[0] if found else text).split())


def packages_of(root: Path) -> dict[str, Path]:
    """Give the packages that are installed, and the script that starts missions."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    places = {
        name.partition(".")[2]: root / folder
        for name, folder in project["tool"]["setuptools"]["package-dir"].items()
    }
    found = {n: path for n, path in places.items() if n and (path / "__init__.py").exists()}
    return {"launch.py": root / "launch.py", **found}


def folders_of(package: Path) -> dict[str, Path]:
    """Give the packages inside a package."""
    return {path.parent.name: path.parent for path in sorted(package.glob("*/__init__.py"))}


def imports_between(packages: Mapping[str, Path], parent: str) -> Graph:
    """Give which of some packages each imports, wherever in a module it does.

    Args:
        packages: name -> its folder or file.
        parent: the package that holds them.
    """
    return {
        name: frozenset(
            part
            for file in (path.rglob("*.py") if path.is_dir() else [path])
            for module in _imports(file)
            if module.startswith(f"{parent}.")
            for part in [module.removeprefix(f"{parent}.").partition(".")[0]]
            if part in packages and part != name
        )
        for name, path in packages.items()
    }


def order(graph: Graph) -> list[str]:
    """Give the names so that each comes before whatever it imports; of equals, by name.

    Raises:
        Circle: that cannot be.
    """
    floors: dict[str, int] = {}
    while len(floors) < len(graph):
        ready = [n for n, below in graph.items() if n not in floors and below <= floors.keys()]
        if not ready:
            raise Circle(", ".join(sorted(graph.keys() - floors.keys())))
        floors |= {n: 1 + max((floors[b] for b in graph[n]), default=-1) for n in ready}
    return sorted(graph, key=lambda name: (-floors[name], name))


def _imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def _summary(path: Path) -> str:
    """Give the first line of a package's or module's docstring."""
    source = path / "__init__.py" if path.is_dir() else path
    with tokenize.open(source) as file:  # no further than its docstring
        first = next(one for one in tokenize.generate_tokens(file.readline) if one[0] not in ABOVE)
    text = cleandoc(ast.literal_eval(first.string)) if first.type == tokenize.STRING else ""
    return text.partition("\n")[0].replace("``", "")


def _modules(folder: Path) -> str:
    """Name the modules of a layer."""
    stems = sorted(file.stem for file in folder.glob("*.py"))
    return ", ".join(stem for stem in stems if stem != "__init__")


def _panel(
    title: str, graph: Graph, texts: Mapping[str, tuple[str, ...]], top: int
) -> tuple[list[str], int]:
    """Draw a heading and the rows below it; give also where the next panel begins [px]."""
    names = order(graph)
    imported = [name for name in names if any(name in below for below in graph.values())]
    lanes = {name: LANES + place * LANE for place, name in enumerate(reversed(imported))}
    found = [_text(LEFT, top + 18, title, 'font-size="15" font-weight="bold"')]
    height, feet = top + HEAD, dict[str, int]()
    for name in names:
        lines = [line for text in texts[name] for line in wrap(text, CHARACTERS)]
        deep = max(1, len(lines)) * LINE + PAD
        found.append(_box(height, deep))
        found.append(_text(LEFT + 8, height + 20, name, 'font-weight="bold"'))
        for number, line in enumerate(lines):
            found.append(_text(TEXT, height + 20 + number * LINE, line, 'font-size="12"'))
        height += deep + GAP
        feet[name] = height - GAP
    for place, (name, lane) in enumerate(lanes.items()):
        importers = [feet[other] for other in names if name in graph[other]]
        found += _lane(lane, feet[name], importers, COLOURS[place % len(COLOURS)])
    return found, height + HEAD // 2


def _lane(x: int, foot: int, importers: list[int], colour: str) -> Iterator[str]:
    """Draw a column: from the foot of what is imported up to the rows of those who import it."""
    yield (
        f'<path d="M {LANES - 22} {foot - UNDER} H {x} V {min(importers) - DOT}" fill="none" '
        f'stroke="{colour}" stroke-width="2"/>'
    )
    yield f'<path d="M {LANES - 30} {foot - UNDER} l 9 -5 v 10 z" fill="{colour}"/>'
    for row in importers:
        yield f'<circle cx="{x}" cy="{row - DOT}" r="5" fill="{colour}"/>'


def _box(top: int, height: int) -> str:
    return (
        f'<rect x="{LEFT}" y="{top}" width="{WIDTH - 2 * LEFT}" height="{height}" rx="4" '
        'fill="#f2f5f8" stroke="#c4ced8"/>'
    )


def _text(x: int, y: int, text: str, style: str) -> str:
    return f'<text x="{x}" y="{y}" {style}>{escape(text)}</text>'


def _head(height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="DejaVu Sans, Arial, sans-serif" '
        'font-size="13">\n'
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>'
    )
