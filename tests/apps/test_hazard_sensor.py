"""``uFldHazardSensor`` and ``uFldHazardMgr``: the effect of each parameter."""

from __future__ import annotations

import pytest

from steerageway.apps.sensing.hazard_mgr import HazardMgr
from steerageway.apps.sensing.hazard_sensor import HazardSensor
from steerageway.moos.hazard import parse_hazard
from steerageway.moos.polygon import parse_polygon
from steerageway.moos.values import by_key
from tests.apps.parameters import Shown

SURE = "sensor_config = width=20,exp=5,class=1\n"
ROCK = "hazard = x=0,y=50,label=01,type=hazard\n"
SHELL = "hazard = x=0,y=50,label=02,type=benign{}\n"
shows = Shown()


@pytest.fixture
def field(sea):
    return lambda block="", **setting: sea(HazardSensor, block, **setting)


def tell(sea, name, text, *vessels, community="abe"):
    """Let a vessel post a request; return the posts by variable."""
    request = sea.driven.message(name, text, sea.time + 1)._replace(community=community)
    return sea.see(*vessels, mail=[request])


def select(sea, pd=1.0, width=20):
    return tell(sea, "UHZ_CONFIG_REQUEST", f"vname=abe,width={width},pd={pd}")


def sail(sea, *ys, speed=1.0, headings=None):
    """Let abe ask once and then be at (0, y) each second; return all posts by variable."""
    found = {}
    for number, y in enumerate(ys):
        heading = headings[number] if headings else 0.0
        asked = [sea.driven.message("UHZ_SENSOR_REQUEST", "vname=abe", sea.time + 1)]
        seen = sea.see(("abe", 0, y, heading, speed), mail=asked if number == 0 else [])
        for name, values in seen.items():
            found.setdefault(name, []).extend(values)
    return found


@shows("sensor_config", "hazard")
def test_an_object_is_detected_when_it_enters_the_swath(field):
    sea = field(SURE + ROCK)
    settings = "vname=abe,width=20,pd=1,pfa=1,pclass=1"
    assert select(sea)["UHZ_CONFIG_ACK_ABE"] == [settings]
    assert "UHZ_DETECTION_REPORT" not in sail(sea, 0, 44)
    found = sail(sea, 46, 54, 60)
    assert found["UHZ_DETECTION_REPORT"] == ["x=0,y=50,label=01,vname=abe"]
    assert found["UHZ_DETECTION_REPORT_ABE"] == ["x=0,y=50,label=01"]
    assert len(sail(sea, 54, 53)["UHZ_DETECTION_REPORT"]) == 1  # again, as it left the swath


def test_a_report_from_too_far_away_or_of_a_huge_heading_ends_nothing(field):
    sea = field(SURE + ROCK)
    select(sea)
    asked = [sea.driven.message("UHZ_SENSOR_REQUEST", "vname=abe", 3)]
    sea.see(("abe", 10**18, 0, 0.0, 1))
    sea.see(("abe", 10**18, 0, 0.0, 1), mail=asked)
    assert "too far for a swath" in str(sea.driven.app.run_warnings)
    # 36e21 = 9 · 5²¹ · 2²³ is a number of 53 bits, and so exactly 0 on the circle
    assert "UHZ_DETECTION_REPORT" in sail(sea, 44, 46, headings=[36 * 10**21] * 2)


def test_a_hazard_in_utm_coordinates_is_told():
    with pytest.raises(ValueError, match="are these UTM coordinates"):
        parse_hazard("x=500000,y=4649776,label=1,type=hazard")


def test_false_alarms_have_the_probability_of_the_roc_curve(field):
    """pfa = pd ** exp: of 0.8 and 4 it is 0.41; a binomial deviation of 200 trials is 7."""
    sea = field("sensor_config = width=20,exp=4,class=1\n" + ROCK + SHELL.format(""))
    assert select(sea, 0.8)["UHZ_CONFIG_ACK_ABE"][0].endswith("pd=0.8,pfa=0.41,pclass=1")
    texts = sail(sea, *[50, 0] * 200)["UHZ_DETECTION_REPORT"]
    assert sum("label=01" in text for text in texts) == pytest.approx(200 * 0.8, abs=20)
    assert sum("label=02" in text for text in texts) == pytest.approx(200 * 0.8**4, abs=25)


@shows("ignore_resemblances")
@pytest.mark.parametrize(("line", "chance"), [("", 0.5), ("ignore_resemblances = true", 0.0)])
def test_what_resembles_a_hazard_is_detected_more_often(field, line, chance):
    sea = field("sensor_config = width=20,exp=5,class=1\n" + SHELL.format(",hr=1") + line)
    select(sea, 0.001)
    found = sail(sea, *[50, 0] * 100).get("UHZ_DETECTION_REPORT", [])
    assert len(found) == pytest.approx(100 * chance, abs=20)


def test_the_nearest_free_setting_is_selected(field):
    many = "".join(
        f"sensor_config = width={w},exp=2,class=0.5{m}\n" for w, m in ((10, ",max=1"), (50, ""))
    )
    sea = field(many + ROCK)
    assert "width=10," in select(sea, width=20)["UHZ_CONFIG_ACK_ABE"][0]
    ben = tell(sea, "UHZ_CONFIG_REQUEST", "vname=ben,width=5,pd=1", community="ben")
    assert "width=50," in ben["UHZ_CONFIG_ACK_BEN"][0]
    assert "UHZ_CONFIG_ACK_CAL" not in tell(sea, "UHZ_CONFIG_REQUEST", "vname=cal,width=5,pd=1")
    guessed = field(many + ROCK)
    assert sail(guessed, 0)["UHZ_CONFIG_ACK_ABE"] == [
        "vname=abe,width=10,pd=0.9,pfa=0.81,pclass=0.5"
    ]


@shows("min_reset_interval")
def test_a_swath_is_selected_again_after_a_time_and_pd_at_once(field):
    sea = field(SURE + ROCK + "min_reset_interval = 3")
    assert "UHZ_CONFIG_ACK_ABE" in select(sea)
    assert "UHZ_CONFIG_ACK_ABE" not in select(sea)
    assert (
        ",pd=0.5," in tell(sea, "UHZ_CONFIG_REQUEST", "vname=abe,pd=0.5")["UHZ_CONFIG_ACK_ABE"][0]
    )
    sea.see()
    assert "UHZ_CONFIG_ACK_ABE" in select(sea)


@shows("max_turn_rate", "max_vehicle_speed")
@pytest.mark.parametrize(
    ("line", "speed", "headings", "seen"),
    [
        ("", 2.0, [0, 1, 2], True),
        ("", 2.1, [0, 0, 0], False),
        ("max_vehicle_speed = 3", 2.1, [0, 0, 0], True),
        ("", 1.0, [0, 2, 4], False),
        ("max_turn_rate = 3", 1.0, [0, 2, 4], True),
    ],
)
def test_the_sensor_is_off_in_turns_and_at_speed(field, line, speed, headings, seen):
    sea = field(SURE + ROCK + line)
    select(sea)
    found = sail(sea, 0, 20, 50, speed=speed, headings=headings)
    assert ("UHZ_DETECTION_REPORT" in found) is seen
    assert ("fill_color=red" in found["VIEW_POLYGON"][-1]) is not seen


@shows("min_classify_interval", "classify_period")
@pytest.mark.parametrize(
    ("line", "wait"),
    [("", 30), ("min_classify_interval = 4", 4), ("classify_period = 6", 6)],
)
def test_a_detection_is_classified_once_and_after_a_time(field, line, wait):
    sea = field(SURE + ROCK + line)
    select(sea)
    sail(sea, 50)
    request = "vname=abe,label=01"
    assert "UHZ_HAZARD_REPORT" not in tell(sea, "UHZ_CLASSIFY_REQUEST", request, ("abe", 0, 50))
    posts = [sea.see() for _ in range(wait)]
    assert [n for n, one in enumerate(posts, 1) if "UHZ_HAZARD_REPORT" in one] == [wait]
    assert posts[-1]["UHZ_HAZARD_REPORT"] == ["vname=abe,x=0,y=50,label=01,type=hazard"]
    assert posts[-1]["UHZ_HAZARD_REPORT_ABE"] == ["x=0,y=50,label=01,type=hazard"]
    tell(sea, "UHZ_CLASSIFY_REQUEST", request)
    assert "one request for each detection" in str(list(sea.driven.app.run_warnings))


def test_classifications_are_right_as_often_as_the_setting_says(field):
    """Of 150 with probability 0.7, the deviation is 6."""
    sea = field("sensor_config = width=20,exp=1,class=0.7\nmin_classify_interval = 0\n" + ROCK)
    select(sea)
    right = 0
    for _ in range(150):
        sail(sea, 0, 50)
        found = tell(sea, "UHZ_CLASSIFY_REQUEST", "vname=abe,label=01")
        right += "type=hazard" in found["UHZ_HAZARD_REPORT"][0]
    assert right == pytest.approx(150 * 0.7, abs=18)


@shows("hazard_file")
def test_objects_come_from_a_file(field, tmp_path):
    lines = "// two\nhazard = x=0,y=50,label=7,type=hazard\nhazard = x=1\n"
    (tmp_path / "h.txt").write_text(f"{lines}hazard = x=900,y=5,label=8,type=hazzard\n")
    sea = field(SURE + "hazard_file = h.txt", folder=tmp_path)
    assert any("this line is left out" in text for text in sea.driven.app.config.warnings)
    assert any("expected hazard or benign" in text for text in sea.driven.app.config.warnings)
    select(sea)
    assert "label=7" in sail(sea, 50)["UHZ_DETECTION_REPORT"][0]
    missing = field(SURE + "hazard_file = none.txt", folder=tmp_path)
    assert "cannot be read" in missing.driven.app.config.warnings[0]


@shows("options_summary_interval")
@pytest.mark.parametrize(("line", "seconds"), [("", 10), ("options_summary_interval = 3", 3)])
def test_the_settings_are_summed_up_from_time_to_time(field, line, seconds):
    sea = field("sensor_config = width=25, exp=4, pclass=0.85, max=2\n" + SURE + ROCK + line)
    posts = [sea.see().get("UHZ_OPTIONS_SUMMARY") for _ in range(seconds + 1)]
    text = "width=25,exp=4,class=0.85,max=2:width=20,exp=5,class=1"
    assert [n for n, one in enumerate(posts) if one == [text]] == [0, seconds]


@shows("swath_length", "swath_transparency", "show_pd", "show_pfa", "show_swath")
def test_a_swath_is_drawn(field):
    def drawn(lines):
        sea = field(SURE + ROCK + lines)
        select(sea, 0.9)
        return sail(sea, 100).get("VIEW_POLYGON", [""])[0]

    swath = parse_polygon(drawn("swath_length = 8").split("},")[0] + "}")
    assert {tuple(map(round, one)) for one in swath.points} == {
        (20, 108),
        (-20, 108),
        (20, 92),
        (-20, 92),
    }
    assert by_key(drawn(""))["msg"] == "0.90/0.59"
    assert by_key(drawn("show_pfa = false"))["msg"] == "0.90"
    assert by_key(drawn("show_pd = false"))["msg"] == "pfa=0.59"
    assert "fill_transparency=0.4" in drawn("swath_transparency = 0.4")
    assert drawn("show_swath = false") == ""


@shows("show_hazards", "default_hazard_shape", "default_hazard_color", "default_hazard_width")
@shows("default_benign_shape", "default_benign_color", "default_benign_width")
def test_objects_are_drawn(field):
    def drawn(lines, own=""):
        block = SURE + ROCK + SHELL.format(own) + lines
        found = field(block).driven.values("VIEW_MARKER")
        return [by_key(one) for one in found]

    rock, shell = drawn("")
    assert (rock["type"], rock["primary_color"], rock["width"]) == ("triangle", "green", "8")
    assert (shell["type"], shell["primary_color"], shell["width"]) == (
        "triangle",
        "light_blue",
        "8",
    )
    looks = "default_{0}_shape = square\ndefault_{0}_color = red\ndefault_{0}_width = 3\n"
    for kind, number in (("hazard", 0), ("benign", 1)):
        one = drawn(looks.format(kind))[number]
        assert (one["type"], one["primary_color"], one["width"]) == ("square", "red", "3")
    assert drawn("", ",color=pink,shape=circle,width=2")[1]["primary_color"] == "pink"
    assert drawn("show_hazards = false") == []


@shows("show_detections", "show_reports")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", None),
        ("show_detections = 60", "60"),
        ("show_reports = 30", "30"),
        ("show_reports = unlimited", None),
    ],
)
def test_detections_are_drawn_for_a_time(field, line, expected):
    sea = field(SURE + ROCK + line)
    select(sea)
    (circle,) = sail(sea, 50)["VIEW_CIRCLE"]
    assert by_key(circle).get("duration") == expected
    never = field(SURE + ROCK + "show_detections = 0")
    select(never)
    assert "VIEW_CIRCLE" not in sail(never, 50)


@shows("seed_random")
def test_the_missions_seed_decides_what_is_detected(field):
    def found(line, seed):
        sea = field("sensor_config = width=20,exp=2,class=1\n" + ROCK + line, seed=seed)
        select(sea, 0.5)
        return [sail(sea, 0, 50).get("UHZ_DETECTION_REPORT") for _ in range(30)]

    assert found("", 1) == found("seed_random = true", 1) != found("", 2)


def test_every_parameter_of_the_sensor_has_a_test():
    assert {one.name for one in HazardSensor.parameters} == shows.names


@pytest.fixture
def manager(drive):
    return lambda block="": drive(HazardMgr, block, name="uFldHazardMgr")


ACK = "vname=alpha,width=20,pd=0.9,pfa=0.59,pclass=0.8"
of_manager = Shown()


@of_manager("swath_width", "sensor_pd", "pd")
@pytest.mark.parametrize(
    ("block", "request_"),
    [
        ("", "vname=alpha,width=25,pd=0.9"),
        ("swath_width = 50\nsensor_pd = 0.86", "vname=alpha,width=50,pd=0.86"),
        ("pd = 0.5", "vname=alpha,width=25,pd=0.5"),
    ],
)
def test_the_manager_selects_a_sensor_and_then_requests_detections(manager, block, request_):
    one = manager(block)
    assert one.tick(1.0)["UHZ_CONFIG_REQUEST"] == request_
    assert one.tick(2.0) == {}
    assert one.tick(3.0, {"UHZ_CONFIG_ACK": "vname=alpha"}) == {}
    assert one.tick(4.0, {"UHZ_CONFIG_ACK": ACK}) == {"UHZ_SENSOR_REQUEST": "vname=alpha"}
    assert "expected width=" in str(list(one.app.run_warnings))


@of_manager("report_name", "region")
def test_the_manager_reports_what_was_detected(manager):
    one = manager("report_name = night\nregion = 0,0:0,9:9,9:9,0")
    one.tick(1.0, {"UHZ_DETECTION_REPORT": "x=5,y=5,label=12,vname=alpha"})
    assert one.values("UHZ_CLASSIFY_REQUEST") == ["vname=alpha,label=12"]
    one.tick(2.0, {"UHZ_DETECTION_REPORT": "x=50,y=5,label=13"})
    one.tick(3.0, {"HAZARDSET_REQUEST": "true"})
    report = "source=alpha#name=night#x=5,y=5,label=12"
    assert one.values("HAZARDSET_REPORT") == [report]
    other = manager()
    other.tick(3.0, {"HAZARDSET_REQUEST": "true"})
    assert other.values("HAZARDSET_REPORT") == ["source=alpha#name=alpha"]


def test_every_parameter_of_the_manager_has_a_test():
    assert {one.name for one in HazardMgr.parameters} == of_manager.names
