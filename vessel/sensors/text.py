"""A sensor as a line of text: ``sensor_type=GPS, publish_rate=1, sensor_location=1:0:0``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import yaml

from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.keys import sensors as sen
from steerageway.world.document import Section


def section_of(text: str, where: str) -> Section:
    """Return the keys and values of a line as a section of a file."""
    file, _, number = where.rpartition(":")
    path = Path(file if number.isdigit() else where)
    mark = yaml.Mark(str(path), 0, int(number) - 1 if number.isdigit() else 0, 0, None, 0)
    nodes: dict[str, yaml.Node] = {}
    covariances: list[tuple[yaml.Node, yaml.Node]] = []
    for piece in filter(str.strip, text.split(",")):
        key, equals, value = (part.strip() for part in piece.partition("="))
        if not equals or not key or key in nodes:
            once = "expected each key once, as KEY=VALUE"
            raise InvalidValue(Diagnostic(where, piece.strip(), expected=once))
        node = node_of(value, mark)
        if key.endswith("_covariance"):
            covariances.append((node_of(key, mark), node))
        else:
            nodes[key] = node
    if covariances:
        nodes[sen.USE_COVARIANCE] = node_of("true", mark)
        nodes[sen.COVARIANCE] = yaml.MappingNode("tag:yaml.org,2002:map", covariances, mark)
    return Section(path, mark.line + 1, nodes)


def node_of(value: str, mark: yaml.Mark) -> yaml.Node:
    """Return a value of a line as a YAML node; ``1:2:3`` is a list."""
    if ":" in value:
        items: Sequence[yaml.Node] = [node_of(item.strip(), mark) for item in value.split(":")]
        return yaml.SequenceNode("tag:yaml.org,2002:seq", list(items), mark)
    return yaml.ScalarNode("tag:yaml.org,2002:str", value, mark)
