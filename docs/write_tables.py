"""Write the tables of the documentation that code declares: ``python docs/write_tables.py``.

In a page, ``<!-- parameters of pDeadManPost -->`` stands before the table of the parameters of an
app, or of a behavior but for those that every behavior has; with ``: limit, patience`` behind the
name, before one of some of them. ``docs/app_reference.md`` is written as a whole. With ``--check``
nothing is written, and the exit code is 1 if something would be.
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

from steerageway.apps.framework.registry import APPS, load
from steerageway.apps.helm.behaviors import BEHAVIORS
from steerageway.apps.helm.settings import CommonSettings, declarations, documented
from steerageway.bus import Parameter

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "app_reference.md"
TABLE = re.compile(r"(<!-- parameters of (\w+)(?:: ([\w, ]+))? -->\n)(?:\|.*\n)*")
HEAD = "# Every app: its parameters, and what it hears and posts\n"
BEGINNING = f"""{HEAD}
What `steerageway apps` lists, and what each app's `--example` and `--interface` print. Parameters
that all apps have are in [writing apps](apps.md), the variables in [variables](../VARIABLES.md).
"""


def table(parameters: list[Parameter]) -> str:
    """Give parameters as the rows of a table, with its head."""
    rows = ["| parameter | default | meaning |", "|---|---|---|"]
    for one in parameters:
        cells = (f"`{one.name}`", one.default.replace("|", "\\|"), one.help.replace("|", "\\|"))
        rows.append("| " + " | ".join(cells) + " |")
    return "".join(re.sub(r"\|  \|", "| |", row) + "\n" for row in rows)


def parameters_of(name: str) -> dict[str, Parameter]:
    """Give the parameters of an app or a behavior, those that all behaviors have last.

    Raises:
        ValueError: there is none of that name.
    """
    if name in APPS:
        return {one.name: one for one in load(name).parameters}
    if name not in BEHAVIORS:
        raise ValueError(f"no app or behavior {name}")
    kind = BEHAVIORS[name].settings_class
    aliases = {field: declared.aliases for field, declared in declarations(kind).values()}
    common = {one.name for one in documented(CommonSettings)}
    rows = sorted(documented(kind), key=lambda one: one.name in common)
    return {one.name: _with_aliases(one, aliases[one.name]) for one in rows}


def _with_aliases(one: Parameter, aliases: tuple[str, ...]) -> Parameter:
    if not aliases:
        return one
    also = ", ".join(f"`{name}`" for name in aliases)
    return Parameter(one.name, one.default, f"{one.help}; also {also}")


def own_parameters(name: str) -> list[str]:
    """Give the names of an app's parameters, or of a behavior's but for those that all have."""
    common = {one.name for one in documented(CommonSettings)} if name in BEHAVIORS else set()
    return [one for one in parameters_of(name) if one not in common]


def with_tables(page: str) -> str:
    """Give a page with its tables of parameters as they are declared.

    Raises:
        ValueError: an app, a behavior or a parameter is not there.
    """

    def written(match: re.Match[str]) -> str:
        mark, owner, names = match.groups()
        known = parameters_of(owner)
        wanted = re.split(r",\s*", names) if names else own_parameters(owner)
        if missing := [name for name in wanted if name not in known]:
            raise ValueError(f"{owner} has no parameter {missing[0]}")
        return mark + table([known[name] for name in wanted])

    return TABLE.sub(written, page)


def app_reference() -> str:
    """Give the page of all apps."""
    parts = [BEGINNING]
    for process in APPS:
        kind = load(process)
        said = inspect.cleandoc(kind.__doc__ or "").replace("``", "`")
        parts.append(f"\n## {process}\n\n{said}\n")
        if kind.parameters:
            parts.append(f"\n{table(list(kind.parameters))}")
        for verb, names in (("Hears", kind.subscribes), ("Posts", kind.publishes)):
            told = ", ".join(f"`{name}`" if name.isupper() else name for name in names)
            told = "what its configuration says" if told in ("", "*") else told
            parts.append(f"\n{verb}: {told}.\n")
    return "".join(parts)


def main() -> int:
    """Write what has changed, or only name it."""
    pages = {page: page.read_text(encoding="utf-8") for page in sorted(ROOT.glob("docs/*.md"))}
    wanted = {page: with_tables(text) for page, text in pages.items()} | {
        REFERENCE: app_reference()
    }
    changed = [page for page, text in wanted.items() if pages.get(page) != text]
    for page in changed:
        print(f"{page.relative_to(ROOT)}: not as declared" if "--check" in sys.argv else page)
        if "--check" not in sys.argv:
            page.write_text(wanted[page], encoding="utf-8")
    return int(bool(changed) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
