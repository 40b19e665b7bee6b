"""Each parameter of ``pNodeReporter`` has the effect it is documented to have."""

from itertools import pairwise
from pathlib import Path

import pytest

from steerageway.apps.communication.node_reporter.app import NodeReporter
from steerageway.bus import Config, ConfigError
from steerageway.moos.node_report import parse

EPOCH = 1_700_000_000.0
NAV = {"NAV_X": 10.0, "NAV_Y": -20.0, "NAV_SPEED": 2.0, "NAV_HEADING": 90.0}
DATUM = [("LatOrigin", "43.8253", "x:1"), ("LongOrigin", "-70.3304", "x:2")]


def reporter(drive, block="", *, datum=False):
    return drive(NodeReporter, block, epoch=EPOCH, globals=Config(DATUM if datum else []))


def report(drive, block="", mail=None, **how):
    """Return the first report's record, 1 s after the start."""
    posts = reporter(drive, block, **how).tick(1.0, NAV | (mail or {}))
    return parse(posts["NODE_REPORT_LOCAL"])


@pytest.mark.parametrize(
    ("line", "attribute", "value"),
    [
        ("platform_type = ship", "type", "ship"),
        ("vessel_type = ship", "type", "ship"),
        ("platform_color = red", "color", "red"),
        ("platform_color = dark green", "color", "darkgreen"),
        ("platform_length = 5.5", "length", 5.5),
        ("vessel_length = 5.5", "length", 5.5),
        ("platform_beam = 2", "beam", 2.0),
        ("platform_group = blue", "group", "blue"),
        ("group = blue", "group", "blue"),
        ("platform_vsource = ais", "vsource", "ais"),
        ("platform_transparency = 0.5", "transparency", 0.5),
        ("platform_aspect = hull=steel", "properties", {"hull": "steel"}),
        ("hdg_error = 5", "heading", 95.0),
    ],
)
def test_a_line_of_the_block_reaches_the_report(drive, line, attribute, value):
    assert getattr(report(drive), attribute) != value
    assert getattr(report(drive, line), attribute) == value


@pytest.mark.parametrize(
    ("kind", "length"),
    [("kayak", 4), ("UUV", 4), ("ship", 8), ("longship", 15), ("glider", 3), ("smr", 6)],
)
def test_an_unknown_length_is_the_usual_one(drive, kind, length):
    driven = reporter(drive, f"platform_type = {kind}")
    assert driven.app.config_warnings == []
    assert parse(driven.tick(1.0, NAV)["NODE_REPORT_LOCAL"]).length == length


def test_a_type_without_a_usual_length_is_a_config_warning(drive):
    assert "raft" in reporter(drive, "platform_type = raft").app.config_warnings[0]
    given = reporter(drive, "platform_type = raft\nplatform_length = 3")
    assert given.app.config_warnings == []


def test_coord_policy_global_leaves_x_and_y_out(drive):
    mail = {"NAV_LAT": 43.8, "NAV_LONG": -70.3}
    record = report(drive, "coord_policy_global = true", mail)
    assert (record.x, record.y, record.lat) == (None, None, 43.8)


def test_terse_reports_are_shorter(drive):
    record = report(drive, "terse_reports = true", {"NAV_DEPTH": 5.0, "NAV_YAW": 0.0})
    assert (record.depth, record.yaw, record.x) == (None, None, 10.0)


@pytest.mark.parametrize("name", ["cross_fill_policy", "crossfill_policy"])
@pytest.mark.parametrize(
    ("policy", "mail", "filled"),
    [
        ("literal", {}, False),
        ("fill-empty", {}, True),
        ("fill_empty", {"NAV_LAT": 40.0, "NAV_LONG": -70.0}, False),
        ("local", {"NAV_LAT": 40.0, "NAV_LONG": -70.0}, True),
        ("use-latest", {}, True),
    ],
)
def test_cross_fill_of_latitude_and_longitude(drive, name, policy, mail, filled):
    record = report(drive, f"{name} = {policy}", mail, datum=True)
    near = record.lat == pytest.approx(43.8253 - 20 / 111_100, abs=1e-5)
    assert near == filled


@pytest.mark.parametrize(
    ("policy", "filled"),
    [("global", True), ("global-terse", True), ("local", False), ("fill-empty", False)],
)
def test_cross_fill_of_x_and_y(drive, policy, filled):
    mail = {"NAV_LAT": 43.8253, "NAV_LONG": -70.3304}
    record = report(drive, f"cross_fill_policy = {policy}", mail, datum=True)
    assert (abs(record.x) < 1e-6) == filled


def test_use_latest_fills_the_older_pair(drive):
    driven = reporter(drive, "cross_fill_policy = use-latest", datum=True)
    driven.tick(1.0, NAV)
    posts = driven.tick(2.0, {"NAV_LAT": 43.8253, "NAV_LONG": -70.3304})
    assert parse(posts["NODE_REPORT_LOCAL"]).x == 0.0


def test_values_filled_by_fill_empty_are_renewed(drive):
    driven = reporter(drive, "cross_fill_policy = fill-empty", datum=True)
    first = parse(driven.tick(1.0, NAV)["NODE_REPORT_LOCAL"])
    second = parse(driven.tick(2.0, {"NAV_Y": 500.0})["NODE_REPORT_LOCAL"])
    assert second.lat > first.lat


def test_filling_without_a_datum_is_a_config_warning(drive):
    warnings = reporter(drive, "cross_fill_policy = local").app.config_warnings
    assert any("LatOrigin" in text for text in warnings)


def test_nohelm_threshold(drive):
    driven = reporter(drive, "nohelm_threshold = 0.5")
    driven.tick(1.0, NAV | {"IVPHELM_STATE": "PARK"})
    assert parse(driven.tick(2.0)["NODE_REPORT_LOCAL"]).mode == "NOHELM-1"


@pytest.mark.parametrize("name", ["node_report_output", "node_report_summary", "node_report_var"])
def test_the_reports_variable_can_be_named(drive, name):
    posts = reporter(drive, f"{name} = MY_REPORT").tick(1.0, NAV)
    assert set(posts) == {"MY_REPORT", "MY_REPORT_FIRST", "PNR_POST_GAP"}


@pytest.mark.parametrize("name", ["plat_report_input", "plat_report_var", "platform_variable"])
def test_platform_report_contains_the_changes(drive, name):
    block = f"{name} = GPS_SAT,gap=2,alias=sats\n{name} = STATE"
    driven = reporter(drive, block)
    posts = driven.tick(1.0, {"GPS_SAT": 7.0, "STATE": "good"})
    assert posts["PLATFORM_REPORT_LOCAL"] == (
        "platform=alpha,utc_time=1700000001.00000,sats=7,STATE=good"
    )
    assert "PLATFORM_REPORT_LOCAL" not in driven.tick(2.0, {"GPS_SAT": 8.0})
    assert driven.tick(3.5)["PLATFORM_REPORT_LOCAL"].endswith(",sats=8")


def test_platform_reports_variable_can_be_named(drive):
    block = "plat_report_output = PLAT\nplat_report_input = A"
    assert "PLAT" in reporter(drive, block).tick(1.0, {"A": 1.0})


def riding(drive, rider):
    """Return the field of a rider in reports at 1 to 7 s; the value comes at 1 s and at 4 s."""
    driven = reporter(drive, f"rider = {rider}")
    values = []
    for second in range(1, 8):
        mail = NAV | {"SONAR": second / 3} if second in (1, 4) else NAV
        values.append(parse(driven.tick(float(second), mail)["NODE_REPORT_LOCAL"]).properties)
    return [properties.get("SONAR") for properties in values]


def test_a_rider_travels_always(drive):
    assert riding(drive, "var=SONAR") == ["0.3333"] * 3 + ["1.3333"] * 4


def test_a_rider_travels_when_updated(drive):
    none = None
    travelled = ["0.3333", none, none, "1.3333", none, none, none]
    assert riding(drive, "var=SONAR,policy=updated") == travelled


def test_a_rider_travels_at_an_interval(drive):
    none = None
    travelled = ["0.3333", none, none, none, none, "1.3333", none]
    assert riding(drive, "var=SONAR,policy=5") == travelled


def test_a_rider_travels_when_updated_and_at_an_interval(drive):
    none = None
    travelled = ["0.3333", none, "0.3333", "1.3333", none, "1.3333", none]
    assert riding(drive, "var=SONAR,policy=updated+2") == travelled


def test_a_rider_has_decimals_and_a_separate_field(drive):
    record = report(drive, "rider = var=SONAR,prec=1,rfld=DEPTH_BELOW", {"SONAR": 3.14})
    assert record.properties == {"DEPTH_BELOW": "3.1"}


def test_a_rider_with_a_comma_is_put_in_braces(drive):
    assert report(drive, "rider = var=PLAN", {"PLAN": "a,b"}).properties == {"PLAN": "{a,b}"}


@pytest.mark.parametrize(
    "line",
    [
        "rider = policy=always", "rider = var=HDG", "rider = var=A,policy=often",
        "rider = var=A,prec=11", "rider = var=A,prec=²", "rider = var=A,rfld=a-b",
        "rider = var=A,colour=red",
        "rider = var=A\nrider = var=A", "platform_aspect = hull", "platform_beam = -1",
        "platform_transparency = 2", "platform_color = dark,red", "nohelm_threshold = 0",
        "cross_fill_policy = none", "plat_report_input = gap=1", "plat_report_input = A,gap=-1",
        "plat_report_input = A,period=1", "plat_report_input = A\nplat_report_input = A",
        "blackout_interval = -1", "terse_reports = 2", "node_report_output = A B",
    ],
)  # fmt: skip
def test_an_invalid_line_is_reported(drive, line):
    with pytest.raises(ConfigError, match=r"test\.moos:\d: \w+ = "):
        reporter(drive, line)


def reports_at(drive, block, times, mail=None):
    """Return the times at which there was a report."""
    driven = reporter(drive, block)
    return [time for time in times if "NODE_REPORT_LOCAL" in driven.tick(time, NAV | (mail or {}))]


def test_a_blackout_lasts(drive):
    times = [float(t) for t in range(1, 12)]
    assert reports_at(drive, "blackout_interval = 2.5", times) == [1.0, 4.0, 7.0, 10.0]


def test_a_varied_blackout_stays_around_its_interval(drive):
    times = [t / 10 for t in range(10, 400)]
    posted = reports_at(drive, "blackout_interval = 3\nblackout_variance = 1", times)
    gaps = [b - a for a, b in pairwise(posted)]
    assert len(set(gaps)) > 3
    assert min(gaps) > 2.0
    assert max(gaps) < 4.15


def test_json_report_true_replaces_the_report(drive):
    text = reporter(drive, "json_report = true").tick(1.0, NAV)["NODE_REPORT_LOCAL"]
    assert text.startswith('{"NAME":"alpha","X":10,')


def test_json_report_in_a_variable_comes_in_addition(drive):
    posts = reporter(drive, "json_report = NODE_JSON").tick(1.0, NAV)
    assert posts["NODE_JSON"] == posts["NODE_JSON_FIRST"]
    assert parse(posts["NODE_JSON"]) == parse(posts["NODE_REPORT_LOCAL"])
    assert "NODE_JSON" not in reporter(drive, "json_report = false").tick(1.0, NAV)


def test_report_cog_is_the_direction_since_the_last_report(drive):
    driven = reporter(drive, "report_cog = true")
    assert parse(driven.tick(1.0, NAV)["NODE_REPORT_LOCAL"]).cog is None
    assert parse(driven.tick(2.0, {"NAV_X": 5.0})["NODE_REPORT_LOCAL"]).cog == 270.0
    assert report(drive).cog is None


@pytest.mark.parametrize(("word", "color"), [("true", "red"), ("false", "")])
def test_allow_color_change(drive, word, color):
    mail = {"NODE_COLOR_CHANGE": "red"}
    if word == "true":
        assert report(drive, "allow_color_change = true", mail).color == color
    else:
        driven = reporter(drive, "allow_color_change = false")
        assert "NODE_COLOR_CHANGE" not in driven.registered


ALT = {"NAV_GT_X": 1.0, "NAV_GT_Y": 2.0, "NAV_GT_SPEED": 3.0, "NAV_GT_HEADING": 4.0}


@pytest.mark.parametrize("prefix", ["NAV_GT", "NAV_GT_"])
def test_a_second_navigation_is_reported_too(drive, prefix):
    driven = reporter(drive, f"alt_nav_prefix = {prefix}\ngroup = blue")
    driven.tick(1.0, NAV | ALT)
    own, alt = (parse(text) for text in driven.values("NODE_REPORT_LOCAL"))
    assert (own.name, own.x, own.index) == ("alpha", 10.0, 0)
    assert (alt.name, alt.x, alt.index, alt.group) == ("alpha_GT", 1.0, 1, "blue")


def test_a_second_navigation_that_went_silent_is_not_reported(drive):
    driven = reporter(drive, "alt_nav_prefix = NAV_GT")
    driven.tick(1.0, NAV | ALT)
    driven.tick(6.0, NAV)
    assert len(driven.values("NODE_REPORT_LOCAL")) == 1


@pytest.mark.parametrize(
    ("line", "name", "group"),
    [("alt_nav_name = ghost", "ghost", "blue"), ("alt_nav_name = _x", "alpha_x", "blue"),
     ("alt_nav_group = red", "alpha_GT", "red")],
)  # fmt: skip
def test_a_second_navigation_has_a_name_and_group(drive, line, name, group):
    driven = reporter(drive, f"alt_nav_prefix = NAV_GT\ngroup = blue\n{line}")
    driven.tick(1.0, NAV | ALT)
    alt = parse(driven.values("NODE_REPORT_LOCAL")[1])
    assert (alt.name, alt.group) == (name, group)


def test_missing_navigation_is_a_run_warning_after_the_grace_period(drive):
    driven = reporter(drive, "nav_grace_period = 2")
    driven.tick(1.0)
    assert driven.app.run_warnings == {}
    assert driven.tick(2.5) == {}
    assert list(driven.app.run_warnings) == ["Waiting for NAV_X/Y or NAV_LAT/LONG"]
    assert "NODE_REPORT_LOCAL" in driven.tick(3.0, NAV)
    assert driven.app.run_warnings == {}


def test_a_position_alone_is_reported_during_the_grace_period_only(drive):
    half = {"NAV_X": 1.0, "NAV_Y": 2.0}
    assert "NODE_REPORT_LOCAL" in reporter(drive).tick(1.0, half)
    assert reporter(drive, "nav_grace_period = -1").tick(1.0, half) == {}


EXTRAP = "extrap_enabled = true\n"


def extrapolated(drive, block, x=12.0, heading=90.0, time=2.0):
    """Return the posts at a time, after a first report at 1 s: x = 10, moving east at 2 m/s."""
    driven = reporter(drive, block)
    driven.tick(1.0, NAV)
    return driven.tick(time, {"NAV_X": x, "NAV_HEADING": heading})


def test_no_report_while_the_last_one_leads_there(drive):
    posts = extrapolated(drive, EXTRAP, x=12.2)
    assert posts["PNR_EXTRAP_POS_GAP"] == pytest.approx(0.2)
    assert posts["PNR_EXTRAP_HDG_GAP"] == 0.0
    assert "NODE_REPORT_LOCAL" not in posts
    assert "NODE_REPORT_LOCAL" in extrapolated(drive, "", x=12.2)


@pytest.mark.parametrize(
    ("line", "how", "reported"),
    [
        ("", {"x": 12.3}, True),
        ("extrap_pos_thresh = 0.5", {"x": 12.3}, False),
        ("", {"heading": 92.0}, True),
        ("extrap_hdg_thresh = 3", {"heading": 92.0}, False),
        ("", {"time": 6.5, "x": 20.0}, True),
        ("extrap_max_gap = 9", {"time": 6.5, "x": 20.0}, False),
    ],
)
def test_extrapolation_has_thresholds(drive, line, how, reported):
    assert ("NODE_REPORT_LOCAL" in extrapolated(drive, EXTRAP + line, **how)) == reported


def test_paused_until_resumed(drive):
    driven = reporter(drive, "paused = true\nplat_report_input = A")
    assert driven.tick(1.0, NAV | {"A": 1.0}) == {}
    assert "NODE_REPORT_LOCAL_FIRST" in driven.tick(2.0, {"PNR_PAUSE": "false"})
    assert driven.tick(3.0, {"PNR_PAUSE": "toggle"}) == {}


def test_every_parameter_has_a_test_above():
    text = Path(__file__).read_text()
    for parameter in NodeReporter.parameters:
        assert f'"{parameter.name}"' in text or f"{parameter.name} = " in text, parameter.name


def test_everything_posted_is_declared(drive):
    block = EXTRAP + "json_report = J\nplat_report_input = A\nalt_nav_prefix = GT"
    driven = reporter(drive, block)
    driven.tick(1.0, NAV | {"A": 1.0, "GT_X": 1.0, "MISSION_HASH": "mhash=a"})
    driven.tick(2.0, {"NAV_X": 500.0})
    assert driven.app.refused == 0
