"""All keys of a vessel's files: as data, as rows of a table, as text lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from types import MappingProxyType
from typing import Any, NamedTuple

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

REQUIRED = "required"  # instead of a default


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
        "suffixes": list(key.suffixes),
    }
    return {**fields, "keys": [record(inner) for inner in key.keys]}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return list(value)
    return None if value in (inf, -inf) else value


class Row(NamedTuple):
    """A key as text, "" for what it does not have."""

    name: str
    kind: str
    unit: str
    default: str
    range: str
    meaning: str


def row_of(path: tuple[Key, ...]) -> Row:
    """Return the row of a key; sections are dotted, lists end with [], + is not Panisim's."""
    key = path[-1]
    kind = f"{key.kind.value} {', '.join(key.choices)}" if key.choices else key.kind.value
    if key.size:
        kind = f"{key.size} {kind}" if key.kind is Kind.VECTOR else f"{kind}, {key.size} wide"
    some = key.models and "coefficients" not in key.models
    models = f"; models: {', '.join(key.models)}" if some else ""
    name = f"{dotted(path)}{' +' if key.ours else ''}"
    return Row(name, kind, key.unit, default_of(key), key.limits.range, key.meaning + models)


def dotted(path: tuple[Key, ...]) -> str:
    """Return the name of a key with those of its sections and lists: thrusters[].wake."""
    return ".".join(f"{part.name}[]" if part.kind is Kind.LIST else part.name for part in path)


def lines(files: Mapping[str, tuple[Key, ...]] = FILES) -> Iterator[str]:
    """Return a line for each key of the files."""
    for file, keys in files.items():
        yield f"{file}.yml"
        for row in map(row_of, flat(keys)):
            unit = f" [{row.unit}]" if row.unit else ""
            kind = ", ".join(filter(None, (row.kind, row.range)))
            default = "" if row.default == REQUIRED else "default: "
            yield f"  {row.name}{unit}: {row.meaning} ({kind}; {default}{row.default})"


def default_of(key: Key) -> str:
    """Return the text of a key's default."""
    if key.usual:
        return key.usual
    if key.default is None:
        return REQUIRED
    if key.default in (inf, -inf) or key.default == "":
        return "none"
    return _written(key.default)


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return " ".join(_written(item) for item in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
