"""``pRealm``, driven by mail and time."""

from pathlib import Path

import pytest

from steerageway.apps.communication.realm.app import Realm
from steerageway.apps.communication.realm.request import BadRequest, parse_request
from steerageway.bus import ConfigError, Message

SUMMARY = "pHelmIvP=NAV_X:NAV_*&DESIRED_SPEED:IVPHELM_STATE,pLogger=*&,uXMS_12=NAV_X&"
ASK = "client=pmv,channel=pHelmIvP,duration=3"


def realm(drive, block="", **more):
    """Return a realm that knows the processes; it started at 0 s."""
    driven = drive(Realm, block, "pRealm", epoch=1000.0, **more)
    driven.tick(0.2, {"DB_RWSUMMARY": SUMMARY})
    return driven


def answer(drive, request=ASK, block="", mail=None):
    """Return the answer to a request at 1 s; the mail comes at 1.25 s and the answer at 1.5 s."""
    driven = realm(drive, block)
    driven.tick(1.0, {"REALMCAST_REQ": request})
    driven.tick(1.25, mail or {})
    posts = driven.posts or (driven.tick(1.5), driven.posts)[1]
    return driven, [post.value for post in posts if "CAST" in post.name]


def table(drive, request=ASK, block="", mail=None):
    """Return the lines of the table."""
    _, (text,) = answer(drive, request, block, mail)
    return text.partition("messages=")[2].split("!Z!")[:-1]


def test_channels_are_the_processes_and_the_database(drive):
    driven = realm(drive)
    assert [post[:2] for post in driven.posts] == [
        ("REALMCAST_CHANNELS", "node=alpha#channels=MOOSDB_alpha,pHelmIvP,pLogger")
    ]


def test_channels_are_published_at_once_when_a_process_is_new(drive):
    driven = realm(drive)
    assert driven.tick(0.4) == {}
    posts = driven.tick(0.6, {"DB_RWSUMMARY": SUMMARY + ",pNew=A&B"})
    assert posts["REALMCAST_CHANNELS"].endswith(",pLogger,pNew")


def test_unchanged_channels_are_repeated_after_ten_intervals(drive):
    driven = realm(drive, "summary_interval = 2")
    posted = [t / 4 for t in range(2, 400) if "REALMCAST_CHANNELS" in driven.tick(t / 4)]
    assert posted[:2] == [5.25, 10.25]
    assert posted[-1] - posted[-2] == 20.0


def test_scope_sets_are_channels(drive):
    block = "scope_set = name=life,vars=B:A\nhist_var = DEPLOY"
    driven = realm(drive, block)
    assert driven.posts[0].value.endswith(",pLogger,DEPLOY,life")
    assert {"A", "B", "DEPLOY"} <= set(driven.registered)


def test_a_channel_shows_subscriptions_and_publications_of_a_process(drive):
    lines = table(drive, mail={"NAV_X": 1.5, "NAV_YAW": -0.25, "IVPHELM_STATE": "DRIVE"})
    assert lines == [
        "Subscriptions",
        "=======================================",
        "Variable  Source  Time  Comm   Value",
        "--------  ------  ----  ----   -----",
        "NAV_X     pTest   1.25  alpha  1.5",
        "NAV_YAW   pTest   1.25  alpha  -0.25",
        "",
        "Publications",
        "=======================================",
        "Variable       Source  Time  Comm   Value",
        "--------       ------  ----  ----   -----",
        "IVPHELM_STATE  pTest   1.25  alpha  DRIVE",
    ]


def test_an_answer_names_node_and_process(drive):
    _, (text,) = answer(drive)
    assert text.startswith("node=alpha!Q!proc=pHelmIvP!Q!messages=Subscriptions!Z!")


def test_variables_are_subscribed_to_only_while_requested(drive):
    driven = realm(drive)
    assert "NAV_X" not in driven.registered
    driven.tick(1.0, {"REALMCAST_REQ": ASK})
    assert {"NAV_X", "NAV_*", "DESIRED_SPEED", "IVPHELM_STATE"} <= set(driven.registered)
    driven.tick(4.5)
    assert "NAV_X" not in driven.app._bus_registered


def test_a_request_is_answered_at_intervals_until_it_expires(drive):
    driven = realm(drive, "relcast_interval = 1")
    driven.tick(1.0, {"REALMCAST_REQ": ASK})
    answered = [t / 4 for t in range(5, 40) if "REALMCAST" in driven.tick(t / 4)]
    assert answered == [1.25, 2.25, 3.25]


def test_a_request_can_be_renewed(drive):
    driven = realm(drive)
    driven.tick(1.0, {"REALMCAST_REQ": ASK})
    driven.tick(3.5, {"REALMCAST_REQ": ASK})
    assert "REALMCAST" in driven.tick(5.5)


def test_variables_a_process_publishes_later_are_shown(drive):
    driven, _ = answer(drive)
    driven.tick(1.75, {"DB_RWSUMMARY": SUMMARY.replace("DESIRED_SPEED", "DESIRED_SPEED:NEWS")})
    assert "NEWS" in driven.registered


def test_the_database_has_a_channel(drive):
    request = ASK.replace("pHelmIvP", "MOOSDB_alpha")
    assert any(line.startswith("DB_TIME") for line in table(drive, request, mail={"DB_TIME": 1.0}))


@pytest.mark.parametrize(
    ("flag", "gone"),
    [("nosrc", "Source"), ("nocom", "Comm"), ("nosubs", "Subscriptions")],
)
def test_a_request_may_leave_columns_and_sections_out(drive, flag, gone):
    mail = {"NAV_X": 1.0}
    assert gone in " ".join(table(drive, mail=mail))
    assert gone not in " ".join(table(drive, f"{ASK},{flag}", mail=mail))


def test_silent_variables_are_shown_unless_masked(drive):
    assert "NAV_X     -       never  -     -" in table(drive)
    assert not any("never" in line for line in table(drive, f"{ASK},mask"))


def test_times_may_be_utc(drive):
    lines = table(drive, f"{ASK},utc", mail={"NAV_X": 1.0})
    assert any("1001.25" in line for line in lines)


def long_value(drive, flag, block=""):
    value = "x" * 30
    lines = table(drive, f"{ASK},nosubs{flag}", block, {"IVPHELM_STATE": value})
    return [line.split()[-1] for line in lines[4:]]


def test_long_values_may_be_wrapped(drive):
    assert long_value(drive, ",wrap", "wrap_length = 20") == ["x" * 20, "x" * 10]
    assert long_value(drive, "", "wrap_length = 20") == ["x" * 30]


def test_long_values_may_be_truncated(drive):
    assert long_value(drive, ",trunc", "trunc_length = 7") == ["x" * 7]
    assert long_value(drive, "", "trunc_length = 7") == ["x" * 30]


def test_reports_are_named_instead_of_shown(drive):
    summary = {"DB_RWSUMMARY": "pHelmIvP=&BHV_IPF"}
    driven = realm(drive)
    driven.tick(0.4, summary)
    driven.tick(1.0, {"REALMCAST_REQ": ASK})
    text = driven.tick(1.25, {"BHV_IPF": "P,1,2,3"})["REALMCAST"]
    assert "formatted report" in text
    assert "P,1,2,3" not in text


@pytest.mark.parametrize(("name", "length"), [("msg_max_hist", 3), ("msg_max_history", 2)])
def test_a_history_channel_shows_the_last_messages_newest_first(drive, name, length):
    block = f"{name} = {length}\nscope_set = name=life,vars=A"
    driven = realm(drive, block)
    for second in range(1, 6):
        driven.tick(float(second), {"A": f"v{second}"})
    driven.tick(6.0, {"REALMCAST_REQ": ASK.replace("pHelmIvP", "life")})
    lines = driven.tick(6.2)["REALMCAST"].split("!Z!")
    assert lines[0].endswith("messages=History Channel [life]: A")
    assert [line.split()[-1] for line in lines[4:-1]] == ["v5", "v4", "v3"][:length]


def test_binary_values_are_not_shown(drive):
    assert any(line.endswith("binary") for line in table(drive, mail={"NAV_X": b"\x00"}))


def test_variables_are_reported_one_by_one(drive):
    request = "client=pmv,vars=DEPLOY:NAV_X,duration=3"
    driven, casts = answer(drive, request, mail={"NAV_X": 1.23456, "DEPLOY": "true"})
    common = "!X!src=pTest!X!comm=alpha!X!loc_time=1.25!X!utc_time=1001.25!X!"
    assert casts == [
        f"node=alpha!X!var=DEPLOY{common}sval=true",
        f"node=alpha!X!var=NAV_X{common}dval=1.235",
    ]
    assert driven.tick(3.0) == {}


def test_a_variable_that_changed_is_reported_again(drive):
    driven, _ = answer(drive, "client=pmv,vars=DEPLOY,duration=9", mail={"DEPLOY": "true"})
    assert driven.tick(3.0, {"DEPLOY": "false"})["WATCHCAST"].endswith("sval=false")


def test_unchanged_variables_are_reported_again_by_force(drive):
    driven, _ = answer(drive, "client=pmv,vars=DEPLOY,duration=9,force", mail={"DEPLOY": "true"})
    assert "WATCHCAST" in driven.tick(3.0)


def test_a_silent_variable_is_reported_once(drive):
    driven, casts = answer(drive, "client=pmv,vars=GHOST,duration=9")
    assert casts == [
        "node=alpha!X!var=GHOST!X!src=n/a!X!comm=n/a!X!loc_time=-1!X!utc_time=0!X!sval=n/a"
    ]
    assert driven.tick(3.0) == {}


@pytest.mark.parametrize(
    "text",
    [
        "channel=pX,duration=3",
        "client=pmv,duration=3",
        "client=pmv,channel=pX",
        "client=pmv,channel=pX,duration=0",
        "client=pmv,channel=pX,duration=3,colour",
    ],
)
def test_an_invalid_request_is_a_run_warning(drive, text):
    with pytest.raises(BadRequest):
        parse_request(text)
    driven = realm(drive)
    driven.tick(1.0, {"REALMCAST_REQ": text})
    assert any(
        warning.startswith(f"Bad RealmCastReq:{text}") for warning in driven.app.run_warnings
    )


@pytest.mark.parametrize(
    "line",
    ["relcast_interval = 0.3", "summary_interval = 11", "wrap_length = 0", "trunc_length = 0",
     "msg_max_hist = 0", "hist_var = A B", "scope_set = name=x", "scope_set = vars=A:B"],
)  # fmt: skip
def test_an_invalid_line_is_reported(drive, line):
    with pytest.raises(ConfigError, match=rf"test\.moos:0: {line}"):
        realm(drive, line)


def test_history_variables_have_a_separate_channel(drive):
    driven = realm(drive, "hist_var = DEPLOY")
    driven.tick(0.5, {"DEPLOY": "true"})
    driven.tick(1.0, {"REALMCAST_REQ": "client=pmv,channel=DEPLOY,duration=3"})
    assert "true!Z!" in driven.tick(1.2)["REALMCAST"]


def test_messages_keep_their_source(drive):
    driven = realm(drive)
    driven.tick(1.0, {"REALMCAST_REQ": ASK})
    foreign = Message("NAV_X", 1.0, 1.1, "uSim", "", "bravo", 0)
    driven.take(1.2, [foreign])
    assert "NAV_X     uSim    1.10  bravo  1" in driven.posts[-1].value


def test_every_parameter_has_a_test_above():
    text = Path(__file__).read_text()
    for parameter in Realm.parameters:
        assert f"{parameter.name} = " in text or f'"{parameter.name}"' in text, parameter.name
