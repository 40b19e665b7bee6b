"""Sensor files in the forms in use are read; errors are reported with their place."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from steerageway.declarations.key import flat
from steerageway.geometry.geodesy import Datum
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import read_folder
from steerageway.vessel.fossen.keys.listing import FILES
from steerageway.vessel.sensors.kinds import KINDS
from steerageway.vessel.sensors.noise import Faults
from steerageway.vessel.sensors.reading import Reader, actuators_of
from steerageway.vessel.sensors.sensor import Aboard, Sensor
from steerageway.world import document

INPUTS = Path(__file__).parents[3] / "inputs"
PAGE = (Path(__file__).parents[3] / "docs" / "sensors.md").read_text()
SOUND = "sensor_type: GPS\n    publish_rate: 1\n"


def read(folder: Path) -> list[Sensor]:
    """Read a vessel's sensors."""
    reader = Reader(Aboard(actuators=actuators_of(read_folder(folder))))
    reader.file(folder / "sensors.yml")
    return reader.finish()


@pytest.fixture
def written(tmp_path: Path):
    """Return sensors read from a file with one sensor, whose lines begin at 2."""

    def write(text: str, *more: str) -> list[Sensor]:
        path = tmp_path / "sensors.yml"
        path.write_text("sensors:\n" + "".join(f"  - {one}\n" for one in (text, *more)))
        reader = Reader(Aboard())
        reader.file(path)
        return reader.finish()

    return write


@pytest.fixture
def line():
    """Return the one sensor of a line of a mission file."""

    def make(text: str) -> Sensor:
        reader = Reader(Aboard())
        reader.line(text, "alpha.moos:41")
        return reader.finish()[0]

    return make


def test_sookshmas_file_is_read_unchanged() -> None:
    imu, uwb, rudder = read(INPUTS / "sookshma")
    assert [s.name for s in (imu, uwb, rudder)] == ["IMU", "UWB", "ENC_CS_1"]
    assert (imu.topic, uwb.topic) == ("/sookshma_00/imu/data", "/sookshma_00/uwb")
    assert [s.description()["rate"] for s in (imu, uwb, rudder)] == [50.0, 1.0, 10.0]
    assert uwb.errors.covariance[0] == pytest.approx([0.04533883, -0.05014115, 0.0])
    # it has a covariance that it does not ask for: Panisim's own counts
    rms = [0.01] * 3 + [0.01] * 3 + [0.15] * 3
    assert np.sqrt(np.diag(imu.errors.covariance)) == pytest.approx(rms)
    assert rudder.errors.covariance == pytest.approx(np.array([[0.01]]))


def test_mavyminis_file_is_read_unchanged() -> None:
    sensors = read(INPUTS / "mavymini")
    surfaces = [f"ENC_CS_{number}" for number in range(1, 7)]
    assert [s.name for s in sensors] == ["IMU", "GPS", "DVL", *surfaces, "ENC_TH_1"]
    assert sensors[0].location.tolist() == [0.25, 0.01, 0.1]
    assert np.sqrt(np.diag(sensors[1].errors.covariance)).tolist() == [3.0] * 3
    assert np.sqrt(np.diag(sensors[2].errors.covariance)) == pytest.approx([0.05] * 3)


def test_a_covariance_is_used_where_the_file_requests_it(written) -> None:
    custom = "    custom_covariance:\n      position_covariance: [1,0,0,0,2,0,0,0,3]\n"
    for flag, expected in (("true", [1, 2, 3]), ("false", [9, 9, 9])):
        (gps,) = written(f"{SOUND}    use_custom_covariance: {flag}\n{custom}")
        assert np.diag(gps.errors.covariance).tolist() == expected


def test_a_covariance_may_be_a_list_of_rows(written) -> None:
    key = "    use_custom_covariance: true\n    custom_covariance:\n      position_covariance:"
    (gps,) = written(f"{SOUND}{key} [[1, 0.5, 0], [0.5, 2, 0], [0, 0, 3]]\n")
    expected = [[1.0, 0.5, 0.0], [0.5, 2.0, 0.0], [0.0, 0.0, 3.0]]
    assert gps.by_part["position"].covariance.tolist() == expected


def test_a_sensor_of_a_line_has_only_the_errors_it_sets(line) -> None:
    for kind in ("IMU", "GPS", "UWB", "DVL"):
        sensor = line(f"sensor_type={kind}, publish_rate=1")
        assert not sensor.errors.covariance.any()
        assert not sensor.errors.bias.any()
    gps = line("sensor_type=GPS, publish_rate=1, position_covariance=4:0:0:0:4:0:0:0:9")
    assert np.diag(gps.errors.covariance).tolist() == [4, 4, 9]


def test_errors_are_given_for_each_component_or_for_all(line) -> None:
    gps = line("sensor_type=GPS, publish_rate=1, position_rms=2, position_bias=1:2:3")
    assert np.diag(gps.errors.covariance).tolist() == [4, 4, 4]
    assert gps.errors.bias.tolist() == [1, 2, 3]


def test_equal_sensors_are_numbered_in_their_order_unless_they_are_named(written) -> None:
    named = f"{SOUND}    sensor_name: GPS_2\n"
    sensors = written(SOUND, SOUND, named, f"{SOUND}    sensor_name: STERN\n")
    assert [s.name for s in sensors] == ["GPS", "GPS_3", "GPS_2", "STERN"]
    with pytest.raises(InvalidValue, match="sensor_name GPS_2: expected a name of its own"):
        written(named, named)


def test_times_are_exact_multiples_of_the_period(line) -> None:
    for rate, third in (
        ("3", 10**9),
        ("50", 60_000_000),
        ("0.7", 4_285_714_286),
        ("1e3", 3 * 10**6),
    ):
        sensor = line(f"sensor_type=compass, publish_rate={rate}")
        assert sensor.times(0, third)[-1] == third
        assert len(sensor.times(0, third)) == 3
        assert sensor.times(third, third) == []
    fast = line("sensor_type=compass, publish_rate=7")
    assert len(fast.times(0, 3600 * 10**9)) == 7 * 3600


SENSOR = f"{SOUND}    use_custom_covariance: true\n    custom_covariance:\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "sensor_type: GPS\n    publish_rate: 1e-300",
            r"yml:3: sensors.1.publish_rate: 1e-300: expected at least 1e-9 Hz",
        ),
        (
            "sensor_type: GPS\n    publish_rate: 0",
            r"yml:3: sensors.1.publish_rate = 0: .* above 0",
        ),
        ("sensor_type: GPS\n    publish_rate: -5", r"yml:3: sensors.1.publish_rate = -5"),
        ("sensor_type: GPS\n    publish_rate: often", r"yml:3: sensors.1.publish_rate = often"),
        (
            "sensor_type: GPS",
            r"yml:2: sensors.1.publish_rate is missing: expected a number above 0$",
        ),
        (
            "sensor_type: GPS\n    publish_rat: 1",
            r"yml:2: sensors.1.publish_rate is missing: .* nearest .*yml:3: sensors.1.publish_rat$",
        ),
        (
            "sensor_type: GSP\n    publish_rate: 1",
            r"yml:2: sensors.1.sensor_type: GSP: expected GPS",
        ),
        (
            "sensor_type: sextant\n    publish_rate: 1",
            r"yml:2: .*sextant: expected one of IMU, GPS, UWB",
        ),
        ("sensor_type: imu\n    publish_rate: 1", r"yml:2: .*imu: expected IMU, the nearest"),
        ("publish_rate: 1", r"yml:2: sensors.1.sensor_type: nothing"),
        (f"{SOUND}    sensor_locaton: [0, 0, 0]", r"yml:4: .*unknown key; .*sensor_location"),
        (f"{SOUND}    sensor_location: [0, 0]", r"yml:4: sensors.1.sensor_location = .*3 numbers"),
        (
            f"{SOUND}    sensor_location: above",
            r"yml:4: sensors.1.sensor_location = above: .*3 num",
        ),
        (f"{SOUND}    sensor_location: [0, inf, 0]", r"yml:4: .*sensor_location = inf: .*a number"),
        (f"{SOUND}    sensor_orientation: [0, 0, 90]", r"yml:4: .*sensor_orientation: .*radians"),
        (f"{SOUND}    sensor_name: two words", r"yml:4: sensors.1.sensor_name: two words"),
        (f"{SOUND}    sensor_topic: a b", r"yml:4: sensors.1.sensor_topic: a b"),
        (f"{SENSOR}      position_covariance: [1, 0, 0, 1]", r"yml:6: .*expected 9 numbers"),
        (f"{SENSOR}      position_covariance: [1,0,0,0,1,0,0,0,-1]", r"yml:6: .*semidefinite.*-1"),
        (f"{SENSOR}      position_covariance: [1,2,0,2,1,0,0,0,1]", r"yml:6: .*semidefinite.*-1"),
        (f"{SENSOR}      position_covariance: [1,1,0,0,1,0,0,0,1]", r"yml:6: .*not symmetric"),
        (f"{SENSOR}      positon_covariance: [1]", r"yml:6: .*did you mean position_covariance"),
        (
            f"{SOUND}    dropout: 1.5",
            r"yml:4: sensors.1.dropout = 1.5: expected a number from 0 to 1",
        ),
        (f"{SOUND}    latency: -1", r"yml:4: sensors.1.latency = -1: .*at least 0"),
        (f"{SOUND}    position_rms: -1", r"yml:4: .*position_rms: .*at least 0"),
        (f"{SOUND}    position_limit: 0", r"yml:4: .*position_limit: .*above 0"),
        (f"{SOUND}    position_drift_rms: 1", r"yml:4: .*expected position_drift_time beside it"),
        (f"{SOUND}    outlier_rate: 0.1\n    position_rms: 0", r"yml:4: .*outlier_rate: .*noise"),
        (f"{SOUND}    outlier_scale: 0", r"yml:4: .*outlier_scale = 0: .*above 0"),
        (
            f"{SENSOR}      position_covariance: [1,0,0,0,1,0,0,0,1]\n    position_rms: 1",
            r"yml:7: .*position_rms: .*either it or position_covariance",
        ),
        (
            "sensor_type: encoder\n    publish_rate: 1",
            r"yml:2: .*actuator_id: .*one of its own: none",
        ),
    ],
)
def test_errors_are_reported_with_file_and_line(text, message, written) -> None:
    with pytest.raises(InvalidValue, match=message):
        written(text)


def test_an_encoder_has_an_actuator_and_no_place() -> None:
    rudder = Aboard(actuators=actuators_of(read_folder(INPUTS / "sookshma")))
    wrong = {
        "actuator_type=Rudder, actuator_id=7": "Rudder 7: expected one of its own: Rudder 1",
        "actuator_type=Ruder, actuator_id=1": "Ruder 1: expected one of its own: Rudder 1",
        "actuator_type=Rudder, actuator_id=1, sensor_location=1:0:0": "sits on its actuator",
    }
    for keys, message in wrong.items():
        with pytest.raises(InvalidValue, match=rf"alpha.moos:41: .*{message}"):
            Reader(rudder).line(f"sensor_type=encoder, publish_rate=1, {keys}", "alpha.moos:41")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sensor_type=GPS, publish_rate", r"alpha.moos:41: publish_rate: expected each key once"),
        ("sensor_type=GPS, sensor_type=IMU", r"alpha.moos:41: sensor_type=IMU: .*each key once"),
        ("sensor_type=GPS, publish_rate=-1", r"alpha.moos:41: publish_rate = -1"),
        ("sensor_type=GPS", r"alpha.moos:41: publish_rate is missing: expected a number"),
        (
            "sensor_type=GPS, publish_rat=1",
            r"alpha.moos:41: publish_rate is missing: .* nearest .* alpha.moos:41: publish_rat$",
        ),
        ("sensor_type=GPS, publish_rate=1, position_covariance=1:0", r"alpha.moos:41: .*9 numbers"),
    ],
)
def test_errors_in_a_line_are_reported_with_their_place(text, message, line) -> None:
    with pytest.raises(InvalidValue, match=message):
        line(text)


def test_the_unit_of_a_thruster_depends_on_the_files() -> None:
    units, factors = {}, {"rpm": 30 / np.pi, "deg": 180 / np.pi, "1": 1.0, "N": 1.0}
    for vessel in ("otter", "tito_neri", "mariner", "clarke83"):
        for actuator in actuators_of(read_folder(INPUTS / vessel)):
            units[f"{vessel} {actuator.name}"] = actuator.unit
            assert actuator.factor == pytest.approx(factors[actuator.unit])
    assert units["otter th_1"] == "rpm"
    assert {units[f"tito_neri {name}"] for name in ("th_1", "th_2", "az_1")} >= {"rpm", "deg"}
    assert "1" in {unit for name, unit in units.items() if name.startswith("tito_neri")}
    assert units["mariner cs_1"] == "deg"
    assert units["clarke83 th_1"] == "N"


def test_every_key_reaches_the_sensor(line) -> None:
    keys = (
        "latency=0.5, dropout=0.1, outlier_rate=0.2, outlier_scale=7, lost_below=1.5, "
        "position_rms=1:2:3, position_bias=0.1, position_drift_rms=0.2, position_drift_time=30, "
        "position_scale=0.01, position_limit=900, position_resolution=0.25, sensor_topic=/fix"
    )
    gps = line(f"sensor_type=GPS, publish_rate=1, {keys}")
    assert (gps.latency, gps.topic, gps.lost_below) == (500_000_000, "/fix", 1.5)
    assert gps.faults == Faults(dropout=0.1, outlier_rate=0.2, outlier_scale=7.0)
    assert np.diag(gps.errors.covariance).tolist() == [1, 4, 9]
    for key, value in (("bias", 0.1), ("drift_rms", 0.2), ("drift_time", 30), ("scale", 0.01)):
        assert getattr(gps.errors, key).tolist() == [value] * 3
    assert gps.errors.limit.tolist() == [900] * 3
    assert gps.errors.resolution.tolist() == [0.25] * 3


def test_every_key_that_is_read_is_declared(tmp_path: Path) -> None:
    requested = set()
    for kind in ("GPS", "IMU"):
        (tmp_path / "sensors.yml").write_text(
            f"sensors:\n  - sensor_type: {kind}\n    publish_rate: 1\n"
        )
        (section,) = document.read(tmp_path / "sensors.yml").sections("sensors")
        parts = KINDS[kind](section, Aboard()).parts
        requested |= {re.sub(rf"^({'|'.join(parts)})_", "PART_", key) for key in section.asked}
    declared = {path[-1].name for path in flat(FILES["sensors"])}
    assert requested <= declared, requested - declared


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_documented_with_its_posts(kind: str) -> None:
    page = PAGE.replace("`ENC_CS_1`", "`ENCODER`", 1)
    name = KINDS[kind].called or kind.upper()
    row = re.search(rf"^\| `{kind}` \| `{name}` \|.*(?:\n\| \| .*)*", page, re.MULTILINE)
    assert row is not None
    for part in KINDS[kind].parts:
        assert part in row[0]
    reader = Reader(Aboard(projection=Datum(59.9, 10.7)))
    if kind != "encoder":
        reader.line(f"sensor_type={kind}, publish_rate=1", "alpha.moos:41")
    scalars = [scalar for sensor in reader.finish() for scalar in sensor.scalars]
    for scalar in scalars:
        assert f"`{scalar}`" in row[0]
    for rms in {f"{rms:g}" for rms in KINDS[kind].standard_rms.values()}:
        assert f" {rms} " in row[0]


PRINTED = """\
sensors:
  -
    sensor_type: IMU
    sensor_topic: /sookshma_00/imu/data
    sensor_location: [0.0, 0.0, 0.0]
    sensor_orientation: [0.0, 0.0, 0.0]
    publish_rate: 50
    use_custom_covariance: true
    custom_covariance:
      orientation_covariance: [4.97116638e-07, 1.92100383e-07, -5.37921803e-06, 1.92100383e-06]
      linear_acceleration_covariance: [0.04, 0, 0, 0, 0.04, 0, 0, 0, 0.04]
  -
    sensor_type: CustomSensor
    sensor_topic: /vessel_01/custom_sensor
    sensor_location: [0.1, 0.0, 0.2]
    sensor_orientation: [0.0, 0.0, 0.0]
    publish_rate: 50
    custom_param: 42.0
    use_custom_covariance: true
    custom_covariance:
      custom_measurement_covariance: [0.01, 0.0, 0.0, 0.0, 0.01, 0.0, 0.0, 0.0, 0.01]
"""


def test_the_printed_examples_of_panisims_document_are_read_with_warnings(tmp_path) -> None:
    file = tmp_path / "sensors.yml"
    file.write_text(PRINTED)
    reader = Reader(Aboard())
    reader.file(file)
    (imu,) = reader.finish()
    (doubt,) = reader.doubts
    assert ":10: orientation_covariance: 4 numbers, expected 9" in doubt
    (left_out,) = reader.left_out
    assert re.search(":13: .*CustomSensor: neither a type here nor a sensor_class", left_out)
    given = np.sqrt(np.diag(imu.by_part["linear_acceleration"].covariance))
    assert given.tolist() == pytest.approx([0.2] * 3)
    file.write_text(PRINTED.split("    use_custom")[0])
    usual = Reader(Aboard())
    usual.file(file)
    cut, standard = (r.by_part["orientation"].covariance for r in (imu, usual.finish()[0]))
    assert np.array_equal(cut, standard)
    assert standard.any()
