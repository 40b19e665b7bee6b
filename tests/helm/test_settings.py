"""Declared parameters: setting, rejection, copying and documentation."""

from __future__ import annotations

from dataclasses import dataclass, fields

import pytest

from steerageway.helm.behaviors import BEHAVIORS
from steerageway.helm.behaviors.constant import ConstantSpeedSettings
from steerageway.helm.behaviors.waypoint.settings import WaypointSettings
from steerageway.helm.settings import (
    CommonSettings,
    SettingError,
    changed,
    declarations,
    documented,
    put,
    same_as,
)


def test_change_is_made_on_a_copy() -> None:
    old = ConstantSpeedSettings()
    new, names = changed(old, [("speed", "2"), ("PWT", " 50 "), ("runflag", "A = 1")])
    assert (new.speed, new.pwt, len(new.runflag)) == (2.0, 50.0, 1)
    assert (old.speed, old.pwt, len(old.runflag)) == (0.0, 100.0, 0)
    assert names == {"speed", "pwt", "runflag"}


def test_lines_of_a_repeatable_parameter_add_up() -> None:
    settings = CommonSettings()
    for text in ("A = 1", "B = 2"):
        put(settings, "endflag", text)
    assert [flag.variable for flag in settings.endflag] == ["A", "B"]


def test_last_line_of_a_scalar_parameter_is_used() -> None:
    settings = ConstantSpeedSettings()
    put(settings, "speed", "1")
    put(settings, "speed", "2")
    assert settings.speed == 2.0


def test_parameter_may_be_declared_as_in_another_class() -> None:
    @dataclass
    class Settings(CommonSettings):
        patience: float = same_as(WaypointSettings, "crs_spd_zaic_ratio")
        flags: tuple[object, ...] = same_as(WaypointSettings, "wptflag")

    made, known = Settings(), declarations(WaypointSettings)
    assert (made.patience, made.flags) == (50.0, ())
    assert declarations(Settings)["patience"][1] is known["crs_spd_zaic_ratio"][1]
    assert put(made, "wpt_flag", "A = 1") == "flags"


def test_parameter_may_begin_with_an_underscore() -> None:
    settings = CommonSettings()
    assert put(settings, "_perpetual", "true") == "perpetual"
    assert settings.perpetual


@pytest.mark.parametrize(
    ("kind", "name", "text", "expected"),
    [
        (WaypointSettings, "capture_radios", "5", "unknown key; did you mean ca"),
        (WaypointSettings, "zzz", "5", "unknown key"),
        (CommonSettings, "pwt", "heavy", "expected a number at least 0"),
        (CommonSettings, "pwt", "-1", "expected a number at least 0"),
        (CommonSettings, "name", "two words", "expected one word"),
        (CommonSettings, "duration", "-5", "expected a number at least 0"),
        (CommonSettings, "duration_reset", "= 4", "expected one word"),
        (CommonSettings, "nostarve", "A", "expected VAR, seconds"),
        (CommonSettings, "nostarve", "A, 0", "expected a number above 0"),
        (CommonSettings, "post_mapping", "A", "expected VAR, NEW_NAME"),
        (CommonSettings, "condition", "A = ", "column 4: expected a number"),
        (CommonSettings, "endflag", "A", "expected VAR = value"),
        (WaypointSettings, "points", "60,-40:6O,-160", "expected points x,y"),
        (WaypointSettings, "capture_radius", "0", "expected a number above 0"),
        (WaypointSettings, "capture_line", "diagonal", "expected one of true, false, absolute"),
        (WaypointSettings, "order", "sideways", "expected one of normal, reverse"),
        (WaypointSettings, "repeat", "-1", "expected a whole number"),
        (WaypointSettings, "currix", "1.5", "expected a whole number"),
        (WaypointSettings, "patience", "0", "expected a number from 1 to 99"),
        (WaypointSettings, "efficiency_measure", "summary", "expected one of off, all"),
        (WaypointSettings, "end_spd", "slow_dist=10", "expected slow_dist=METRES"),
        (WaypointSettings, "end_spd", "slow_dist=10,stop_dist=20", "expected slow_dist above"),
        (WaypointSettings, "wpt_index_var", "A B", "expected one word"),
        (WaypointSettings, "visual_hints", "edge_color=rd", "expected a colour"),
        (WaypointSettings, "visual_hints", "edge_size=x", "expected a number at least 0"),
    ],
)
def test_error_contains_the_expected_form(
    kind: type[CommonSettings], name: str, text: str, expected: str
) -> None:
    with pytest.raises(SettingError) as raised:
        put(kind(), name, text)
    assert expected in raised.value.expected
    assert str(raised.value).startswith(f"{name} = {text}: ")


@pytest.mark.parametrize(
    ("kind", "line", "value"),
    [  # setParam of each behavior of MOOS-IvP: vclip, setDoubleOnString, setNonNegDoubleOnString
        ("BHV_ConstantDepth", "depth = -5", 0.0),
        ("BHV_ConstantSpeed", "summitdelta = 150", 100.0),
        ("BHV_MaxSpeed", "tolerance = -1", 0.0),
        ("BHV_BearingLine", "line_pct = 120", 100.0),
        ("BHV_StationKeep", "swing_time = 90", 60.0),
        ("BHV_FixedTurn", "mod_hdg = -20", -20.0),
        ("BHV_FixedTurn", "turn_delay = -5", None),
        ("BHV_FixedTurn", "speed = auto", None),
        ("BHV_StationKeep", "hibernation_radius = off", None),
        ("BHV_StationKeep", "hibernation_radius = -1", None),
        ("BHV_Trail", "nm_radius = 0", 0.0),
    ],
)
def test_a_number_that_moos_ivp_takes_is_taken_as_it_takes_it(
    kind: str, line: str, value: float | None
) -> None:
    settings = BEHAVIORS[kind].settings_class()
    key, _, text = line.partition(" = ")
    assert getattr(settings, put(settings, key, text)) == value
    for wrong in ("nan", "inf", "1e999", "x"):
        with pytest.raises(SettingError):
            put(settings, key, wrong)


@pytest.mark.parametrize("radius", ["0", "-5"])
def test_no_radius_of_hibernation_is_zero(radius: str) -> None:
    with pytest.raises(SettingError, match="expected a number above 0, or off"):
        put(BEHAVIORS["BHV_StationKeep"].settings_class(), "hibernation_radius", radius)


KINDS = [one.settings_class for one in BEHAVIORS.values()]


def test_every_parameter_is_documented_with_the_default_it_has() -> None:
    for kind in KINDS:
        assert [one.name for one in documented(kind)] == [one.name for one in fields(kind)]
        settings = kind()
        for one in documented(kind):
            assert one.help, f"{kind}: {one.name}"
            _, declared = declarations(kind)[one.name]
            expected = (declared.read(one.default),) if one.default else (None, ())
            assert getattr(settings, one.name) in expected, f"{kind}: {one.name}"


def test_no_two_parameters_share_a_name() -> None:
    for kind in KINDS:
        names = [name for _, declared in declarations(kind).values() for name in declared.aliases]
        names = list(dict.fromkeys(names)) + [one.name for one in fields(kind)]
        assert len(names) == len(declarations(kind)), kind


def test_a_behavior_publishes_the_variables_that_its_settings_name() -> None:
    """In all behaviors: each parameter whose meaning says that something is posted in it.

    The helm itself posts `duration_status`.
    """
    checked = []
    for kind in BEHAVIORS.values():
        for name, (field, declared) in declarations(kind.settings_class).items():
            said = declared.meaning.startswith(("variable in which", "additional variable for"))
            if name == field and said and name != "duration_status":
                settings = kind.settings_class()
                put(settings, name, "THERE")
                behavior = kind.__new__(kind)
                behavior.settings = settings
                assert "THERE" in behavior.publishes(settings), (kind, name)
                checked.append(name)
    assert len(checked) > 10
