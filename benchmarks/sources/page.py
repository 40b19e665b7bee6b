"""Writer of docs/sources.md: a section for each row of the plan, in the plan's order."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.sources.finding import Finding, Value
from benchmarks.sources.plan import DOCUMENTS, ROWS, Row

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "sources.md"
PICTURES = ROOT / "docs" / "sources"
ROUNDING = 1e-11
PALETTE = 48  # maximum colours of a picture
HEAD = """# The documents' figures and tables, repeated

Every figure and table of the documents that this simulator follows, with what comes out here beside
what is stated there. All of it is made by

    python -m benchmarks.sources                # everything: some minutes
    python -m benchmarks.sources asv_figure_22  # one, or all whose name has this in it

Where a value differs, the reason is below it; [errors of the documents](physics_errors.md) has
those of their equations. Times are of the machine that made the page, two shared cores. Rows that
show a program's page, or draw what nobody simulates, say so.
"""
MARK = re.compile(r"^### (.*)$", re.MULTILINE)


def title(row: Row) -> str:
    """Return a row's heading."""
    return f"{DOCUMENTS[row.document].short}, {row.number}: {row.title}"


def sections(file: Path = PAGE) -> dict[str, str]:
    """Return the sections of the page, by key."""
    if not file.is_file():
        return {}
    parts = MARK.split(file.read_text())
    bodies = {
        name: body.partition("\n## ")[0].strip()
        for name, body in zip(parts[1::2], parts[2::2], strict=True)
    }
    return {row.key: bodies[title(row)] for row in ROWS if title(row) in bodies}


def section(row: Row) -> str:
    """Return the body of a row's section; draw its picture."""
    if row.repeat is None:
        return row.instead
    found = row.repeat()
    parts = []
    if found.draw is not None:
        _draw(found, PICTURES / f"{row.key}.png")
        parts.append(f"![{row.title}](sources/{row.key}.png)")
    if found.values:
        parts.append(table(found.values))
    parts.append(found.why)
    return "\n\n".join(parts)


def table(values: tuple[Value, ...]) -> str:
    """Return the table of computed and stated values."""
    lines = ["| | document | here | difference |", "|---|---|---|---|"]
    for value in values:
        stated = "" if value.stated is None else _number(value.stated, value)
        off = "" if value.off is None else _number(value.off, value)
        if value.off is not None and abs(value.off) <= ROUNDING * max(1.0, abs(value.here)):
            off = "0"
        lines.append(f"| {value.what} | {stated} | {_number(value.here, value)} | {off} |")
    return "\n".join(lines)


def _number(number: float, value: Value) -> str:
    text = f"{number:.{value.digits}g}"
    return f"{text} {value.unit}".strip()


def _draw(found: Finding, file: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt
    from PIL import Image

    assert found.draw is not None
    figure = plt.figure(figsize=found.size, layout="constrained")
    found.draw(figure)
    file.parent.mkdir(exist_ok=True)
    figure.savefig(file, dpi=100)
    plt.close(figure)
    Image.open(file).convert("RGB").quantize(PALETTE, dither=0).save(file, optimize=True)


def write(bodies: dict[str, str], file: Path = PAGE) -> None:
    """Write the page."""
    parts = [HEAD.strip()]
    for key, document in DOCUMENTS.items():
        parts.append(f"## {document.name}\n\n{document.about}")
        rows = [row for row in ROWS if row.document == key and row.key in bodies]
        parts += [f"### {title(row)}\n\n{bodies[row.key]}" for row in rows]
    file.write_text("\n\n".join(parts) + "\n")
