"""Reads and writes Panisim's ``NAME_config.json``, a vessel as one JSON file.

It holds ``name``, ``type``, an object for each of the vessel's files, and ``simulation``. Values in
another form than in Panisim's YAML files are converted: centres as lists, moments of inertia as a 3
by 3 matrix, waypoints as objects, orientations as quaternions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from steerageway.declarations import decimal, finite, json_of, write_whole
from steerageway.declarations.key import Key, Kind, found
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.keys import guidance as gui
from steerageway.vessel.fossen.keys import inertia as inr
from steerageway.vessel.fossen.keys import listing
from steerageway.vessel.fossen.keys.simulation import FILES
from steerageway.vessel.kinematics import quat_to_eul
from steerageway.vessel.rigid_body import Hmtrx
from steerageway.world.document import read_if_there

LARGEST = 64 << 20  # maximum size [bytes]; the file may contain a mesh
OTHERS = ("name", "type", "simulation")
CENTRES = ("CO", "CG", "CB")


@dataclass
class Imported:
    """A vessel read from such a file.

    Attributes:
        name, type: of the vessel.
        files: the YAML text by file name without ``.yml``.
        simulation: its simulation settings, as plain data.
        remarks: on what was converted or left out.
    """

    name: str
    type: str
    files: dict[str, str] = field(default_factory=dict)
    simulation: dict[str, Any] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    def write(self, folder: Path) -> None:
        """Write the files into an existing folder."""
        for name, text in self.files.items():
            write_whole(folder / f"{name}.yml", text)


def read_config(raw: bytes, where: str = "config.json") -> Imported:
    """Read a ``NAME_config.json``.

    Raises:
        InvalidValue: the file is not JSON, or does not describe a vessel.
    """
    if len(raw) > LARGEST:
        raise InvalidValue(f"expected at most {LARGEST >> 20} MB", where)
    try:
        config = json_of(raw.decode("utf-8-sig"))
    except (UnicodeDecodeError, ValueError) as error:
        raise InvalidValue(f"not JSON: {error}", where) from error
    needed = ("name", "geometry", "inertia")
    if not isinstance(config, dict) or any(key not in config for key in needed):
        raise InvalidValue(f"expected an object with {', '.join(needed)}", where)
    made = Imported(str(config["name"]), str(config.get("type", "")))
    for name in FILES:
        section = config.get(name)
        if section is None:
            continue
        if not isinstance(section, dict):
            raise InvalidValue(f"{name}: expected keys and values", where)
        changed = _changed(name, section, config, made.remarks)
        known = _known(changed, listing.FILES[name], name, made.remarks)
        made.files[name] = _yaml(known)
    made.files["vessel"] = _yaml({"name": made.name, "type": made.type})
    simulation = config.get("simulation")
    made.simulation = simulation if isinstance(simulation, dict) else {}
    unread = [key for key in config if key not in (*OTHERS, *FILES)]
    made.remarks += [f"{key}: left out: no file of a vessel has it" for key in unread]
    return made


def _changed(
    name: str, section: dict[str, Any], config: dict[str, Any], remarks: list[str]
) -> dict[str, Any]:
    """Return a section's keys converted to the form of Panisim's YAML files."""
    kept = {key: value for key, value in section.items() if value not in (None, "")}
    if name == "geometry":
        for key in CENTRES:
            if isinstance(kept.get(key), list):
                kept[key] = {"position": kept[key]}
    elif name == "inertia" and _size(kept.get(inr.INERTIA_MATRIX)) == 3:
        kept[inr.INERTIA_MATRIX] = _six_by_six(kept, config)
        remarks.append("inertia.inertia_matrix: 3 by 3 about CG, written 6 by 6 about CO")
    elif name == "sensors":
        kept["sensors"] = [_sensor(item, remarks) for item in _items(kept, "sensors")]
    elif name == "guidance":
        points = _items(kept, "waypoints")
        kept["waypoints"] = [_point(point) for point in points]
        if kept.get("guidance_type") not in (None, *gui.GUIDANCE_TYPE.choices):
            remarks.append(f"guidance.guidance_type: {kept.pop('guidance_type')}: los instead")
    return kept


def _items(section: dict[str, Any], key: str) -> list[Any]:
    items = section.get(key, [])
    if not isinstance(items, list):
        raise InvalidValue(f"{key}: expected a list")
    return items


def _size(matrix: object) -> int:
    return len(matrix) if isinstance(matrix, list) else 0


def _six_by_six(inertia: dict[str, Any], config: dict[str, Any]) -> list[list[float]]:
    """Return M_RB about CO from moments of inertia about CG."""
    try:
        centre = config["geometry"].get("CG") or [0.0, 0.0, 0.0]
        centre = centre.get("position", [0.0] * 3) if isinstance(centre, dict) else centre
        M = np.zeros((6, 6))
        M[:3, :3] = float(inertia[inr.MASS]) * np.eye(3)
        M[3:, 3:] = np.array(inertia[inr.INERTIA_MATRIX], np.float64)
        H = Hmtrx(np.array(centre, np.float64))
        matrix: list[list[float]] = (H.T @ M @ H).tolist()
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidValue(f"inertia: expected a mass, and 3 rows of 3 numbers: {error}") from error
    return matrix


def _sensor(item: object, remarks: list[str]) -> dict[str, Any]:
    if not isinstance(item, dict):
        raise InvalidValue("sensors: expected keys and values of each")
    sensor = {key: value for key, value in item.items() if value != "None"}
    turned = sensor.get("sensor_orientation")
    if isinstance(turned, list) and len(turned) == 4:
        sensor["sensor_orientation"] = [float(angle) for angle in quat_to_eul(np.array(turned))]
        remarks.append("sensors: a quaternion w x y z, written as roll, pitch, yaw")
    return sensor


def _point(point: object) -> object:
    if isinstance(point, dict):
        return [point.get(axis, 0.0) for axis in "xyz"]
    return point


def _known(
    section: dict[str, Any], keys: tuple[Key, ...], where: str, remarks: list[str]
) -> dict[str, Any]:
    """Return the known keys; add a remark for each of the others."""
    kept: dict[str, Any] = {}
    for name, value in section.items():
        key, here = found(keys, [str(name)]), f"{where}.{name}"
        if key is None:
            remarks.append(f"{here}: left out: no such key")
        elif key.kind is Kind.SECTION and isinstance(value, dict):
            kept[name] = _known(value, key.keys, here, remarks)
        elif key.kind is Kind.LIST and isinstance(value, list):
            kept[name] = [
                _known(item, key.keys, f"{here}.{i}", remarks) if isinstance(item, dict) else item
                for i, item in enumerate(value, 1)
            ]
        else:
            kept[name] = value
    return kept


def _yaml(section: dict[str, Any]) -> str:
    text: str = yaml.safe_dump(section, sort_keys=False, default_flow_style=None)
    return text


def write_config(folder: Path, simulation: dict[str, Any] | None = None) -> str:
    """Return the text of a ``NAME_config.json`` for a vessel's folder.

    Args:
        folder: the vessel's.
        simulation: settings; None: those of the folder's ``simulation_input.yml``, if any.

    Raises:
        InvalidValue: a file is wrong.
    """
    vessel = read_if_there(folder / "vessel.yml")
    config: dict[str, Any] = {
        "name": vessel.text("name", folder.resolve().name),
        "type": vessel.text("type") or "usv",
    }
    for name in FILES:
        section = read_if_there(folder / f"{name}.yml")
        config[name] = _plain_section(section.nodes, listing.FILES[name])
        if name == "geometry":
            for key in CENTRES:
                centre = config[name].get(key)
                if isinstance(centre, dict) and not any(centre.get("orientation", [])):
                    config[name][key] = centre.get("position", [0.0, 0.0, 0.0])
    if simulation is None:
        plan = read_if_there(folder / "simulation_input.yml")
        simulation = _plain_section(plan.nodes, listing.FILES["simulation_input"])
    config["simulation"] = simulation
    return json.dumps(config, indent=2, ensure_ascii=False)


def left_out(folder: Path) -> list[str]:
    """Return remarks on keys and files that are not exported, or that Panisim does not know.

    Raises:
        InvalidValue: a file is wrong.
    """
    held = {f"{name}.yml" for name in (*FILES, "vessel", "simulation_input")}
    keys = [key for key in read_if_there(folder / "vessel.yml").nodes if key not in OTHERS]
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    files = [path.relative_to(folder).as_posix() for path in paths]
    return [
        *(
            f"vessel.{key}: left out: Panisim has it in its main file, or not at all"
            for key in keys
        ),
        *(f"{file}: left out: a file of its own" for file in files if file not in held),
        *(
            f"{name}.{key}: in the file, but Panisim has no such key"
            for name in (*FILES, "simulation_input")
            for key in dict.fromkeys(
                _unknown_to_panisim(
                    read_if_there(folder / f"{name}.yml").nodes, listing.FILES[name]
                )
            )
        ),
    ]


def _unknown_to_panisim(
    nodes: dict[str, yaml.Node], keys: tuple[Key, ...], prefix: str = ""
) -> Iterator[str]:
    """Yield the dotted keys that Panisim does not have; keys in a list are marked by []."""
    for name, node in nodes.items():
        key = found(keys, [name])
        if key is None or key.ours:
            yield prefix + name
            continue
        items = node.value if isinstance(node, yaml.SequenceNode) else [node]
        mark = "[]" if isinstance(node, yaml.SequenceNode) else ""
        for item in items:
            if key.keys and isinstance(item, yaml.MappingNode):
                inner = {one.value: value for one, value in item.value}
                yield from _unknown_to_panisim(inner, key.keys, f"{prefix}{name}{mark}.")


def _plain_section(nodes: dict[str, yaml.Node], keys: tuple[Key, ...]) -> dict[str, Any]:
    return {name: _plain(node, found(keys, [name])) for name, node in nodes.items()}


def _plain(node: yaml.Node, key: Key | None) -> Any:
    """Return a YAML node as plain data; values of text keys stay text, even if numeric."""
    inner = key.keys if key is not None else ()
    if isinstance(node, yaml.MappingNode):
        return _plain_section({name.value: item for name, item in node.value}, inner)
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, key) for item in node.value]
    text = str(node.value)
    if (whole := decimal(text)) is not None and str(whole) == text:
        return whole
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    value = finite(text)
    named = key is not None and key.kind in (Kind.TEXT, Kind.CHOICE, Kind.FILE)
    return text if named or value is None else value
