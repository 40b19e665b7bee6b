"""``uTimerScript``, driven by time and mail."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.apps.scripts.timer_script.app import TimerScript
from steerageway.apps.scripts.timer_script.values import calculate, expand
from steerageway.bus import ConfigError

THREE = """
event = var=A, val=1, time=1
event = var=B, val="two, words", time=2
event = var=A, val=3, time=3
"""


def play(driven, until, step=0.25, mail=None):
    """Let time pass; return (time, name, value) of every post but the status."""
    received = []
    for tick in range(1, round(until / step) + 1):
        time = tick * step
        driven.tick(time, (mail or {}).get(time))
        received += [(time, p.name, p.value) for p in driven.posts if p.name != "UTS_STATUS"]
    return received


def status(driven):
    """Return the fields of the last status."""
    return dict(field.strip().split("=") for field in driven.app._script.status().split(","))


def test_events_come_at_their_times_in_order(drive):
    posts = play(drive(TimerScript, THREE), 4.0)
    assert posts == [(1.0, "A", 1.0), (2.0, "B", "two, words"), (3.0, "A", 3.0)]


def test_a_time_range_is_sampled_and_an_amount_repeats_it(drive):
    driven = drive(TimerScript, "event = var=A, val=$[COUNT], time=2:6, amt=20")
    posts = play(driven, 8.0)
    assert [value for _, _, value in posts] == [float(n) for n in range(20)]
    assert all(2.0 <= time <= 6.25 for time, _, _ in posts)
    assert len({time for time, _, _ in posts}) > 5


def test_an_unexpanded_macro_is_reported_once(drive):
    script = """
    event = var=DRIFT_VECTOR, val="$[DIR],$[SPED]", time=1, amt=3
    event = var=A, val="$[X] $[NAV_X] $[COUNT] $$IDX $(3) $[UTC] $[VNAME]", time=2
    rand_var = varname=SPD, min=0, max=1
    rand_pair = var1=X, var2=Y, type=poly, poly=pts={0,0:9,0:9,9}
    """
    assert drive(TimerScript, script).app.config_warnings == [
        "$[DIR] in an event stays as it is: no rand_var or rand_pair has it",
        "$[SPED] in an event stays as it is: no rand_var or rand_pair has it; the nearest is SPD",
    ]


def test_the_status_shows_the_progress(drive):
    driven = drive(TimerScript, THREE + "script_name = gusts\nreset_max = 2")
    assert driven.tick(0.5)["UTS_STATUS"] == (
        "name=gusts, elapsed_time=0.50, posted=0, pending=3, paused=false, conditions_ok=true, "
        "time_warp=1, delay_start=0, delay_reset=0, shuffle=true, upon_awake=n/a, resets=0/2"
    )
    assert driven.tick(1.0)["UTS_STATUS"].startswith("name=gusts, elapsed_time=1.00, posted=1, ")


def test_the_status_goes_to_the_configured_variable(drive):
    driven = drive(TimerScript, THREE + "status_var = MINE")
    assert "MINE" in driven.tick(1.0)


def test_quit_ends_it(drive):
    driven = drive(TimerScript, THREE + "event = quit, time=2.5")
    assert play(driven, 4.0)[2:] == [(2.5, "EXITED_NORMALLY", "pTest")]
    assert driven.tick(9.0) == {}
    assert status(driven)["posted"] == "2"


def test_a_quoted_value_is_text_except_a_lone_count(drive):
    script = """
    event = var=A, val="5", time=1
    event = var=B, val=5, time=1
    event = var=C, val="$[R]", time=1
    event = var=D, val="{2*3}", time=1
    event = var=E, val="$[TCOUNT]", time=1
    event = var=F, val="", time=1
    rand_var = varname=R, min=7, max=7
    """
    values = {name: value for _, name, value in play(drive(TimerScript, script), 2.0)}
    assert values == {"A": "5", "B": 5.0, "C": "7", "D": "6", "E": 4.0, "F": ""}


def test_macros_may_be_in_round_brackets(drive):
    text = "$(COUNT) $(R) $(IDX) {$(R)*2} $(NO)"
    script = f"event = var=A, val={text}, time=1\nrand_var = varname=R, min=7, max=7"
    driven = drive(TimerScript, script)
    assert driven.tick(1.0)["A"] == "0 7 000 14 $(NO)"
    assert driven.app.config_warnings == [
        "$[NO] in an event stays as it is: no rand_var or rand_pair has it"
    ]


def test_commands_have_older_names_and_the_status_may_be_silent(drive):
    lines = "forward_variable = SKIP\nreset_variable = AGAIN\npause_variable = HOLD"
    driven = drive(TimerScript, f"{THREE}{lines}\nstatus_var = silent")
    assert {"SKIP", "AGAIN", "HOLD"} <= set(driven.registered)
    assert driven.tick(0.25, {"SKIP": 1.0}) == {"A": 1.0}


def test_draws_have_older_names(drive):
    pair = "var1=X, var2=Y, type=poly, poly=pts={0,0:9,0:9,9}"
    driven = drive(
        TimerScript,
        "event = var=A, val=$[R] $[X] $[Y], time=1\n"
        f"randvar = varname=R, min=7, max=7\nrandpair = {pair}",
    )
    drawn, x, y = map(float, str(driven.tick(1.0)["A"]).split())
    assert drawn == 7.0
    assert 0 <= y <= x <= 9


def test_a_paused_script_stays_paused_until_resumed(drive):
    driven = drive(TimerScript, THREE + "paused = true")
    mail = {2.0: {"UTS_PAUSE": "false"}, 4.0: {"UTS_PAUSE": "toggle"}, 5.0: {"UTS_PAUSE": "true"}}
    posts = play(driven, 7.0, mail=mail | {6.0: {"UTS_PAUSE": "toggle"}})
    assert [(time, name) for time, name, _ in posts] == [(2.75, "A"), (3.75, "B"), (6.75, "A")]


def test_a_condition_holds_it_and_an_atomic_one_runs_on(drive):
    mail = {1.0: {"GO": 1.0}, 2.5: {"GO": 0.0}}
    held = drive(TimerScript, THREE + "condition = GO = 1")
    assert [name for _, name, _ in play(held, 9.0, mail=mail)] == ["A"]
    atomic = drive(TimerScript, THREE + "condition = GO = 1\nscript_atomic = true")
    assert [name for _, name, _ in play(atomic, 9.0, mail=mail)] == ["A", "B", "A"]


def test_an_atomic_script_can_be_paused_as_in_moos_ivp(drive):
    driven = drive(TimerScript, THREE + "script_atomic = true")
    posts = play(driven, 9.0, mail={2.5: {"UTS_PAUSE": "true"}})
    assert [name for _, name, _ in posts] == ["A", "B"]


@pytest.mark.parametrize(
    ("awake", "count", "resets"), [("n/a", 3, "0"), ("reset", 4, "1"), ("restart", 4, "0")]
)
@pytest.mark.parametrize("most", ["", "reset_max = 1"])
def test_its_actions_when_conditions_hold_again(drive, awake, count, resets, most):
    driven = drive(TimerScript, THREE + f"condition = GO = 1\nupon_awake = {awake}\n{most}")
    mail = {0.5: {"GO": 1.0}, 1.75: {"GO": 0.0}, 3.0: {"GO": 1.0}}
    posts = play(driven, 9.0, mail=mail)
    assert len(posts) == count
    assert status(driven)["resets"].split("/")[0] == resets


def test_it_resets_itself_when_all_is_posted_or_at_a_time(drive):
    posted = drive(TimerScript, THREE + "reset_time = all-posted\nreset_max = 1")
    assert [time for time, _, _ in play(posted, 9.0)] == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    for word in ("any", "unlimited", "nolimit", "no_limit"):
        endless = drive(TimerScript, THREE + f"reset_time = all-posted\nreset_max = {word}")
        assert len(play(endless, 9.0)) == 9
    timed = drive(TimerScript, THREE + "reset_time = 2.5\nreset_max = 1")
    assert [(t, n) for t, n, _ in play(timed, 7.0)] == [
        *[(1.0, "A"), (2.0, "B")],
        *[(3.5, "A"), (4.5, "B")],
    ]
    assert status(timed)["resets"] == "1/1"


def test_events_after_the_reset_time_are_never_posted_as_in_moos_ivp(drive):
    # MOOS-IvP's uTimerScript, a tick each second, reset_time = 5: events at 4.8 and 5.0 come
    # with the tick at 5, those at 5.2 and 5.5 do not
    times = {"A": 4.4, "B": 4.6, "C": 5.0, "D": 5.2}
    lines = "\n".join(f"event = var={name}, val=1, time={time}" for name, time in times.items())
    driven = drive(TimerScript, f"{lines}\nreset_time = 5\nreset_max = 1")
    posts = play(driven, 20.0, step=1.5)
    assert [name for _, name, _ in posts] == ["A", "B", "C"] * 2


def test_it_is_reset_by_mail(drive):
    driven = drive(TimerScript, THREE + "reset_var = AGAIN")
    posts = play(driven, 6.0, mail={2.5: {"AGAIN": "true"}})
    assert [name for _, name, _ in posts] == ["A", "B", "A", "B", "A"]
    driven.tick(7.0, {"AGAIN": "please"})
    assert "not 'please'" in next(iter(driven.app.run_warnings))


@pytest.mark.slow
def test_a_reset_redraws_times_unless_configured_otherwise(drive):
    lines = "event = var=A, val=1, time=0:100\nreset_time = 100\nshuffle = {}"
    for shuffle, same in (("true", False), ("false", True)):
        posts = play(drive(TimerScript, lines.format(shuffle)), 200.5, step=0.01)
        first, second = (time for time, _, _ in posts)
        assert (abs(second - first - 100) < 0.05) is same


def test_delays_are_script_seconds_that_events_come_later(drive):
    driven = drive(TimerScript, THREE + "delay_start = 2\ntime_warp = 2")
    assert [time for time, _, _ in play(driven, 5.0)] == [1.5, 2.0, 2.5]
    assert status(driven)["elapsed_time"] == "10.00"
    late = drive(TimerScript, THREE + "delay_reset = 2\nreset_time = all-posted\nreset_max = 1")
    assert [time for time, _, _ in play(late, 9.0)] == [1.0, 2.0, 3.0, 6.0, 7.0, 8.0]
    ranged = drive(TimerScript, THREE + "delay_start = 1:3")
    assert 1.0 < play(ranged, 5.0)[0][0] - 1.0 < 3.25


def test_its_clock_may_count_from_the_start_of_all(drive):
    driven = drive(TimerScript, THREE + "time_zero = db_start")
    assert driven.tick(2.5) == {"A": 1.0, "B": "two, words", **_only_status(driven)}


def _only_status(driven):
    return {p.name: p.value for p in driven.posts if p.name == "UTS_STATUS"}


def test_it_can_be_skipped_ahead(drive):
    driven = drive(TimerScript, THREE + "event = var=C, val=4, time=50")
    posts = play(driven, 3.0, mail={0.5: {"UTS_FORWARD": 1.5}, 2.5: {"UTS_FORWARD": 0.0}})
    assert [(time, name) for time, name, _ in posts] == [
        *[(0.5, "A"), (0.5, "B"), (1.5, "A"), (2.5, "C")]
    ]


@pytest.mark.parametrize(
    "expected", ["block_on = pHelmIvP, pLogger", "block_on = pHelmIvP\nblock_on = pLogger"]
)
def test_it_waits_for_apps(drive, expected):
    driven = drive(TimerScript, THREE + expected)
    mail = {1.0: {"DB_CLIENTS": "pHelmIvP,"}, 2.0: {"DB_CLIENTS": "pHelmIvP,pLogger,"}}
    assert [time for time, _, _ in play(driven, 6.0, mail=mail)] == [3.0, 4.0, 5.0]


def test_macros_contain_time_counts_place_and_name(drive):
    text = '"$[DBTIME] $[UTC] $[COUNT] $[TCOUNT] $[VNAME] $[NAV_X] $[NAV_Y] $[IDX] $$IDX $[NO]"'
    driven = drive(TimerScript, f"event = var=A,val={text},time=1\nevent = var=A,val={text},time=1")
    driven.tick(0.25, {"NAV_X": 12.5, "NAV_Y": -3.0})
    driven.tick(1.5)
    assert driven.values("A") == [
        f"1.50 1.50 {n} {n} alpha 12.50 -3.00 00{n} 00{n} $[NO]" for n in (0, 1)
    ]


def test_random_numbers_keep_to_their_bounds_and_steps_and_keys(drive):
    lines = "rand_var = varname=R, min=10, max=20, key={}, snap=0.5\nreset_time = 60\n"
    lines += "event = var=A, val={$[R]*2}, time=0:50, amt=50"
    seen = {}
    for key in ("at_start", "at_reset", "at_post"):
        posts = play(drive(TimerScript, lines.replace("key={}", f"key={key}")), 119.0)
        seen[key] = [value for _, _, value in posts]
        assert all(20 <= value <= 40 and value == int(value) for value in seen[key])
        assert len(seen[key]) == 100
    assert len(set(seen["at_start"])) == 1
    assert len(set(seen["at_reset"][:50])) == 1
    assert len(set(seen["at_reset"])) == 2
    assert len(set(seen["at_post"])) > 15


def test_a_gaussian_number_has_its_mean_and_spread(drive):
    line = "rand_var = varname=R, min=-100, max=100, key=AT_POST, type=normal, mu=7, sigma=2"
    posts = play(drive(TimerScript, f"{line}\nevent = var=A, val=$[R], time=0:9, amt=2000"), 10.0)
    values = [value for _, _, value in posts]
    mean = sum(values) / len(values)
    spread = (sum((v - mean) ** 2 for v in values) / len(values)) ** 0.5
    assert mean == pytest.approx(7, abs=0.2)
    assert spread == pytest.approx(2, abs=0.15)


def test_a_random_place_lies_in_its_polygon(drive):
    line = 'rand_pair = var1=X, var2=Y, key=at_post, type=poly, poly="pts={0,0:10,0:0,10}"'
    posts = play(drive(TimerScript, f"{line}\nevent = var=A, val=$[X]:$[Y], time=0:9, amt=300"), 10)
    points = [tuple(map(float, value.split(":"))) for _, _, value in posts]
    assert all(x >= 0 and y >= 0 and x + y <= 10 for x, y in points)
    assert max(x for x, _ in points) > 8
    assert max(y for _, y in points) > 8


def test_the_seed_determines_random_values(drive):
    line = "event = var=A, val=$(6), time=0:9, amt=5"
    runs = [play(drive(TimerScript, line, seed=seed), 10.0) for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]
    assert all(0 <= value < 1e6 for _, _, value in runs[0])


@given(st.integers(-99, 99), st.sampled_from("*/+-"), st.integers(-99, 99))
def test_arithmetic_is_pythons(a, operator, b):
    text = f"{{{a} {operator} {b}}}"
    if operator == "/" and b == 0:
        assert calculate(text) == text
    else:
        assert float(calculate(text)) == pytest.approx(eval(f"{a} {operator} {b}"), abs=1e-6)


def test_braces_nest_and_others_are_unchanged():
    assert calculate("137,{0.5*{2+-4}}") == "137,-1"
    assert calculate("{1/3} {0.5+0.25} {2-2}") == "0.333333 0.75 0"
    assert calculate("pts={0,0:10,0}") == "pts={0,0:10,0}"
    assert expand("$(21)", {}, Random(0)) == "$(21)"


@pytest.mark.parametrize(
    "line",
    [
        "event = val=1, time=2",
        "event = var=A, time=2",
        "event = var=A, val=1, time=5:2",
        "event = var=A, val=1, tme=5",
        "event = var=A, val=1, time=1, amt=0",
        "event = var=A, val=1, time=1, amt=1e9",
        "event = var=A, val=1, time=1, amt=²",
        "rand_var = varname=R, min=2, max=1",
        "rand_var = varname=R, min=1, max=2, key=now",
        "rand_var = varname=R, min=1",
        "rand_pair = var1=X, type=poly, poly=pts={0,0:1,0:0,1}",
        'rand_pair = var1=X, var2=Y, type=poly, poly="pts={0,0:1,0}"',
        "reset_max = few",
        "reset_max = ²",
        "reset_time = -1",
        "time_warp = 0",
        "delay_start = soon",
        "upon_awake = sleep",
        "condition = (A = 1) or",
        "time_zero = noon",
    ],
)
def test_an_invalid_line_is_reported(drive, line):
    with pytest.raises(ConfigError, match=r"test\.moos:0: "):
        drive(TimerScript, line)


def test_an_unknown_field_of_an_event_is_reported(drive):
    with pytest.raises(ConfigError, match=r", not tme$"):
        drive(TimerScript, "event = var=A, val=1, tme=5")


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("UTS_FORWARD", "soon", "to skip ahead takes a number of seconds, not 'soon'"),
        ("UTS_PAUSE", "perhaps", "to pause the script takes true, false or toggle, not 'perhaps'"),
        ("UTS_RESET", "please", "to reset the script takes reset or true, not 'please'"),
    ],
)
def test_an_invalid_command_is_reported_and_changes_nothing(drive, name, value, expected):
    driven = drive(TimerScript, THREE)
    posts = play(driven, 4.0, mail={1.5: {name: value}})
    assert posts == [(1.0, "A", 1.0), (2.0, "B", "two, words"), (3.0, "A", 3.0)]
    (warning,) = driven.app.run_warnings
    assert expected in warning
