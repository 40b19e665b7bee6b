"""Vessel folders in Panisim's layout: read, checked, and made into a ``Dynamics``.

A folder holds ``geometry.yml``, ``inertia.yml``, ``hydrodynamics.yml``, ``control_surfaces.yml``,
``thrusters.yml`` and ``initial_conditions.yml`` as Panisim has them, and may hold ``vessel.yml``
(what Panisim's main file says of an agent, and which model) and ``peer_compat.yml`` (by peer, what
is different so that this peer's own runs are reproduced). Every key: ``docs/vessel_files.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

import yaml

from vessel.errors import InvalidValue
from vessel.fossen import published
from vessel.fossen.document import Section, read, replaced
from vessel.fossen.dynamics import Dynamics

FILES = (
    "vessel",
    "geometry",
    "inertia",
    "hydrodynamics",
    "control_surfaces",
    "thrusters",
    "initial_conditions",
)
MODELS = {"coefficients": "vessel.fossen.build", **published.MODELS}


@dataclass(frozen=True)
class Folder:
    """A vessel's files, read but not yet understood.

    Attributes:
        path: the folder.
        files: the sections by the file's name without ``.yml``; an absent file is empty.
    """

    path: Path
    files: Mapping[str, Section]

    def __getitem__(self, name: str) -> Section:
        return self.files[name]

    def find(self, named: str) -> Path:
        """Give the file a path in the folder's files means.

        One that does not exist, as a path in somebody's container, is looked for by its tail, the
        longest first, below this folder and the one above.
        """
        parts = Path(named).parts
        for base in (self.path, self.path.parent):
            for i in range(len(parts)):
                tail = base.joinpath(*parts[i:])
                if tail.is_file():
                    return tail
        raise InvalidValue(f"{self.path}: {named}: no such file, nor its tail below this folder")


def load(
    folder: str | Path,
    peer_compat: str = "",
    overrides: Mapping[str, object] | None = None,
) -> Dynamics:
    """Make the vessel a folder describes.

    Args:
        folder: its path.
        peer_compat: reproduce the quirks of this peer, one of ``peer_compat.yml``.
        overrides: values by dotted key, such as ``{"inertia.mass": 60}``; list items from 1.

    Raises:
        InvalidValue: naming file, line, key, value and what would be right.
    """
    return _built(read_folder(Path(folder), peer_compat, overrides or {}))


def _built(files: Folder) -> Dynamics:
    model = files["vessel"].choice("model", models(), "coefficients")
    build: Callable[[Folder], Dynamics] = import_module(MODELS[model]).build
    return build(files)


def mistakes_of(folder: str | Path) -> list[str]:
    """Give everything that is wrong with a folder's files, each as ``load`` would say it.

    A wrong value is one mistake and reading goes on with a stand-in; what then follows from the
    stand-ins, and not from the files, is left out.

    Raises:
        InvalidValue: there is no such folder.
    """
    found: list[InvalidValue] = []
    path = _there(Path(folder))
    files = Folder(path, {name: _read_or_tell(path / f"{name}.yml", found) for name in FILES})
    try:
        _built(files)
    except InvalidValue as error:
        if not found:
            found.append(error)
    except (ArithmeticError, LookupError, ValueError):
        if not found:
            raise
    return list(dict.fromkeys(str(mistake) for mistake in found))


def models() -> tuple[str, ...]:
    """Give the names ``model`` may have."""
    return tuple(MODELS)


def read_folder(path: Path, peer_compat: str, overrides: Mapping[str, object]) -> Folder:
    """Read a folder's files, with what a peer or the caller changes."""
    files = {name: _read_if_there(_there(path) / f"{name}.yml") for name in FILES}
    if peer_compat:
        for name, keys, node in _quirks(path / "peer_compat.yml", peer_compat):
            files[name] = replaced(files[name], keys, node)
    for dotted, value in overrides.items():
        name, *keys = dotted.split(".")
        if name not in files or not keys:
            near = get_close_matches(name, FILES, 1)
            raise InvalidValue(
                f"{path}: override {dotted}: expected FILE.KEY, FILE one of "
                f"{', '.join(near or FILES)}"
            )
        files[name] = replaced(files[name], keys, _node_of(value))
    return Folder(path, files)


def _there(path: Path) -> Path:
    if not path.is_dir():
        raise InvalidValue(f"{path}: no such folder; expected one with geometry.yml")
    return path


def _read_if_there(path: Path) -> Section:
    return read(path) if path.is_file() else Section(path)


def _read_or_tell(path: Path, mistakes: list[InvalidValue]) -> Section:
    """Read a file; of one that cannot be read that is told, and not also what it lacks."""
    try:
        return replace(_read_if_there(path), mistakes=mistakes)
    except InvalidValue as error:
        mistakes.append(error)
        return Section(path, mistakes=[])


def _quirks(path: Path, peer: str) -> list[tuple[str, list[str], yaml.Node]]:
    """Give (file, keys, value) of everything a peer does otherwise."""
    section = _read_if_there(path)
    if peer not in section:
        raise InvalidValue(
            f"{path}: peer_compat {peer}: expected one of {', '.join(section.nodes) or 'none'}"
        )
    files = section.section(peer)
    found = []
    for name in files.nodes:
        if name not in FILES:
            files.fail(name, "unknown file", f"one of {', '.join(FILES)}")
        found += [(name, [key], node) for key, node in files.section(name).nodes.items()]
    return found


def _node_of(value: object) -> yaml.Node:
    text = value if isinstance(value, str) else yaml.safe_dump(value, default_flow_style=True)
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    return node if node is not None else yaml.ScalarNode("tag:yaml.org,2002:null", "")
