"""Operations of the page on a draft: state, edits by keys, texts, files, meshes, HydRA results."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from steerageway.declarations import Number, member_of, write_whole
from steerageway.vessel.exchange import add_hydra
from steerageway.web.configurator import edits
from steerageway.web.configurator.draft import Draft, Edit, changed_files
from steerageway.web.configurator.meshes import FORMATS, LARGEST
from steerageway.web.configurator.names import file_name, files_of
from steerageway.web.configurator.scalars import Value
from steerageway.web.configurator.splices import difference
from steerageway.web.configurator.tree import Keys, NotYaml, parsed, scalars, shown

YAML = (".yml", ".yaml")


class BadRequest(ValueError):
    """A request is not valid; the text says what is expected."""


def state(draft: Draft, known: int = -1) -> dict[str, Any]:
    """Return the state of a draft for the page; without its files if ``known`` is its revision."""
    with draft.lock:
        journal = draft.journal
        about: dict[str, Any] = {
            **draft.about(),
            "revision": journal.revision,
            "undo": journal.undo_title,
            "redo": journal.redo_title,
            "unsaved": draft.unsaved,
            "changed": changed_files(draft.origin, draft.saved) if draft.origin else [],
        }
        if known != journal.revision:
            about["files"] = {file: _file(draft, file) for file in draft.names()}
        return about


def _file(draft: Draft, file: str) -> dict[str, Any]:
    text = draft.text(file)
    if text is None:
        return {"bytes": (draft.files / file).stat().st_size}
    if not file.endswith(YAML):
        return {"text": text}
    try:
        return {"text": text, "tree": shown(parsed(text))}
    except NotYaml as error:
        return {"text": text, "line": error.line, "error": str(error)}


def edit(draft: Draft, body: Mapping[str, Any]) -> None:
    """Apply edits by keys, all or none.

    Args:
        draft: the draft.
        body: ``revision``, ``title`` and ``edits``, each with ``do`` (set, remove, add), ``file``,
            ``path``, ``value``, ``everywhere``, ``note``.
    """
    rows = body.get("edits")
    if not isinstance(rows, list) or not rows:
        raise BadRequest("expected a list of edits")
    changes = [(_file_asked(row), _change(row)) for row in rows]
    draft.edit(revision_of(body), str(body.get("title") or "edit")[:120], changes)


def write_text(draft: Draft, body: Mapping[str, Any]) -> None:
    """Replace a file's text: ``revision``, ``file``, ``text``."""
    file, text = _file_asked(body), body.get("text")
    if not isinstance(text, str):
        raise BadRequest("expected a text")
    change = (file, lambda old: difference(old, text))
    draft.edit(revision_of(body), f"text of {file}", [change])


def put_file(draft: Draft, revision: int, name: str, data: bytes | None) -> None:
    """Write an uploaded file into a draft, or remove one if ``data`` is None."""
    file = file_name(name)
    title = f"file {file}" if data is not None else f"without {file}"
    draft.put(revision, title, {file: data})


def put_hydra(draft: Draft, revision: int, name: str, data: bytes) -> None:
    """Import HydRA's results from a zip, and name them in the vessel's files.

    HydRA's mesh becomes the hull if the vessel has none.

    Raises:
        InvalidValue: it is not a zip of HydRA's results.
    """
    with TemporaryDirectory() as place, draft.lock:
        folder = Path(place)
        told = add_hydra(data, folder, name)
        files = {file: path.read_bytes() for file, path in files_of(folder).items()}
        tree = parsed(draft.text("geometry.yml") or "")
        hulls = {step for keys, _ in scalars(tree) for step in keys[:1]}
        if hulls & {"mesh", "geometry_file"}:
            told.pop("geometry.geometry_file", None)
        draft.put(revision, f"files of {name}", dict(files))
        changes = []
        for dotted, value in told.items():
            file, _, key = dotted.partition(".")
            changes.append((f"{file}.yml", _setting(key, value)))
        draft.edit(draft.journal.revision, f"results of {name}", changes)


def _setting(key: str, value: Value) -> Edit:
    return lambda text: edits.set_value(text, (key,), value)


def stage_mesh(draft: Draft, name: str, data: bytes) -> Path:
    """Keep an uploaded mesh outside of the vessel until its unit and axes are set; return the file.

    Raises:
        BadRequest: its format is not supported, or it is too large.
    """
    file = Path(file_name(name)).name
    if not file.lower().endswith(FORMATS):
        raise BadRequest(f"{file}: expected a mesh: {', '.join(FORMATS)}")
    if len(data) > LARGEST:
        raise BadRequest(f"{file}: expected at most {LARGEST >> 20} MB")
    folder = draft.folder / "staged"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    path = folder / file
    write_whole(path, data)
    return path


def staged(draft: Draft, name: str) -> Path:
    """Return the file of a staged mesh.

    Raises:
        LookupError: there is none of this name.
    """
    path = draft.folder / "staged" / Path(file_name(name)).name
    if not path.is_file():
        raise LookupError(f"{name}: upload it first")
    return path


def part_numbers(body: Mapping[str, Any]) -> list[int]:
    """Return the indices of the selected parts of a mesh.

    Raises:
        BadRequest: they are not whole numbers.
    """
    kept = body.get("parts")
    if not isinstance(kept, list) or not all(type(number) is int for number in kept):
        raise BadRequest("parts: expected whole numbers")
    return kept


def take_mesh(draft: Draft, body: Mapping[str, Any]) -> None:
    """Make a staged mesh the hull: ``revision``, ``name``, ``scale``, ``axes``, ``origin``."""
    path = staged(draft, _text(body, "name"))
    mesh: dict[str, Any] = {"file": path.name}
    scale, axes, origin = body.get("scale", 1), body.get("axes", "FRD"), body.get("origin")
    if scale != 1:
        mesh["scale"] = _checked(scale, "scale")
    if axes != "FRD" and path.suffix.lower() != ".gdf":
        mesh["axes"] = _text(body, "axes")
    if isinstance(origin, list) and any(origin):
        mesh["origin"] = [_checked(one, "origin") for one in origin]
    with draft.lock:
        draft.put(revision_of(body), f"file {path.name}", {path.name: path.read_bytes()})
        hull = [("geometry.yml", _setting("mesh", mesh))]
        draft.edit(draft.journal.revision, f"hull {path.name}", hull)


def _change(row: Mapping[str, Any]) -> Edit:
    keys, value = _keys(row.get("path")), row.get("value")
    verb = row.get("do")
    if verb == "set":
        everywhere, note = row.get("everywhere") is True, str(row.get("note") or "")
        return lambda text: edits.set_value(text, keys, value, everywhere, note)
    if verb == "remove":
        return lambda text: edits.remove(text, keys)
    if verb == "add":
        return lambda text: edits.add_item(text, keys, value)
    raise BadRequest(f"{verb}: expected set, remove or add")


def _keys(path: object) -> Keys:
    is_path = isinstance(path, list) and all(
        isinstance(step, (str, int)) and not isinstance(step, bool) for step in path
    )
    if not is_path or not path:
        raise BadRequest("expected a path of keys and places")
    assert isinstance(path, list)
    return tuple(path)


def _file_asked(row: object) -> str:
    if not isinstance(row, Mapping):
        raise BadRequest("expected an edit as keys and values")
    return file_name(_text(row, "file"))


def _text(body: Mapping[str, Any], key: str) -> str:
    value = body.get(key)
    if not isinstance(value, str) or not value:
        raise BadRequest(f"{key}: expected a text")
    return value


def _checked(value: object, name: str) -> float:
    try:
        return member_of({name: value}, name, Number())
    except ValueError as error:
        raise BadRequest(str(error)) from None


def revision_of(body: Mapping[str, Any]) -> int:
    """Return the revision of a draft that a request edits.

    Raises:
        BadRequest: it is no whole number.
    """
    value = body.get("revision")
    if not isinstance(value, int):
        raise BadRequest("expected the revision that is edited")
    return value
