"""Vessels to and from Panisim's configurator, and HydRA's zip."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from steerageway.vessel.tools.place import SHIPPED
from tests.web.configurator.workshop import Client, opened

HYDRA = SHIPPED / "sookshma" / "HydRA"
GIVEN = {
    "name": "boat",
    "type": "usv",
    "geometry": {"length": 2.0, "breadth": 1.0, "CG": [0.02894159583, 0, 0.1], "shape": 1},
    "inertia": {"mass": 50},
    "simulation": {"sim_time": 100},
}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    """Return a client of a configurator."""
    with opened(tmp_path) as client:
        yield client


def test_a_config_is_opened_and_returned_as_entered(client: Client) -> None:
    answer = client.ask("/api/upload?name=boat_config.json", json.dumps(GIVEN).encode())
    assert answer.status == 200, answer.body
    assert [one.split(":")[0] for one in answer.json["remarks"]] == ["geometry.shape", "simulation"]
    draft = f"/api/draft/{answer.json['id']}"
    assert client.ask(draft).json["name"] == "boat"
    client.ask(f"{draft}/put?revision=0&name=polar.csv", b"alpha,cl,cd\n")
    speed = {"do": "set", "file": "vessel.yml", "path": ["U"], "value": 1.5}
    length = {"do": "set", "file": "geometry.yml", "path": ["length"], "value": 2.25}
    time = {"do": "set", "file": "simulation_input.yml", "path": ["sim_time"], "value": 60}
    assert client.edit(draft, speed, length, time).status == 200
    back = client.ask(f"{draft}/config").json
    assert back["name"] == "boat_config.json"
    assert [one.split(":")[0] for one in back["remarks"]] == ["vessel.U", "polar.csv"]
    config = json.loads(back["text"])
    assert config["geometry"] == {"length": 2.25, "breadth": 1, "CG": [0.02894159583, 0, 0.1]}
    assert (config["inertia"], config["simulation"]) == ({"mass": 50}, {"sim_time": 60})


@pytest.mark.slow
@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"name": "a"}', b"\xff"])
def test_an_invalid_config_gets_a_message(client: Client, data: bytes) -> None:
    answer = client.ask("/api/upload?name=a_config.json", data)
    assert answer.status == 422
    assert "a_config.json" in answer.json["error"]
    assert client.ask("/api/home").json["drafts"] == []


def test_hydras_zip_is_added_named_and_removed_by_undo(client: Client) -> None:
    draft = client.draft(blank="boat")
    stream = BytesIO()
    with ZipFile(stream, "w") as archive:
        archive.write(HYDRA / "matlab" / "sookshma_hydra.json", "HydRA/matlab/a_hydra.json")
        archive.write(HYDRA / "input" / "sookshma.gdf", "HydRA/input/a.gdf")
    state = client.ask(f"{draft}/hydra?revision=0&name=a.zip", stream.getvalue()).json
    files = state["files"]
    assert "hydra_file: HydRA/matlab/a_hydra.json" in files["hydrodynamics.yml"]["text"]
    assert "geometry_file: HydRA/input/a.gdf" in files["geometry.yml"]["text"]
    assert "HydRA/input/a.gdf" in files
    for _ in range(2):
        state = client.ask(f"{draft}/undo", {"revision": state["revision"]}).json
    assert (state["undo"], "HydRA/input/a.gdf" in state["files"]) == ("", False)
    refused = client.ask(f"{draft}/hydra?revision={state['revision']}&name=a.zip", b"PK")
    assert (refused.status, "a.zip" in refused.json["error"]) == (422, True)
