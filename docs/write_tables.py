"""Write the documentation's tables from the declarations in the code: ``docs/write_tables.py``.

A mark in a page stands on the line before the table that is generated for it:

- ``<!-- parameters of pDeadManPost -->``: the parameters of an app or of a block that a console
  reads (``uXMS``), or those of a behavior without the parameters common to all behaviors (the owner
  ``every_behavior`` has these). With ``: limit, patience`` after the name, only the parameters
  listed.
- ``<!-- keys of sensors.yml: sensors[].latency, sensors[].PART_* -->``: keys of a vessel's or an
  environment's file, in the notation of ``docs/vessel_keys.md``. ``*`` matches within one level.
- ``<!-- variables of uNavFilter -->``: the variables that an app posts.

In ``VARIABLES.md``, ``<!-- posted by uSensors, uGeofence -->`` stands before the variables that
these apps post and that no table above contains, ``<!-- heard -->`` before the subscriptions.

``docs/app_reference.md`` and ``apps/framework/variables.json``, which ``--interface`` reads, are
generated completely. With ``--check`` nothing is written, and the exit code is 1 if a page is out
of date.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from steerageway.apps.consoles.scope.view import BLOCK, ScopeOptions
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
from steerageway.declarations.key import Key, Kind, flat
from steerageway.vessel.fossen.keys.listing import FILES, default_of

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "app_reference.md"
TABLE = re.compile(r"(<!-- parameters of (\w+)(?:: ([\w, ]+))? -->\n)(?:\|.*\n)*")
KEYS = re.compile(r"(<!-- keys of (\w+)\.yml: ([^>]+) -->\n)(?:\|.*\n)*")
KEYS_HEAD = ("key", "unit", "default", "meaning")
OF_APP = re.compile(r"(<!-- variables of (\w+) -->\n)(?:\|.*\n)*")
OF_APP_HEAD = ("variable", "unit", "posted", "meaning")
VARIABLES = ROOT / "VARIABLES.md"
MEANINGS = FILE.resolve()  # past the links of the package
POSTED = re.compile(r"(<!-- posted by ([^>]+) -->\n)(?:\|.*\n)*")
HEARD = re.compile(r"(<!-- heard -->\n)(?:\|.*\n)*")
POSTED_HEAD = ("Variable", "Type", "Unit, frame", "Range", "By", "When", "Meaning")
HEARD_HEAD = ("Variable", "Type", "Unit, frame", "Subscribers", "Meaning")
BLOCKS = {BLOCK: ScopeOptions}
EVERY_BEHAVIOR = "every_behavior"
BEHAVIORS_POST, DATABASE, EVERY_APP = "behaviors", "the database", "every app"
HEAD = "# App reference: parameters, subscriptions and publications\n"
BEGINNING = f"""{HEAD}
All apps that `steerageway apps` lists, with what their `--example` and `--interface` print.
Parameters common to all apps are in [writing apps](apps.md), variables in
[variables](../VARIABLES.md).
"""


def table(parameters: list[Parameter]) -> str:
    """Return the table of parameters."""
    rows = ["| parameter | default | meaning |", "|---|---|---|"]
    for one in parameters:
        cells = (f"`{one.name}`", one.default.replace("|", "\\|"), one.help.replace("|", "\\|"))
        rows.append("| " + " | ".join(cells) + " |")
    return "".join(re.sub(r"\|  \|", "| |", row) + "\n" for row in rows)


def parameters_of(name: str) -> dict[str, Parameter]:
    """Return the parameters of an app, a block or a behavior, those common to all behaviors last.

    Raises:
        ValueError: there is no app, block or behavior of that name.
    """
    if name in BLOCKS:
        return {one.name: one for one in BLOCKS[name].parameters()}
    if name in APPS:
        return {one.name: one for one in load(name).parameters}
    if name not in BEHAVIORS and name != EVERY_BEHAVIOR:
        raise ValueError(f"no app, block or behavior {name}")
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
    """Return the parameter names of an app, or of a behavior without the common ones."""
    common = {one.name for one in documented(CommonSettings)} if name in BEHAVIORS else set()
    return [one for one in parameters_of(name) if one not in common]


def paths_of(file: str) -> dict[str, Key]:
    """Return the keys of a file by their dotted paths, list names with ``[]``."""
    return {
        ".".join(f"{part.name}[]" if part.kind is Kind.LIST else part.name for part in path): path[
            -1
        ]
        for path in flat(FILES[file])
    }


def key_rows(file: str, names: Iterable[str]) -> Iterable[tuple[str, ...]]:
    """Yield the table rows of the keys that match the given paths.

    Raises:
        ValueError: the file is unknown, or a path matches none of its keys.
    """
    if file not in FILES:
        raise ValueError(f"keys of {file}.yml: expected one of {', '.join(FILES)}")
    known = paths_of(file)
    chosen: dict[str, Key] = {}
    for name in names:
        pattern = re.escape(name).replace(r"\*", r"[^.]*")
        matches = {path: key for path, key in known.items() if re.fullmatch(pattern, path)}
        if not matches:
            raise ValueError(f"{file}.yml has no key {name}")
        chosen |= matches
    for path, key in chosen.items():
        shown = path.rpartition("[].")[2]  # the page says which list the keys belong to
        yield (
            f"`{shown}`{' +' if key.ours else ''}",
            key.unit,
            default_of(key),
            _with_choices(key),
        )


def _with_choices(key: Key) -> str:
    if all(choice in key.meaning for choice in key.choices):
        return key.meaning
    return f"{key.meaning} ({', '.join(f'`{choice}`' for choice in key.choices)})"


def variable_rows(app: str) -> Iterable[tuple[str, ...]]:
    """Yield the table rows of the variables that an app declares as posted.

    Raises:
        ValueError: there is no such app.
    """
    if app not in APPS:
        raise ValueError(f"variables of {app}: no such app")
    for one in load(app).publications:
        yield (f"`{one.name}`", one.unit, one.when, one.what)


def with_tables(page: str) -> str:
    """Return a page with its generated tables up to date.

    Raises:
        ValueError: a mark names an unknown app, behavior, parameter, file or key.
    """

    def parameters(match: re.Match[str]) -> str:
        mark, owner, names = match.groups()
        known = parameters_of(owner)
        wanted = re.split(r",\s*", names) if names else own_parameters(owner)
        if missing := [name for name in wanted if name not in known]:
            raise ValueError(f"{owner} has no parameter {missing[0]}")
        return mark + table([known[name] for name in wanted])

    def keys(match: re.Match[str]) -> str:
        mark, file, names = match.groups()
        return mark + markdown(KEYS_HEAD, key_rows(file, re.split(r",\s*", names)))

    page = TABLE.sub(parameters, page)
    page = OF_APP.sub(lambda match: match[1] + markdown(OF_APP_HEAD, variable_rows(match[2])), page)
    return KEYS.sub(keys, page)


def posters() -> dict[str, tuple[Publication, ...]]:
    """Return the variables posted by each app, by the behaviors, and by the bus."""
    found = {name: tuple(load(name).publications) for name in APPS}
    kinds = dict.fromkeys(BEHAVIORS.values())
    found[BEHAVIORS_POST] = tuple(dict.fromkeys(p for kind in kinds for p in kind.publications))
    return found | {EVERY_APP: OF_EVERY_APP, DATABASE: OF_DATABASE}


def by_name() -> dict[str, dict[str, Publication]]:
    """Return each variable's declarations by poster."""
    found: dict[str, dict[str, Publication]] = {}
    for poster, publications in posters().items():
        for one in publications:
            found.setdefault(one.name, {})[poster] = one
    return found


def publication_row(declared: dict[str, Publication]) -> tuple[str, ...]:
    """Return the cells of a variable's row, merged from its posters' declarations."""
    first = next(iter(declared.values()))
    names = {BEHAVIORS_POST: "pHelmIvP", DATABASE: "MOOSDB"}
    own = [poster for poster in declared if not _inherits(poster, declared)]
    by = ", ".join(dict.fromkeys(names.get(poster, poster) for poster in own))
    when = "; ".join(dict.fromkeys(one.when for one in declared.values()))
    what = "; ".join(dict.fromkeys(one.what for one in declared.values()))
    return (f"`{first.name}`", first.kind, first.unit, first.range, by, when, what)


def _inherits(poster: str, others: Iterable[str]) -> bool:
    """Return whether an app posts a variable only because its base class does."""
    if poster not in APPS:
        return False
    kinds = [load(name) for name in others if name in APPS]
    return any(kind is not load(poster) and issubclass(load(poster), kind) for kind in kinds)


def subscription_rows() -> list[tuple[str, ...]]:
    """Return the rows of all variables that apps subscribe to, with their subscribers."""
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
    """Return a table in Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    told = ("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
    return "".join(line.replace("|  |", "| |") + "\n" for line in told).replace("| --- ", "|---")


def variables_page(page: str) -> str:
    """Return VARIABLES.md with its tables up to date.

    Raises:
        ValueError: a mark names an unknown app, or a variable is in no table.
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
    """Return docs/app_reference.md."""
    parts = [BEGINNING]
    for process in APPS:
        kind = load(process)
        said = inspect.cleandoc(kind.__doc__ or "").replace("``", "`")
        parts.append(f"\n## {process}\n\n{said}\n")
        if kind.parameters:
            parts.append(f"\n{table(list(kind.parameters))}")
        for verb, names in (("Subscribes to", kind.subscribes), ("Posts", kind.publishes)):
            told = ", ".join(f"`{name}`" if name.isupper() else name for name in names)
            told = "the variables in its configuration" if told in ("", "*") else told
            parts.append(f"\n{verb}: {told}.\n")
    return "".join(parts)


def meanings() -> str:
    """Return unit and meaning of every variable as JSON; publications take precedence."""
    rows = {name: publication_row(declared) for name, declared in by_name().items()}
    found = {name: (row[2], row[-1]) for name, row in rows.items()}
    for names, _, unit, _, what in subscription_rows():
        for name in names.strip("`").split("`, `"):
            found.setdefault(name, (unit, what))
    plain = {name: [cell.replace("`", "") for cell in cells] for name, cells in found.items()}
    lines = [f"{json.dumps(name)}: {json.dumps(plain[name], ensure_ascii=False)}" for name in plain]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> int:
    """Write the pages that have changed, or with ``--check`` only list them."""
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
