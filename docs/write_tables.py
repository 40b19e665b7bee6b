"""Tables of the documentation, from the declarations in the code.

In a page of docs/ a line such as

    > Table: parameters of `pDeadManPost`. Command: `steerageway app pDeadManPost --example`.

says which table is in its place on the site (``build_site.py``), and which command prints it:

- ``parameters of `NAME` ``: of an app, of a block that a console reads (``uXMS``), or of a behavior
  without the parameters common to all; ``parameters of every behavior`` are these.
- ``keys of `sensors.yml`: `sensors[].latency`, `sensors[].PART_*` ``: keys of a vessel's or an
  environment's file, as ``steerageway vessel keys`` prints them. ``*`` matches within one level.
- ``variables of `NAME` ``: the variables that an app posts.
- ``all apps``, ``all keys``, ``all modules``, ``all imports``: whole pages, and the drawing.

With ``: `limit`, `patience` `` after the name there are only the rows listed.

``python -m docs.write_tables`` writes those of ``VARIABLES.md`` and ``variables.json``, which
``--interface`` reads; with ``--check`` nothing is written, and the exit code is 1 if one is out of
date. In ``VARIABLES.md``, ``<!-- posted by uSensors, uGeofence -->`` stands before the variables
that these apps post and that no table above contains, ``<!-- heard -->`` before the subscriptions.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from docs.draw_architecture import ALL_IMPORTS, PICTURE, listed
from steerageway.apps.consoles.scope.view import BLOCK, ScopeOptions
from steerageway.apps.helm.listing import COMMON, parameters_of
from steerageway.apps.shared.meanings import FILE
from steerageway.apps.shared.registry import APPS, load
from steerageway.bus import (
    HEARD_BY_EVERY_APP,
    OF_DATABASE,
    OF_EVERY_APP,
    Parameter,
    Publication,
    Subscription,
)
from steerageway.declarations.key import Key, flat
from steerageway.helm.behaviors import BEHAVIORS
from steerageway.vessel.fossen.keys.listing import FILES, default_of, dotted, row_of

ROOT = Path(__file__).parents[1]
MARK = re.compile(
    r"^> (?:Table|Drawing): (?P<what>[^`:]+?)(?: of `(?P<owner>[\w.]+)`)?(?:: (?P<names>.+))?\. "
    r"Command: `(?P<command>[^`]+)`\.\n",
    re.MULTILINE,
)
VARIABLES = ROOT / "VARIABLES.md"
MEANINGS = FILE.resolve()  # past the links of the package
POSTED = re.compile(r"(<!-- posted by ([^>]+) -->\n)(?:\|.*\n)*")
HEARD = re.compile(r"(<!-- heard -->\n)(?:\|.*\n)*")
PARAMETERS_HEAD = ("parameter", "default", "meaning")
KEYS_HEAD = ("key", "unit", "default", "meaning")
ALL_KEYS_HEAD = ("key", "kind", "unit", "default", "range", "meaning")
OF_APP_HEAD = ("variable", "unit", "posted", "meaning")
POSTED_HEAD = ("Variable", "Type", "Unit, frame", "Range", "By", "When", "Meaning")
HEARD_HEAD = ("Variable", "Type", "Unit, frame", "Subscribers", "Meaning")
BEHAVIORS_POST, DATABASE, EVERY_APP = "behaviors", "the database", "every app"


def with_tables(page: str) -> str:
    """Return a page with its tables in place of the marks.

    Raises:
        ValueError: a mark names an unknown table, app, behavior, parameter, file or key.
    """

    def put(match: re.Match[str]) -> str:
        what, owner, names, _ = match.groups()
        return table_of(what, owner or "", re.findall(r"`([^`]+)`", names or ""))

    return MARK.sub(put, page)


def table_of(what: str, owner: str, names: Sequence[str]) -> str:
    """Return the table that a mark describes.

    Raises:
        ValueError: there is no such table, or it has no such row.
    """
    if what not in TABLES:
        raise ValueError(f"{what}: expected one of {', '.join(TABLES)}")
    return TABLES[what](owner, names)


def parameters_table(owner: str, names: Sequence[str]) -> str:
    """Return the parameters of an app, a block or a behavior."""
    known = _parameters(owner)
    common = {one.name for one in COMMON} if owner in BEHAVIORS else set()
    wanted = names or [name for name in known if name not in common]
    if missing := [name for name in wanted if name not in known]:
        raise ValueError(f"{owner} has no parameter {missing[0]}")
    return parameter_table(known[name] for name in wanted)


def _parameters(name: str) -> dict[str, Parameter]:
    if name == BLOCK:
        found: Iterable[Parameter] = ScopeOptions.parameters()
    elif name in APPS:
        found = load(name).parameters
    elif name in BEHAVIORS:
        found = parameters_of(BEHAVIORS[name])
    else:
        raise ValueError(f"no app, block or behavior {name}")
    return {one.name: one for one in found}


def parameter_table(parameters: Iterable[Parameter]) -> str:
    """Return a table of parameters."""
    return markdown(PARAMETERS_HEAD, ((f"`{p.name}`", p.default, p.help) for p in parameters))


def keys_table(owner: str, names: Sequence[str]) -> str:
    """Return the keys of a file that match the given paths."""
    return markdown(KEYS_HEAD, key_rows(owner.removesuffix(".yml"), names))


def key_rows(file: str, names: Iterable[str]) -> Iterable[tuple[str, ...]]:
    """Yield the table rows of the keys that match the given paths.

    Raises:
        ValueError: the file is unknown, or a path matches none of its keys.
    """
    if file not in FILES:
        raise ValueError(f"keys of {file}.yml: expected one of {', '.join(FILES)}")
    known = {dotted(path): path[-1] for path in flat(FILES[file])}
    chosen: dict[str, Key] = {}
    for name in names:
        pattern = re.escape(name).replace(r"\*", r"[^.]*")
        matches = {path: key for path, key in known.items() if re.fullmatch(pattern, path)}
        if not matches:
            raise ValueError(f"{file}.yml has no key {name}")
        chosen |= matches
    for path, key in chosen.items():
        shown = path.rpartition("[].")[2]  # the page says which list the keys belong to
        name = f"`{shown}`{' +' if key.ours else ''}"
        yield (name, key.unit, default_of(key), _with_choices(key))


def _with_choices(key: Key) -> str:
    if all(choice in key.meaning for choice in key.choices):
        return key.meaning
    return f"{key.meaning} ({', '.join(f'`{choice}`' for choice in key.choices)})"


def all_keys() -> str:
    """Return the keys of every file, each file under a heading."""
    parts = []
    for file, keys in FILES.items():
        rows = (row_of(path) for path in flat(keys))
        cells = ((re.sub(r"^(.*?)( \+)?$", r"`\1`\2", row.name), *row[1:]) for row in rows)
        parts.append(f"## {file}.yml\n\n{markdown(ALL_KEYS_HEAD, cells)}")
    return "\n".join(parts)


def variables_table(owner: str, names: Sequence[str]) -> str:
    """Return the variables that an app declares as posted."""
    if owner not in APPS:
        raise ValueError(f"variables of {owner}: no such app")
    posted = load(owner).publications
    return markdown(OF_APP_HEAD, ((f"`{p.name}`", p.unit, p.when, p.what) for p in posted))


def all_apps() -> str:
    """Return every app with its parameters, subscriptions and publications, under a heading."""
    parts = []
    for process in APPS:
        kind = load(process)
        said = inspect.cleandoc(kind.__doc__ or "").replace("``", "`")
        parts.append(f"## {process}\n\n{said}\n")
        if kind.parameters:
            parts.append(parameter_table(kind.parameters))
        for verb, names in (("Subscribes to", kind.subscribes), ("Posts", kind.publishes)):
            told = ", ".join(f"`{name}`" if name.isupper() else name for name in names)
            told = "the variables in its configuration" if told in ("", "*") else told
            parts.append(f"{verb}: {told}.\n")
    return "\n".join(parts)


TABLES: dict[str, Callable[[str, Sequence[str]], str]] = {
    "parameters": parameters_table,
    "parameters of every behavior": lambda owner, names: parameter_table(COMMON),
    "keys": keys_table,
    "variables": variables_table,
    "all apps": lambda owner, names: all_apps(),
    "all keys": lambda owner, names: all_keys(),
    "all modules": lambda owner, names: listed(ROOT),
    "all imports": lambda owner, names: f"![{ALL_IMPORTS}]({PICTURE})\n",
}
"""What a mark may name: (owner, rows) -> the table."""


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


def meanings() -> str:
    """Return unit, meaning and range of every variable as JSON; publications take precedence.

    Of ranges only intervals are written.
    """
    rows = {name: publication_row(declared) for name, declared in by_name().items()}
    found: dict[str, tuple[str, ...]] = {
        name: (row[2], row[-1], *([row[3]] if row[3].startswith("[") else []))
        for name, row in rows.items()
    }
    for names, _, unit, _, what in subscription_rows():
        for name in names.strip("`").split("`, `"):
            found.setdefault(name, (unit, what))
    plain = {name: [cell.replace("`", "") for cell in cells] for name, cells in found.items()}
    lines = [f"{json.dumps(name)}: {json.dumps(plain[name], ensure_ascii=False)}" for name in plain]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> int:
    """Write the files that have changed, or with ``--check`` only list them."""
    wanted = {VARIABLES: variables_page(VARIABLES.read_text("utf-8")), MEANINGS: meanings()}
    changed = [file for file, text in wanted.items() if file.read_text("utf-8") != text]
    for file in changed:
        print(f"{file.relative_to(ROOT)}: not as declared" if "--check" in sys.argv else file)
        if "--check" not in sys.argv:
            file.write_text(wanted[file], encoding="utf-8")
    return int(bool(changed) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
