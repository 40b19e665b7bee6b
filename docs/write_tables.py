"""Write the tables of the documentation that code declares: ``python docs/write_tables.py``.

In a page, ``<!-- parameters of pDeadManPost -->`` stands before the table of the parameters of an
app, or of a behavior but for those that every behavior has, which are those of
``every_behavior``; with ``: limit, patience`` behind the
name, before one of some of them. ``docs/app_reference.md`` is written as a whole. With ``--check``
nothing is written, and the exit code is 1 if something would be.

In ``VARIABLES.md`` ``<!-- posted by uSensors, uGeofence -->`` stands before the table of what these
post and no table above has, and ``<!-- heard -->`` before that of what apps hear. The same as
data, for ``--interface``, is ``apps/framework/variables.json``.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from steerageway.apps.framework.meanings import FILE
from steerageway.apps.framework.registry import APPS, load
from steerageway.apps.helm.behaviors import BEHAVIORS
from steerageway.apps.helm.settings import CommonSettings, declarations, documented
from steerageway.bus import (
    HEARD_BY_EVERY_APP,
    OF_DATABASE,
    OF_EVERY_APP,
    Parameter,
    Publication,
    Subscription,
)

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "app_reference.md"
TABLE = re.compile(r"(<!-- parameters of (\w+)(?:: ([\w, ]+))? -->\n)(?:\|.*\n)*")
VARIABLES = ROOT / "VARIABLES.md"
MEANINGS = FILE.resolve()  # past the links of the package
POSTED = re.compile(r"(<!-- posted by ([^>]+) -->\n)(?:\|.*\n)*")
HEARD = re.compile(r"(<!-- heard -->\n)(?:\|.*\n)*")
POSTED_HEAD = ("Variable", "Type", "Unit, frame", "Range", "By", "Often", "What")
HEARD_HEAD = ("Variable", "Type", "Unit, frame", "Heard by", "What")
EVERY_BEHAVIOR = "every_behavior"
BEHAVIORS_POST, DATABASE, EVERY_APP = "behaviors", "the database", "every app"
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
    if name not in BEHAVIORS and name != EVERY_BEHAVIOR:
        raise ValueError(f"no app or behavior {name}")
    kind = CommonSettings if name == EVERY_BEHAVIOR else BEHAVIORS[name].settings_class
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


def posters() -> dict[str, tuple[Publication, ...]]:
    """Give what every app posts, behaviors by themselves, and the bus."""
    found = {name: tuple(load(name).publications) for name in APPS}
    kinds = dict.fromkeys(BEHAVIORS.values())
    found[BEHAVIORS_POST] = tuple(dict.fromkeys(p for kind in kinds for p in kind.publications))
    return found | {EVERY_APP: OF_EVERY_APP, DATABASE: OF_DATABASE}


def by_name() -> dict[str, dict[str, Publication]]:
    """Give every variable with those who post it."""
    found: dict[str, dict[str, Publication]] = {}
    for poster, publications in posters().items():
        for one in publications:
            found.setdefault(one.name, {})[poster] = one
    return found


def publication_row(declared: dict[str, Publication]) -> tuple[str, ...]:
    """Give the cells of a variable from what its posters declare."""
    first = next(iter(declared.values()))
    names = {BEHAVIORS_POST: "pHelmIvP", DATABASE: "MOOSDB"}
    own = [poster for poster in declared if not _inherits(poster, declared)]
    by = ", ".join(dict.fromkeys(names.get(poster, poster) for poster in own))
    when = "; ".join(dict.fromkeys(one.when for one in declared.values()))
    what = "; ".join(dict.fromkeys(one.what for one in declared.values()))
    return (f"`{first.name}`", first.kind, first.unit, first.range, by, when, what)


def _inherits(poster: str, others: Iterable[str]) -> bool:
    """Whether an app posts a variable only as a kind of another app that does."""
    if poster not in APPS:
        return False
    kinds = [load(name) for name in others if name in APPS]
    return any(kind is not load(poster) and issubclass(load(poster), kind) for kind in kinds)


def subscription_rows() -> list[tuple[str, ...]]:
    """Give the cells of every variable that apps hear, with those who do."""
    found: dict[Subscription, list[str]] = {}
    for name in APPS:
        for one in load(name).subscriptions:
            found.setdefault(one._replace(given=""), []).append(f"{name}, {one.given}".rstrip(", "))
    for one in HEARD_BY_EVERY_APP:
        found[one] = [f"{EVERY_APP}, {one.given}"]
    return [
        (", ".join(f"`{name}`" for name in one.names), one.kind, one.unit, ", ".join(by), one.what)
        for one, by in found.items()
    ]


def markdown(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Give a table."""
    lines = [head, ("---",) * len(head), *rows]
    told = ("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
    return "".join(line.replace("|  |", "| |") + "\n" for line in told).replace("| --- ", "|---")


def variables_page(page: str) -> str:
    """Give the page of variables with its tables as apps declare them.

    Raises:
        ValueError: nobody has the name of a mark, or a variable stands in no table.
    """
    known, left = posters(), by_name()

    def posted(match: re.Match[str]) -> str:
        mark, named = match.groups()
        if strange := [poster for poster in named.split(", ") if poster not in known]:
            raise ValueError(f"posted by {strange[0]}: no app")
        names = [one.name for poster in named.split(", ") for one in known[poster]]
        rows = [publication_row(left.pop(name)) for name in dict.fromkeys(names) if name in left]
        return mark + markdown(POSTED_HEAD, rows)

    told = POSTED.sub(posted, page)
    if left:
        raise ValueError(f"{next(iter(left))}: in no table of VARIABLES.md")
    return HEARD.sub(lambda match: match[1] + markdown(HEARD_HEAD, subscription_rows()), told)


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


def meanings() -> str:
    """Return unit and meaning of every variable as JSON; what posters say goes before readers."""
    rows = {name: publication_row(declared) for name, declared in by_name().items()}
    found = {name: (row[2], row[-1]) for name, row in rows.items()}
    for names, _, unit, _, what in subscription_rows():
        for name in names.strip("`").split("`, `"):
            found.setdefault(name, (unit, what))
    plain = {name: [cell.replace("`", "") for cell in cells] for name, cells in found.items()}
    lines = [f"{json.dumps(name)}: {json.dumps(plain[name], ensure_ascii=False)}" for name in plain]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> int:
    """Write what has changed, or only name it."""
    pages = {page: page.read_text(encoding="utf-8") for page in sorted(ROOT.glob("docs/*.md"))}
    wanted = {page: with_tables(text) for page, text in pages.items()} | {
        REFERENCE: app_reference(),
        VARIABLES: variables_page(VARIABLES.read_text(encoding="utf-8")),
        MEANINGS: meanings(),
    }
    pages |= {one: one.read_text(encoding="utf-8") for one in (VARIABLES, MEANINGS)}
    changed = [page for page, text in wanted.items() if pages.get(page) != text]
    for page in changed:
        print(f"{page.relative_to(ROOT)}: not as declared" if "--check" in sys.argv else page)
        if "--check" not in sys.argv:
            page.write_text(wanted[page], encoding="utf-8")
    return int(bool(changed) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
