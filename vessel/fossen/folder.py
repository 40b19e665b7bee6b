"""Vessel folders in Panisim's layout: reads and checks the files, and builds the ``Dynamics``.

A folder contains ``geometry.yml``, ``inertia.yml``, ``hydrodynamics.yml``,
``control_surfaces.yml``, ``thrusters.yml`` and ``initial_conditions.yml`` as in Panisim. It may
contain ``vessel.yml`` (the agent's entries of Panisim's main file, and the model) and
``peer_compat.yml`` (by reference program, changes that reproduce that program's results).
All keys: ``docs/vessel_files.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import yaml

from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.nearest import near
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen import published
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.keys import vessel as ves
from steerageway.vessel.fossen.keys.simulation import is_main_file
from steerageway.vessel.outline import outline_of
from steerageway.vessel.tools.place import folder_of, table_of
from steerageway.world.document import Section, composed, read_if_there, read_or_tell, replaced

FILES = (
    "vessel",
    "geometry",
    "inertia",
    "hydrodynamics",
    "control_surfaces",
    "thrusters",
    "initial_conditions",
)
PANISIM = "panisim"
MAIN_FILE_READER = "steerageway.peers.panisim.main_file"
"""The reference program of every folder in its layout, without a ``peer_compat.yml``."""
ITS_WATER = (("density", "1000"), ("gravity", "9.80665"))  # defaults of its main file
MODELS = {"coefficients": "steerageway.vessel.fossen.build", **published.MODELS}


@dataclass(frozen=True)
class Folder:
    """The parsed files of a vessel.

    Attributes:
        path: path of the folder.
        files: sections by file name without ``.yml``; a missing file is empty.
        peer: reference program whose behavior is reproduced.
    """

    path: Path
    files: Mapping[str, Section]
    peer: str = ""

    def __getitem__(self, name: str) -> Section:
        return self.files[name]

    def find(self, section: Section, key: str) -> Path:
        """Return the file that a path in the folder's files refers to, see ``table_of``.

        Raises:
            InvalidValue: it does not exist.
        """
        named, beside = section.text(key), section.path.parent
        found = table_of(named, beside, self.path)
        if found is None:
            section.fail(key, f"{named}: no such file", f"a file, or its tail below {beside}")
        return found


class OverrideValue(NamedTuple):
    """Value of an override, and where it was given, e.g. ``alpha.moos:41``."""

    value: object
    where: str


class Choice(NamedTuple):
    """A vessel's folder, and the changes of a main file or block to its files: see ``load``."""

    folder: Path
    peer_compat: str
    overrides: dict[str, object]
    elsewhere: dict[str, Path]


def chosen(name: str | Path) -> Choice:
    """Return the vessel with a name: a folder, a shipped vessel, or one of a main file.

    Raises:
        InvalidValue: it does not exist; or the main file is invalid.
    """
    text = str(name)
    if not is_main_file(text) or Path(text).is_dir():
        return Choice(folder_of(text), "", {}, {})
    found: Choice = import_module(MAIN_FILE_READER).choice_of(text)
    return found


def load(
    folder: str | Path,
    peer_compat: str = "",
    overrides: Mapping[str, object] | None = None,
    elsewhere: Mapping[str, Path] | None = None,
) -> Dynamics:
    """Build the vessel of a folder.

    Args:
        folder: path, or name of a shipped vessel: ``otter``; or a vessel of a
            Panisim main file, with its entries there: ``simulation_input.yml@NAME``.
        peer_compat: reference program to reproduce, of ``peer_compat.yml``, or ``panisim``.
        overrides: values by dotted key, e.g. ``{"inertia.mass": 60}``; list items from 1. A
            ``OverrideValue`` also has the place of its value, for errors.
        elsewhere: files in other folders, e.g. ``{"thrusters": Path("engines/two.yml")}``.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    choice = chosen(folder)
    changes = choice.overrides | dict(overrides or {})
    places = choice.elsewhere | dict(elsewhere or {})
    return _built(read_folder(choice.folder, peer_compat, changes, places))


def _built(files: Folder) -> Dynamics:
    model = files["vessel"].choice(ves.MODEL)
    module = MODELS[model]
    if files.peer == PANISIM and model == "coefficients":
        module = published.PANISIM
    build: Callable[[Folder], Dynamics] = import_module(module).build
    files["geometry"].asked.add("outline")
    try:
        vessel = build(files)
    except InvalidValue:
        raise
    except (ArithmeticError, ValueError) as error:  # values that are each legal, but not together
        expected = "expected the dimensions, masses and coefficients of one vessel"
        raise InvalidValue(
            f"{files.path}: no {model} follows from its values: {error}; {expected}"
        ) from error
    mesh = None if vessel.floating is None else vessel.floating.mesh
    return replace(vessel, outline=outline_of(files["geometry"], mesh))


def mistakes_of(
    folder: str | Path,
    overrides: Mapping[str, object] | None = None,
    elsewhere: Mapping[str, Path] | None = None,
) -> list[Diagnostic]:
    """Return all mistakes of a folder's files, each as ``load`` would report it.

    An invalid value is one mistake, and reading continues with a placeholder; mistakes caused by
    placeholders alone are omitted.

    Args:
        folder: path. overrides, elsewhere: see ``load``.

    Raises:
        InvalidValue: the folder does not exist; an override is invalid.
    """
    found: list[InvalidValue] = []
    path = _there(Path(folder))
    places = {name: path / f"{name}.yml" for name in FILES} | dict(elsewhere or {})
    files = {name: read_or_tell(place, found) for name, place in places.items()}
    _override(files, overrides or {}, path)
    with files["vessel"].collecting_errors():
        _built(Folder(path, files))
    return list(dict.fromkeys(one for mistake in found for one in mistake.diagnostics))


def models() -> tuple[str, ...]:
    """Return the permitted values of ``model``."""
    return tuple(MODELS)


def read_folder(
    path: Path,
    peer_compat: str = "",
    overrides: Mapping[str, object] | None = None,
    elsewhere: Mapping[str, Path] | None = None,
) -> Folder:
    """Read a folder's files and those elsewhere, with changes by reference program and caller."""
    places = {name: _there(path) / f"{name}.yml" for name in FILES}
    for name, place in (elsewhere or {}).items():
        if name not in places or not place.is_file():
            expected = "a file" if name in places else f"one of {', '.join(FILES)}"
            raise InvalidValue(f"{name} = {place}: expected {expected}", str(path))
        places[name] = place
    files = {name: read_if_there(place) for name, place in places.items()}
    if peer_compat:
        for name, keys, node in _quirks(path / "peer_compat.yml", peer_compat):
            files[name] = replaced(files[name], keys, node, str(files[name].path))
    if peer_compat == PANISIM:
        for key, usual in ITS_WATER:
            if key not in files["vessel"]:
                node = _node_of(usual, f"{places['vessel']}: Panisim's default")
                files["vessel"] = replaced(files["vessel"], [key], node, str(places["vessel"]))
    _override(files, overrides or {}, path)
    return Folder(path, files, peer_compat)


def _override(files: dict[str, Section], overrides: Mapping[str, object], path: Path) -> None:
    """Replace values of the files by dotted key."""
    for dotted, given in overrides.items():
        name, *keys = dotted.split(".")
        unplaced = OverrideValue(
            given, f"{(files[name].path if name in files else path)}: override"
        )
        value, where = given if isinstance(given, OverrideValue) else unplaced
        if name not in files or not keys:
            meant = near(name, FILES)
            known = f"as {meant[0]}.KEY" if meant else f"FILE one of {', '.join(FILES)}"
            raise InvalidValue(Diagnostic(where, dotted, expected=f"expected FILE.KEY, {known}"))
        files[name] = replaced(files[name], keys, _node_of(value, where), where)


def _there(path: Path) -> Path:
    if not path.is_dir():
        raise InvalidValue("no such folder; expected one with geometry.yml", str(path))
    return path


def _quirks(path: Path, peer: str) -> list[tuple[str, list[str], yaml.Node]]:
    """Return (file, keys, value) of each change for a reference program."""
    section = read_if_there(path)
    if peer not in section:
        if peer == PANISIM:
            return []
        known = ", ".join([*section.nodes, PANISIM])
        message = f"peer_compat {peer}: expected one of {known}"
        raise InvalidValue(message, str(path))
    files = section.section(peer)
    found = []
    for name in files.nodes:
        if name not in FILES:
            files.fail(name, "unknown file", f"one of {', '.join(FILES)}")
        found += [(name, [key], node) for key, node in files.section(name).nodes.items()]
    return found


def _node_of(value: object, where: str) -> yaml.Node:
    text = value if isinstance(value, str) else yaml.safe_dump(value, default_flow_style=True)
    try:
        node = composed(text, where)
    except yaml.YAMLError as error:
        raise InvalidValue(Diagnostic(where, text, expected=f"not YAML: {error}")) from error
    return node if node is not None else yaml.ScalarNode("tag:yaml.org,2002:null", "")
