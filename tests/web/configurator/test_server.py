"""Requests of the configurator's page: allowed and rejected ones."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from steerageway.vessel.tools.place import SHIPPED, shipped_vessels
from steerageway.web.configurator.archive import BadArchive, packed, unpacked, vessel_in
from steerageway.web.configurator.names import files_of
from steerageway.world import shapes
from tests.web.configurator.workshop import Client, opened

MASS = {"do": "set", "file": "inertia.yml", "path": ["mass"]}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    """Return a client of a configurator."""
    with opened(tmp_path) as client:
        yield client


def zip_of(files: dict[str, bytes]) -> bytes:
    """Return a zip of files, whatever their names."""
    stream = BytesIO()
    with ZipFile(stream, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


@pytest.mark.slow
def test_every_shipped_vessel_comes_back_byte_for_byte(client: Client) -> None:
    for name in shipped_vessels():
        draft = client.draft(template=name, name=name)
        answer = client.ask(f"{draft}/zip")
        assert answer.status == 200, answer.body
        called, files = vessel_in(unpacked(answer.body))
        assert called == name
        assert files == {key: path.read_bytes() for key, path in files_of(SHIPPED / name).items()}
        edited = client.edit(draft, {**MASS, "value": 12.5})
        assert edited.json["undo"] == "t"
        undone = client.ask(f"{draft}/undo", {"revision": edited.json["revision"]})
        assert undone.status == 200
        assert vessel_in(unpacked(client.ask(f"{draft}/zip").body))[1] == files


def test_an_edit_of_a_value_changed_meanwhile_is_refused(client: Client) -> None:
    draft = client.draft(template="otter")
    both = {"revision": 0, "title": "mass", "edits": [{**MASS, "value": 60}]}
    assert client.ask(f"{draft}/edit", both).status == 200
    answer = client.ask(f"{draft}/edit", both)
    assert answer.status == 409
    assert "changed elsewhere" in answer.json["error"]


def test_a_vessel_is_saved_below_the_root_and_opened_again(client: Client, tmp_path: Path) -> None:
    draft = client.draft(template="otter")
    client.edit(draft, {**MASS, "value": 60})
    answer = client.ask(f"{draft}/save", {"name": "boat"})
    assert answer.json["folder"] == str(tmp_path / "vessels" / "boat")
    assert (tmp_path / "vessels" / "boat" / "inertia.yml").read_text().startswith("mass: 60")
    assert answer.json["state"]["unsaved"] == []
    assert client.draft(folder=str(tmp_path / "vessels" / "boat")) == draft


@pytest.mark.slow
def test_files_that_changed_on_disk_are_a_conflict_until_it_is_solved(
    client: Client, tmp_path: Path
) -> None:
    draft = client.draft(template="otter")
    client.ask(f"{draft}/save", {"name": "boat"})
    file = tmp_path / "vessels" / "boat" / "inertia.yml"
    file.write_text("mass: 1\n")
    assert client.ask(draft).json["changed"] == ["inertia.yml"]
    client.edit(draft, {**MASS, "value": 60})
    refused = client.ask(f"{draft}/save", {"name": "boat"})
    assert (refused.status, refused.json["files"]) == (409, ["inertia.yml"])
    assert file.read_text() == "mass: 1\n"
    revision = client.ask(draft).json["revision"]
    adopted = client.ask(f"{draft}/adopt", {"revision": revision})
    assert adopted.json["files"]["inertia.yml"]["text"] == "mass: 1\n"
    undone = client.ask(f"{draft}/undo", {"revision": adopted.json["revision"]})
    assert "mass: 60" in undone.json["files"]["inertia.yml"]["text"]
    assert client.ask(f"{draft}/save", {"name": "boat", "force": True}).status == 200
    assert file.read_text().startswith("mass: 60")


def test_shipped_vessels_are_never_written_to(client: Client) -> None:
    client.shop.library.roots[0] = SHIPPED.resolve()
    draft = client.draft(template="otter")
    assert client.ask(f"{draft}/save", {"name": "otter", "force": True}).status == 403
    assert client.ask("/api/open", {"folder": "/etc"}).status == 403


@pytest.mark.slow
def test_text_and_form_are_two_views_of_one_file(client: Client) -> None:
    draft = client.draft(template="otter")
    typed = {"revision": 0, "file": "inertia.yml", "text": "mass: [1\n"}
    broken = client.ask(f"{draft}/text", typed).json
    assert broken["files"]["inertia.yml"]["line"] == 2
    [mistake] = client.ask(f"{draft}/check").json["mistakes"]
    assert (mistake["file"], mistake["line"]) == ("inertia.yml", 2)
    mended = {"revision": 1, "file": "inertia.yml", "text": "mass: 1 # kg\n"}
    tree = client.ask(f"{draft}/text", mended).json["files"]["inertia.yml"]["tree"]
    assert tree["m"]["mass"]["s"] == "1"


@pytest.mark.slow
def test_all_errors_are_shown_at_their_keys(client: Client) -> None:
    draft = client.draft(template="otter")
    client.edit(
        draft,
        {**MASS, "value": "heavy"},
        {"do": "set", "file": "geometry.yml", "path": ["lenght"], "value": 2},
        {"do": "set", "file": "thrusters.yml", "path": ["thrusters", 0, "n_max"], "value": -1},
    )
    found = client.ask(f"{draft}/check").json["mistakes"]
    places = {(one["file"], one["key"]) for one in found}
    assert {("inertia.yml", "mass"), ("geometry.yml", "lenght")} <= places
    assert all(one["line"] for one in found if one["file"])


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"../geometry.yml": b""}, "below the vessel's folder"),
        ({"/etc/geometry.yml": b""}, "below the vessel's folder"),
        ({"a/b/../../../geometry.yml": b""}, "below the vessel's folder"),
        ({"a\\..\\geometry.yml": b""}, "vessel"),
        ({"inertia.yml": b""}, "none: expected one"),
        ({"a/geometry.yml": b"", "b/geometry.yml": b""}, "a, b: expected one"),
        ({f"a/{i}": b"" for i in range(300)}, "at most 200"),
        ({"a/geometry.yml": b"", "/".join("abcdefghij"): b""}, "below the vessel's folder"),
    ],
)
def test_zips_that_must_not_be_get_one_message(
    client: Client, tmp_path: Path, files: dict[str, bytes], expected: str
) -> None:
    answer = client.ask("/api/upload?name=a.zip", zip_of(files))
    assert answer.status == 400
    assert expected in answer.json["error"]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["drafts"]


@pytest.mark.slow
def test_a_zip_that_grows_and_links_are_refused() -> None:
    with pytest.raises(BadArchive, match="100 MB"):
        unpacked(bomb())
    link = ZipInfo("a/geometry.yml")
    link.external_attr = 0o120777 << 16
    stream = BytesIO()
    with ZipFile(stream, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(BadArchive, match="link"):
        unpacked(stream.getvalue())


def bomb() -> bytes:
    """Return a small zip of 101 MB."""
    from zipfile import ZIP_DEFLATED

    stream = BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as archive:
        archive.writestr("a/geometry.yml", bytes(101 << 20))
    return stream.getvalue()


WHOLE = packed("boat", {"geometry.yml": b"length: 1\n", "inertia.yml": b"mass: 2\n"})


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_broken_zips_get_one_message_and_write_nothing_outside(
    tmp_path: Path, data: st.DataObject
) -> None:
    raw = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at] = data.draw(st.integers(0, 255))
    cut = bytes(raw[: data.draw(st.integers(0, len(raw)))])
    values_of = ""
    try:
        files = vessel_in(unpacked(cut))[1]
    except BadArchive as error:
        values_of, files = str(error), {}
    assert "\n" not in values_of
    assert all(".." not in name for name in files)


def meshes() -> dict[str, bytes]:
    """Return files that are no meshes, or bad ones."""
    return {
        "short.stl": b"\0" * 100,
        "many.stl": b"\0" * 80 + (4_000_000_000).to_bytes(4, "little"),
        "text.stl": b"solid a\nvertex 1 2\n",
        "nan.stl": b"solid a\n" + b"vertex nan 0 0\n" * 3,
        "far.obj": b"v 0 0 0\nf 1 2 99\n",
        "words.obj": b"f a b c\n",
        "empty.obj": b"",
        "cut.gdf": b"title\n1 9.8\n0 1\n10\n1 2 3\n",
        "wrong.gdf": b"title\n1 9.8\n0 1\nmany\n",
        "huge.gdf": b"title\n1 9.8\n0 1\n99999999999\n1 2 3\n",
    }


@pytest.mark.process
def test_invalid_meshes_get_one_message(client: Client) -> None:
    draft = client.draft(blank="boat")
    before = client.ask(draft).json["files"]
    for name, data in meshes().items():
        answer = client.ask(f"{draft}/mesh?name={name}", data)
        assert answer.status == 422, (name, answer.body)
        assert name in answer.json["error"]
    for name in ("../a.stl", "a.exe", ".stl", ""):
        assert client.ask(f"{draft}/mesh?name={name}", b"solid").status == 400
    assert client.ask(draft).json["files"] == before


@pytest.mark.process
def test_the_page_asks_for_unit_and_axes_of_a_mesh(client: Client, tmp_path: Path) -> None:
    draft = client.draft(blank="boat")
    shapes.write_stl(shapes.box(2000.0, 800.0, 500.0), tmp_path / "box.stl")
    reply = client.ask(f"{draft}/mesh?name=box.stl", (tmp_path / "box.stl").read_bytes()).json
    assert (reply["unit"], reply["triangles"], reply["problems"]) == ("mm", 12, [])
    assert reply["volume"] == pytest.approx(0.8)
    taken = {"revision": 0, "name": "box.stl", "scale": 0.001, "axes": "FLU"}
    state = client.ask(f"{draft}/mesh/take", taken).json
    mesh = state["files"]["geometry.yml"]["tree"]["m"]["mesh"]["m"]
    assert {key: one["s"] for key, one in mesh.items()} == {
        "file": "box.stl", "scale": "0.001", "axes": "FLU",
    }  # fmt: skip
    assert len(client.ask(f"{draft}/hull").body) == 12 * 9 * 4


@pytest.mark.process
def test_some_parts_of_a_mesh_become_the_hull(client: Client, tmp_path: Path) -> None:
    draft = client.draft(blank="boat")
    hull, mast = shapes.box(4.0, 1.5, 1.0).corners, shapes.box(0.1, 0.1, 3.0).corners
    corners = np.concatenate((mast - [0.0, 0.0, 2.5], hull[:6], hull[6:])).reshape(-1, 3)
    both = shapes.Mesh(corners, np.arange(len(corners)).reshape(-1, 3))
    shapes.write_stl(both, tmp_path / "boat.stl")
    reply = client.ask(f"{draft}/mesh?name=boat.stl", (tmp_path / "boat.stl").read_bytes()).json
    assert [part["triangles"] for part in reply["parts"]] == [12, 12]
    kept = client.ask(f"{draft}/mesh/parts", {"name": "boat.stl", "parts": [1]}).json
    assert (kept["name"], kept["triangles"]) == ("boat_part.stl", 12)
    assert kept["volume"] == pytest.approx(6.0)
    for wrong in ([], [2], [-1], ["1"], None):
        refused = client.ask(f"{draft}/mesh/parts", {"name": "boat.stl", "parts": wrong})
        assert refused.status in (400, 422)
        assert "parts" in refused.json["error"]


@pytest.mark.slow
def test_only_the_page_itself_with_the_token_may_send_requests(client: Client) -> None:
    ours = client.ask("/api/home")
    assert ours.status == 200
    assert "script-src 'self'" in ours.headers["content-security-policy"]
    assert client.ask("/api/home", headers={"host": "evil.example"}).status == 403
    assert client.ask("/api/home", headers={"host": "127.0.0.1.evil:8000"}).status == 403
    assert client.ask("/api/home", headers={"cookie": ""}).status == 401
    foreign = {"origin": "http://evil.example"}
    assert client.ask("/api/open", {"template": "otter"}, foreign).status == 403


def test_read_only_pages_look_and_change_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as client:
        draft = client.draft(template="otter")
    with opened(tmp_path, read_only=True) as client:
        assert client.ask(draft).status == 200
        assert client.edit(draft, {**MASS, "value": 1}).status == 403
        assert client.ask("/api/open", {"template": "otter"}).status == 403


@pytest.mark.parametrize(
    "edit",
    [
        {},
        {"do": "set", "file": "../x.yml", "path": ["a"], "value": 1},
        {"do": "set", "file": "inertia.yml", "path": [], "value": 1},
        {"do": "set", "file": "inertia.yml", "path": ["mass", 3], "value": 1},
        {"do": "set", "file": "inertia.yml", "path": [True], "value": 1},
        {"do": "remove", "file": "inertia.yml", "path": ["nothing"]},
        {"do": "burn", "file": "inertia.yml", "path": ["mass"]},
    ],
)
def test_edits_that_cannot_be_get_a_message(client: Client, edit: dict[str, object]) -> None:
    draft = client.draft(template="otter")
    assert client.edit(draft, edit).status == 400
    assert client.ask(draft).json["revision"] == 0


def test_values_lost_by_panisims_configurator_are_read_back_as_entered(client: Client) -> None:
    draft = client.draft(blank="case")
    surface = {
        "control_surface_id": 1, "control_surface_area": 0.02, "control_surface_delta_max": 20,
        "control_surface_deltad_max": 15, "control_surface_NACA": "0012", "control_surface_T": 0,
    }  # fmt: skip
    thruster = {"thruster_id": 1, "T_prop": 0, "tp": 0, "n_max": 1500, "KT_at_J0": 0.45}
    given = {
        ("control_surfaces.yml", "control_surfaces"): [surface],
        ("thrusters.yml", "thrusters"): [thruster],
        ("geometry.yml", "CG"): {"position": [0.02894159583, 0, 0]},
        ("vessel.yml", "active_dof"): [1, 1, 0, 0, 0, 1],
        ("vessel.yml", "U"): 1.5,
        ("inertia.yml", "inertia_matrix"): [[float(i == j) for j in range(6)] for i in range(6)],
    }
    edits = [
        {"do": "set", "file": file, "path": [key], "value": value}
        for (file, key), value in given.items()
    ]
    assert client.edit(draft, *edits).status == 200
    back = client.draft_of(client.ask(f"{draft}/zip").body)
    files = client.ask(back).json["files"]
    for (file, key), value in given.items():
        assert values_of(files[file]["tree"]["m"][key]) == as_text(value), key


def values_of(node: dict[str, object]) -> object:
    """Return the content of a tree, numbers as numbers."""
    if "m" in node:
        return {key: values_of(one) for key, one in node["m"].items()}  # type: ignore[attr-defined]
    if "l" in node:
        return [values_of(one) for one in node["l"]]  # type: ignore[attr-defined]
    text = str(node["s"])
    return text if text.startswith("00") else float(text)


def as_text(value: object) -> object:
    """Return a value as ``values_of`` does."""
    if isinstance(value, dict):
        return {key: as_text(one) for key, one in value.items()}
    if isinstance(value, list):
        return [as_text(one) for one in value]
    return value if isinstance(value, str) else float(value)  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_folder_named_at_start_is_opened_where_it_is(tmp_path: Path) -> None:
    shutil.copytree(SHIPPED / "otter", tmp_path / "vessels" / "mine")
    with opened(tmp_path) as client:
        assert client.ask("/api/home").json["folders"][0]["name"] == "mine"
        draft = client.draft(folder=str(tmp_path / "vessels" / "mine"))
        assert client.ask(draft).json["unsaved"] == []
