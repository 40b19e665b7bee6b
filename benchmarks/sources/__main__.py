"""Reproduces figures and tables of documents: ``python -m benchmarks.sources [NAME ...]``.

Writes ``docs/sources.md`` and its pictures in ``docs/sources/``. Names are anchors of the page,
such as
``asv_figure_22``, or parts of them; the rest of the page is kept.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.sources import page
from benchmarks.sources.plan import ROWS
from steerageway.bus import wall


def main() -> int:
    """Reproduce the selected rows and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("names", nargs="*", metavar="NAME", help="names of rows, or parts of them")
    options = parser.parse_args()
    wanted = [row for row in ROWS if not options.names or any(n in row.key for n in options.names)]
    if not wanted:
        print(f"{' '.join(options.names)}: expected one of:", file=sys.stderr)
        print("\n".join(row.key for row in ROWS), file=sys.stderr)
        return 2
    written = page.sections()
    for row in wanted:
        start = wall()
        written[row.key] = page.section(row)
        if row.repeat is not None:
            print(f"{row.key}: {wall() - start:.1f} s", flush=True)
    page.write(written)
    return 0


if __name__ == "__main__":
    sys.exit(main())
