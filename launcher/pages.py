"""``steerageway help TOPIC``: the pages of the documentation, which an installation contains."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from steerageway.apps.shared.terminal import say
from steerageway.declarations.arguments import Parser
from steerageway.diagnostics.nearest import did_you_mean
from steerageway.launcher.completion import offer

FOLDER = Path(__file__).resolve().parents[1] / "docs"
WRONG = 2


def topics() -> dict[str, Path]:
    """Return the topics and the page of each: ``sweeps`` is docs/sweeps.md."""
    return {page.stem: page for page in sorted(FOLDER.rglob("*.md"))}


def main(arguments: Sequence[str] | None = None, prog: str = "help") -> int:
    """Print a page; return the exit code: 0, or 2 if there is none of this name."""
    pages = topics()
    about = "Print a page of the documentation, or the help of a command."
    parser = Parser(prog=prog, description=about, epilog=f"topics: {', '.join(pages)}")
    offer(parser.add_argument("topic", metavar="TOPIC", help="a page, or a command"), topics)
    topic = parser.parse_args(arguments).topic
    if topic not in pages:
        say(f"{prog}: {topic}: no such page; {did_you_mean(topic, pages)}", to=sys.stderr)
        return WRONG
    say(pages[topic].read_text(encoding="utf-8"), end="")
    return 0
