"""``steerageway help TOPIC``: the pages of the documentation, which an installation contains."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from steerageway.apps.shared.terminal import say
from steerageway.declarations.arguments import Parser
from steerageway.diagnostics.nearest import did_you_mean
from steerageway.launcher.completion import offer

PLACES = {
    "tutorials": "see first_mission, first_vessel and first_code",
    "variables": "steerageway app NAME --interface prints those of an app",
}
"""Words that are no pages -> where to look."""
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
        where = _elsewhere(topic) or did_you_mean(topic, pages)
        say(f"{prog}: {topic}: no such page; {where}", to=sys.stderr)
        return WRONG
    say(pages[topic].read_text(encoding="utf-8"), end="")
    return 0


def _elsewhere(topic: str) -> str:
    """Return what is said of a word that is no page: the command that describes it; "" for none."""
    from steerageway.apps.shared.registry import APPS

    if topic in APPS:
        return f"steerageway app {topic} --example prints its parameters"
    if topic.startswith("BHV_"):
        return f"steerageway behaviors {topic} prints its parameters"
    return PLACES.get(topic, "")
