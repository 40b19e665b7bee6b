"""Trails as files of other programs, and what a mission's files allow on the map."""

from __future__ import annotations

import json
from math import cos, hypot, radians
from pathlib import Path
from xml.etree import ElementTree

import pytest

from steerageway.geometry.geodesy import Datum
from steerageway.web.viewer.exports import exported
from steerageway.web.viewer.log_set import read_logs
from steerageway.web.viewer.mission_facts import facts_of, read_helms
from tests.web.viewer.browser.logs import straight, write_log

ROOT = Path(__file__).parents[3]
GPX, GX = "{http://www.topografix.com/GPX/1/1}", "{http://www.google.com/kml/ext/2.2}"
KML = "{http://www.opengis.net/kml/2.2}"
LAT, LON = 59.9075, 10.72
DEGREE = 111_416.0  # of latitude there [m]; of longitude by its cosine and 1 + e² sin²(lat) / 2


def test_tracks_have_the_places_and_times_of_the_log_in_every_format(tmp_path: Path) -> None:
    logs = read_logs(write_log(tmp_path / "log", straight(20.0, heading=45.0), name="a<b>"))
    texts = {
        kind: exported(kind, logs.tracks(), Datum(LAT, LON), logs.epoch)
        for kind in ("gpx", "kml", "geojson")
    }
    points = list(ElementTree.fromstring(texts["gpx"]).iter(f"{GPX}trkpt"))
    gpx = [
        (float(p.attrib["lat"]), float(p.attrib["lon"]), p.findtext(f"{GPX}time")) for p in points
    ]
    assert gpx[0][2] == "2026-01-01T00:00:00.000Z"
    assert gpx[-1][2] <= "2026-01-01T00:00:20.000Z"
    seconds = float(str(gpx[-1][2])[17:-1])
    north = (gpx[-1][0] - LAT) * DEGREE
    east = (gpx[-1][1] - LON) * 111_600.0 * cos(radians(LAT))
    assert hypot(north, east) == pytest.approx(seconds, rel=0.003)  # at 1 m/s
    assert north == pytest.approx(east, rel=0.005)
    kml = ElementTree.fromstring(texts["kml"])
    assert kml.findtext(f".//{KML}name") == "a<b>"
    coords = [tuple(map(float, str(c.text).split()[:2])) for c in kml.iter(f"{GX}coord")]
    assert coords == [(lon, lat) for lat, lon, _ in gpx]
    (feature,) = json.loads(texts["geojson"])["features"]
    assert feature["properties"]["times"] == [[when for *_, when in gpx]]
    (line,) = feature["geometry"]["coordinates"]
    assert line == [pytest.approx(place, abs=1e-8) for place in coords]
    with pytest.raises(ValueError, match="shp: expected geojson, gpx, kml"):
        exported("shp", logs.tracks(), Datum(LAT, LON), logs.epoch)


@pytest.mark.parametrize(
    ("mission", "deploy", "stay", "movable"),
    [
        # alpha has buttons, though none for staying, and no station: DEPLOY = false stops it.
        # loiter has a button for its station, and monte_alpha no buttons.
        ("alpha", ["DEPLOY", "MOOS_MANUAL_OVERRIDE", "RETURN"], ["DEPLOY"], ["survey", "return"]),
        ("loiter", None, ["STAGE"], []),
        (
            "monte_alpha",
            ["MOOS_MANUAL_OVERRIDE", "DEPLOY", "RETURN"],
            ["DEPLOY"],
            ["survey", "return"],
        ),
    ],
)
def test_orders_are_the_missions_own_or_the_usual_ones_that_its_helm_knows(
    mission: str, deploy: list[str] | None, stay: list[str], movable: list[str]
) -> None:
    (file,) = (ROOT / "missions" / mission).glob("*.moos")
    facts = facts_of({"abe": file})
    read_helms(facts, {"abe": file}, {})
    helm = facts.helms["abe"]
    posts = {order: [name for name, _ in one.posts] for order, one in helm.orders.items()}
    assert posts.get("deploy") == deploy
    assert posts["stay"] == stay
    assert [one.behavior for one in helm.movable] == movable
    assert all(one.variable and one.points for one in helm.movable)


def test_behaviors_are_read_before_they_are_copied_beside_a_log(tmp_path: Path) -> None:
    file, copy = ROOT / "missions" / "alpha" / "alpha.moos", tmp_path / "abe._moos"
    copy.write_bytes(file.read_bytes())
    facts = facts_of({"abe": file})
    read_helms(facts, {"abe": file}, {"abe": copy})
    assert facts.notes == []
    assert [one.behavior for one in facts.helms["abe"].movable] == ["survey", "return"]
    (tmp_path / "alpha._bhv").write_text("")
    read_helms(facts, {"abe": file}, {"abe": copy})
    assert facts.helms["abe"].movable == []


def test_a_chart_that_is_not_there_is_reported_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "a.moos"
    file.write_text("ProcessConfig = pMarineViewer\n{\n  tiff_file = bay.tif\n}\n")
    (note,) = facts_of({"abe": file}).notes
    assert note.startswith(f"{file}:3: tiff_file = bay.tif: expected GeoJSON")
    (tmp_path / "bay.png").write_bytes(b"")
    (tmp_path / "bay.info").write_text("lat_north=2\nlat_south=1\nlon_east=2\nlon_west=1\n")
    assert facts_of({"abe": file}).notes == []
