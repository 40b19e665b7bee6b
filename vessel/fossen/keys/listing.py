"""All keys of a vessel's files: as data, as text lines, and as docs/vessel_keys.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from types import MappingProxyType
from typing import Any

from steerageway.declarations.key import Key, Kind, flat
from steerageway.vessel.fossen.keys import (
    control,
    control_surfaces,
    geometry,
    guidance,
    hydrodynamics,
    inertia,
    initial_conditions,
    published,
    sensors,
    simulation,
    thrusters,
    vessel,
)
from steerageway.world import keys as environment

FILES: Mapping[str, tuple[Key, ...]] = MappingProxyType(
    {
        "vessel": vessel.KEYS,
        "geometry": geometry.KEYS,
        "inertia": inertia.KEYS,
        "hydrodynamics": (*hydrodynamics.KEYS, *published.KEYS),
        "control_surfaces": control_surfaces.KEYS,
        "thrusters": thrusters.KEYS,
        "initial_conditions": initial_conditions.KEYS,
        "sensors": sensors.KEYS,
        "guidance": guidance.KEYS,
        "control": control.KEYS,
        "simulation_input": simulation.KEYS,
        "environment": environment.KEYS,
    }
)
"""Keys by file name without ``.yml``."""


def keys_of(file: str, model: str = "") -> tuple[Key, ...]:
    """Return the keys of a file; with a model only those that it reads, including sections'."""
    return tuple(key for key in FILES[file] if not model or key.of_model(model))


def record(key: Key) -> dict[str, Any]:
    """Return a key as plain data for JSON, which has no infinity: that is None."""
    fields = {
        "name": key.name,
        "kind": key.kind.value,
        "unit": key.unit,
        "default": _plain(key.default),
        "usual": key.usual,
        "required": key.required,
        "meaning": key.meaning,
        "low": _plain(float(key.low)),
        "high": _plain(float(key.high)),
        "above": _plain(float(key.above)),
        "size": key.size,
        "choices": list(key.choices),
        "panisim": not key.ours,
        "models": list(key.models),
        "pattern": key.pattern,
        "aliases": list(key.aliases),
        "suffixes": list(key.suffixes),
    }
    return {**fields, "keys": [record(inner) for inner in key.keys]}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return list(value)
    return None if value in (inf, -inf) else value


def lines(files: Mapping[str, tuple[Key, ...]] = FILES) -> Iterator[str]:
    """Return a line for each key with unit, default and meaning; keys of sections are dotted."""
    for file, keys in files.items():
        yield f"{file}.yml"
        for path in flat(keys):
            key = path[-1]
            name = ".".join(part.name for part in path)
            unit = f" [{key.unit}]" if key.unit else ""
            yield f"  {name}{unit}: {key.meaning} ({default_of(key)})"


def default_of(key: Key) -> str:
    """Return the text of a key's default."""
    if key.usual:
        return key.usual
    if key.default is None:
        return "required"
    if key.default in (inf, -inf) or key.default == "":
        return "none"
    return _written(key.default)


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return " ".join(_written(item) for item in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


PAGE = """# The keys of a vessel's files

Every key, as `steerageway vessel keys` prints it; `steerageway vessel keys --json` gives the same
as data. Keys marked + are Steerageway's, the others Panisim's; `[]` is a list, whose items have
the keys below it. How they work together: [a vessel's files](vessel_files.md). This page is written
by `python -m steerageway.vessel keys --output docs/vessel_keys.md`.
"""
HEAD = "| key | kind | unit | default | range | meaning |\n|---|---|---|---|---|---|"


def page(files: Mapping[str, tuple[Key, ...]] = FILES) -> str:
    """Return docs/vessel_keys.md."""
    parts = [PAGE]
    for file, keys in files.items():
        rows = "\n".join(_row(path) for path in flat(keys))
        parts.append(f"## {file}.yml\n\n{HEAD}\n{rows}\n")
    return "\n".join(parts)


def _row(path: tuple[Key, ...]) -> str:
    key = path[-1]
    name = ".".join(f"{part.name}[]" if part.kind is Kind.LIST else part.name for part in path)
    kind = f"{key.kind.value} {', '.join(key.choices)}" if key.choices else key.kind.value
    if key.size:
        kind = f"{key.size} {kind}" if key.kind is Kind.VECTOR else f"{kind}, {key.size} wide"
    marks = f"`{name}`{' +' if key.ours else ''}"
    models = (
        f"; models: {', '.join(key.models)}"
        if key.models and "coefficients" not in key.models
        else ""
    )
    cells = (marks, kind, key.unit, default_of(key), key.limits.range, key.meaning + models)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
