"""``pHostInfo``, ``uFldNodeBroker`` and ``uFldShoreBroker``: discovery between communities."""

from __future__ import annotations

from math import inf

import pytest

from steerageway.apps.communication.node_broker import NodeBroker
from steerageway.apps.communication.shore_broker import ShoreBroker
from steerageway.apps.shared.building import plan_app
from steerageway.apps.shared.registry import load
from steerageway.apps.watches.host_info import HostInfo
from steerageway.bus import (
    AppPlan,
    Config,
    ConfigError,
    Input,
    Outcome,
    Phase,
    RunPlan,
    Setting,
    Value,
    nanoseconds,
    run,
)
from steerageway.moos.host_record import HostRecord, read_host_record

NODE = "try_shore_host = pshare_route = localhost:9200\n"


def config(text: str, last_wins: bool = False) -> Config:
    """Make a block of lines."""
    rows = [line.partition("=") for line in text.splitlines() if line.strip()]
    entries = [(k.strip(), v.strip(), f"test.moos:{n}") for n, (k, _, v) in enumerate(rows)]
    return Config(entries, where="test.moos", last_wins=last_wins)


def planned(process: str, community: str, block: str = "", shared: str = "") -> AppPlan:
    """Plan an app of a community; ``shared`` are lines of its file outside blocks."""
    kind = load(process)
    lines = config(block, kind.last_wins)
    return plan_app(
        kind, Setting(name=process, community=community, config=lines, globals=config(shared))
    )


def community(name: str, number: int, broker: str, block: str, shared: str = "") -> list[AppPlan]:
    """Plan the apps by which a community finds others; its input port is 9200 + number."""
    return [
        planned("pShare", name, f"AppTick = 4\nInput = route = localhost:{9200 + number}"),
        planned("pHostInfo", name, "AppTick = 1", shared),
        planned(broker, name, f"AppTick = 1\n{block}", shared),
    ]


def met(
    shore: str,
    *vessels: str,
    posts: tuple[tuple[float, str, str, Value], ...] = (),
    seconds: float = 30.0,
    warps: tuple[str, ...] = (),
) -> Outcome:
    """Connect a shore and vessels (abe, ben), each broker with its block's lines."""
    names = ("shoreside", "abe", "ben")[: 1 + len(vessels)]
    blocks = (shore, *vessels)
    apps: list[AppPlan] = []
    for number, (name, block) in enumerate(zip(names, blocks, strict=True)):
        warp = f"MOOSTimeWarp = {warps[number]}" if warps else ""
        broker = "uFldNodeBroker" if number else "uFldShoreBroker"
        apps += community(name, number, broker, block, f"ServerPort = {9000 + number}\n{warp}")
    inputs = tuple(
        Input(nanoseconds(time), Phase.INPUT, where, name, value)
        for time, where, name, value in posts
    )
    plan = RunPlan(names, tuple(apps), inf, "one", stop_at=nanoseconds(seconds), inputs=inputs)
    return run(plan, lambda progress: None)


def test_vessels_are_counted_and_receive_shares_of_the_shore_to_all_and_to_each() -> None:
    posted = met(
        "qbridge = DEPLOY, RETURN\nbridge = src=UP_LOITER_$N, alias=UP_LOITER\n"
        "bridge = src=WIND, alias=DRIFT\nbridge = src=CALL_$v",
        NODE,
        NODE,
        posts=(
            (20.0, "shoreside", "DEPLOY_ALL", "true"),
            (20.0, "shoreside", "RETURN_BEN", "true"),
            (20.0, "shoreside", "UP_LOITER_1", "radius=5"),
            (20.0, "shoreside", "WIND", 3.0),
            (20.0, "shoreside", "CALL_ben", "hello"),
        ),
    ).values
    assert posted["shoreside"]["UFSB_NODE_COUNT"] == 2.0
    assert posted["shoreside"]["UFSB_QBRIDGE_VARS"] == "APPCAST_REQ,DEPLOY,REALMCAST_REQ,RETURN"
    received = ("DEPLOY", "RETURN", "UP_LOITER", "DRIFT", "CALL_ben")
    assert [posted["abe"].get(name) for name in received] == ["true", None, "radius=5", 3.0, None]
    assert [posted["ben"].get(name) for name in received] == ["true", "true", None, 3.0, "hello"]


def test_a_vessel_shares_with_the_shore_once_it_has_answered() -> None:
    block = NODE + "bridge = src=NODE_REPORT_LOCAL, alias=NODE_REPORT\nbridge = src=SPEED"
    posts = ((0.0, "abe", "SPEED", 1.0), (20.0, "abe", "NODE_REPORT_LOCAL", "NAME=abe"))
    posted = met("", block, posts=posts).values["shoreside"]
    assert (posted["SPEED"], posted["NODE_REPORT"]) == (1.0, "NAME=abe")
    assert "SPEED" not in met("", block, posts=posts, seconds=1.0).values["shoreside"]


def test_a_ping_and_its_answer_identify_vessel_and_shore() -> None:
    posted = met("", NODE, warps=("5", "5")).values
    ping, ack = posted["shoreside"]["NODE_BROKER_PING"], posted["abe"]["NODE_BROKER_ACK"]
    record = read_host_record(str(ping))
    assert record is not None
    assert str(record) == ping
    assert (record.community, record.hostip, record.port_db) == ("abe", "localhost", "9001")
    assert (record.route, record.port_udp, record.timewarp) == ("localhost:9201", "9201", "5")
    answer = read_host_record(str(ack))
    assert answer is not None
    assert (answer.community, answer.status, answer.key) == ("shoreside", "ok", "0")


def test_the_shore_receives_what_a_vessel_shares() -> None:
    block = (
        NODE + "bridge = src=NODE_REPORT_LOCAL, alias=NODE_REPORT\nauto_bridge_realmcast = false"
    )
    posted = met("", block).values["shoreside"]["NODE_PSHARE_VARS"]
    assert posted == "NODE_REPORT,APPCAST,NODE_PSHARE_VARS"


@pytest.mark.parametrize(
    ("ways", "mediators", "expected"),
    [
        ("NODE", (), []),
        ("MEDIATED", ("pMediator",), []),
        ("NODE", ("pMediator",), ["NODE_MESSAGE_LOCAL is shared, but pMediator is there"]),
        ("MEDIATED", (), ["MEDIATED_MESSAGE_LOCAL is shared, but pMediator is not there"]),
        ("NODE MEDIATED", (), ["NODE_MESSAGE_LOCAL is shared, so MEDIATED_MESSAGE_LOCAL is not"]),
    ],
)
def test_messages_are_shared_by_a_mediator_or_as_they_are(
    drive, ways: str, mediators: tuple[str, ...], expected: list[str]
) -> None:
    lines = [f"bridge = src={way}_MESSAGE_LOCAL, alias={way}_MESSAGE" for way in ways.split()]
    driven = drive(NodeBroker, "\n".join(lines), launch_list=mediators)
    assert driven.app.config_warnings == [f"bridge: {text}" for text in expected]


def test_pings_are_rarer_once_they_are_answered() -> None:
    def pings(shore_port: int, seconds: float) -> int:
        broker = planned(
            "uFldNodeBroker",
            "abe",
            f"AppTick = 1\ntry_shore_host = pshare_route = localhost:{shore_port}",
        )
        apps = (
            *community("shoreside", 0, "uFldShoreBroker", ""),
            *community("abe", 1, "uFldNodeBroker", "")[:2],
            broker,
        )
        plan = RunPlan(("shoreside", "abe"), apps, inf, "one", stop_at=nanoseconds(seconds))
        run(plan, lambda progress: None)
        return int(next(iter(broker.app.report())).split()[1])

    assert pings(9999, 60.0) == 12
    assert pings(9200, 60.0) in (3, 4)


@pytest.mark.parametrize(("word", "status"), [("fish", "ok"), ("bird", "keyword_mismatch")])
def test_a_vessel_needs_the_shores_keyword(word: str, status: str) -> None:
    block = f"{NODE}keyword = {word}\nbridge = src=SPEED"
    outcome = met(
        "keyword = fish\nqbridge = DEPLOY",
        block,
        posts=((0.0, "abe", "SPEED", 1.0), (20.0, "shoreside", "DEPLOY_ALL", "true")),
    )
    answer = read_host_record(str(outcome.values["abe"]["NODE_BROKER_ACK"]))
    assert answer is not None
    assert answer.status == status
    assert ("SPEED" in outcome.values["shoreside"]) is (status == "ok")
    assert ("DEPLOY" in outcome.values["abe"]) is (status == "ok")


def test_a_time_warp_of_another_file_is_reported() -> None:
    answer = read_host_record(str(met("", NODE, warps=("5", "2")).values["abe"]["NODE_BROKER_ACK"]))
    assert answer is not None
    assert answer.status == "timewarp (5!=2)"


def test_a_shore_may_invite_a_vessel_without_a_shore() -> None:
    assert met("try_vnode = localhost:9201", "").values["shoreside"]["UFSB_NODE_COUNT"] == 1.0
    assert met("", "").values["shoreside"]["UFSB_NODE_COUNT"] == 0.0


@pytest.mark.parametrize(
    ("expected", "route"),
    [
        ("localhost:9201", "localhost:9201"),
        ("route = 10.0.0.7:9201", "10.0.0.7:9201"),
        ("10.0.0.7", "10.0.0.7:9200"),
        ("Route=10.0.0.7", "10.0.0.7:9200"),
        ("multicast_3", "multicast_3"),
    ],
)
def test_an_invitation_goes_to_port_9200_by_default(drive, expected, route) -> None:
    driven = drive(ShoreBroker, f"try_vnode = {expected}")
    assert driven.tick(1.0)["PSHARE_CMD"] == f"cmd=output,src_name=TRY_SHORE_HOST,route={route}"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("auto_bridge_realmcast", "REALMCAST"),
        ("auto_bridge_appcast", "APPCAST"),
        ("auto_bridge_pshare_vars", "NODE_PSHARE_VARS"),
    ],
)
def test_a_vessel_shares_viewer_variables_by_default(line: str, name: str) -> None:
    shown = f"{name}->{name}:localhost:9200"
    assert shown in str(met("", NODE).values["abe"]["PSHARE_OUTPUT_SUMMARY"])
    posted = met("", f"{NODE}{line} = false").values["abe"]["PSHARE_OUTPUT_SUMMARY"]
    assert shown not in str(posted)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("auto_bridge_realmcast", "REALMCAST_REQ_ALL->REALMCAST_REQ"),
        ("auto_bridge_appcast", "APPCAST_REQ_ABE->APPCAST_REQ"),
        ("auto_bridge_mhash", "MISSION_HASH->MISSION_HASH"),
    ],
)
def test_the_shore_shares_viewer_variables_by_default(line: str, shown: str) -> None:
    assert shown in str(met("", NODE).values["shoreside"]["PSHARE_OUTPUT_SUMMARY"])
    posted = met(f"{line} = false", NODE).values["shoreside"]["PSHARE_OUTPUT_SUMMARY"]
    assert shown not in str(posted)


@pytest.mark.parametrize("warns", ["true", "false"])
def test_a_silent_vessel_is_a_warning_if_requested(drive, warns: str) -> None:
    driven = drive(ShoreBroker, f"warning_on_stale = {warns}")
    record = HostRecord("abe", pshare_iroutes="localhost:9201", timewarp="1")
    ping = driven.message("NODE_BROKER_PING", str(record), 1.0)._replace(community="abe")
    driven.take(1.0, [ping])
    driven.tick(46.0)
    assert not driven.app.run_warnings
    driven.tick(47.0)
    assert list(driven.app.run_warnings) == ["Node abe is stale."] * (warns == "true")
    driven.take(48.0, [ping])
    assert not driven.app.run_warnings


def test_unconfirmed_shares_are_requested_again_at_growing_intervals(drive) -> None:
    driven = drive(NodeBroker, NODE)
    posted = [time for time in range(1, 60) if "PSHARE_CMD" in driven.tick(time)]
    assert posted == [1, 6, 16, 36]
    shown = "NODE_BROKER_PING_0->NODE_BROKER_PING:localhost:9200"
    driven.tick(60, {"PSHARE_OUTPUT_SUMMARY": f"X->Y:h:1, {shown}"})
    assert not any("PSHARE_CMD" in driven.tick(time) for time in range(61, 200))


@pytest.mark.parametrize(
    ("line", "requested", "listed", "expected"),
    [
        ("src=VIEW_*", "src_name=VIEW_*", "VIEW_*->localhost:9200", "VIEW_*"),
        ("src=A_*, alias=X_", "src_name=A_*,dest_name=X_", "A_*->X_:localhost:9200", "X_A_*"),
        ("src=SPEED", "src_name=SPEED", "SPEED->SPEED:localhost:9200", "SPEED"),
    ],
)
def test_variables_of_a_pattern_keep_their_name_unless_an_alias_precedes_it(
    drive, line: str, requested: str, listed: str, expected: str
) -> None:
    driven = drive(NodeBroker, f"{NODE}bridge = {line}")
    shore = HostRecord("shoreside", pshare_iroutes="localhost:9200", status="ok", key="0")
    message = driven.message("NODE_BROKER_ACK", str(shore), 1.0)._replace(community="shoreside")
    names = str(driven.take(1.0, [message])["NODE_PSHARE_VARS"]).split(",")
    assert names[0] == expected
    assert f"cmd=output,{requested},route=localhost:9200" in driven.values("PSHARE_CMD")
    assert f" {listed}," in list(driven.app.report())[-1]


def test_the_shore_receives_all_that_a_pattern_covers() -> None:
    block = f"{NODE}bridge = src=VIEW_*"
    posted = met("", block, posts=((20.0, "abe", "VIEW_POINT", "x=1,y=2"),)).values["shoreside"]
    assert posted["VIEW_POINT"] == "x=1,y=2"


def test_a_route_with_its_protocol_is_confirmed_by_the_report_of_share(drive) -> None:
    driven = drive(NodeBroker, "try_shore_host = pshare_route = localhost:9200:udp")
    assert "PSHARE_CMD" in driven.tick(1.0)
    summary = "NODE_BROKER_PING_0->NODE_BROKER_PING:localhost:9200"
    driven.tick(2.0, {"PSHARE_OUTPUT_SUMMARY": summary})
    assert "not shared yet: nothing" in driven.app.report()


def test_a_vessel_without_a_listening_address_gives_a_warning(drive) -> None:
    driven = drive(ShoreBroker)
    ping = driven.message("NODE_BROKER_PING", str(HostRecord("abe", pshare_iroutes="afar")), 1.0)
    driven.take(1.0, [ping._replace(community="abe")])
    (warning,) = driven.app.run_warnings
    assert "pshare_iroutes: afar: expected host:port" in warning


def test_host_info_reports_only_what_the_file_contains(drive) -> None:
    driven = drive(HostInfo, globals=config("ServerPort = 9005\nMOOSTimeWarp = 4"))
    posted = driven.tick(1.0, {"PSHARE_INPUT_SUMMARY": "localhost:9201 & multicast_8"})
    record = read_host_record(str(posted["PHI_HOST_INFO"]))
    assert record is not None
    assert record == HostRecord(
        *("alpha", "localhost", "9005", "9201", "localhost:9201&multicast_8"),
        timewarp="4",
        time="1.00",
    )
    assert record.routes == ("localhost:9201", "multicast_8")
    assert (posted["PHI_HOST_IP"], posted["PHI_HOST_PORT_DB"]) == ("localhost", "9005")


def test_host_info_posts_on_request_and_each_tenth_iteration(drive) -> None:
    driven = drive(HostInfo)
    posted = [
        time
        for time in range(1, 25)
        if driven.tick(time, {"HOST_INFO_REQUEST": 1.0} if time == 5 else {})
    ]
    assert posted == [1, 5, 11, 21]


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("default_hostip = 10.0.0.4", "10.0.0.4"),
        ("default_hostip = 10.0.0.4\ndefault_hostip_force = 10.0.0.5", "10.0.0.5"),
        ("prefer_interface = eth0\ntemp_file_dir = /tmp", "localhost"),
    ],
)
def test_the_hosts_address_is_that_of_the_file(drive, block: str, expected: str) -> None:
    posted = drive(HostInfo, block).tick(1.0, {"PSHARE_INPUT_SUMMARY": "localhost:9201"})
    assert posted["PHI_HOST_IP"] == expected
    record = read_host_record(str(posted["PHI_HOST_INFO"]))
    assert record is not None
    assert record.route == f"{expected}:9201"


@pytest.mark.parametrize(
    ("process", "line"),
    [
        ("uFldNodeBroker", "try_shore_host = localhost:9200"),
        ("uFldNodeBroker", "try_shore_host = pshare_route = localhost"),
        ("uFldNodeBroker", "auto_bridge_appcast = perhaps"),
        ("uFldShoreBroker", "try_vnode = localhost:port"),
        ("uFldShoreBroker", "try_vnode = shore=localhost:9201"),
        ("uFldShoreBroker", "try_vnode = route="),
        ("uFldShoreBroker", "try_vnode = abe,ben"),
        ("uFldShoreBroker", "try_vnode = abe & ben:9201"),
        ("uFldShoreBroker", "warning_on_stale = 3"),
    ],
)
def test_an_invalid_line_is_reported(process: str, line: str) -> None:
    with pytest.raises(ConfigError, match=r"test\.moos:0: .*expected"):
        planned(process, "abe", line)


@pytest.mark.parametrize(
    ("process", "line"),
    [
        ("uFldNodeBroker", "bridge = alias=Y"),
        ("uFldNodeBroker", "bridge = scr=VIEW_POLYGON"),
        ("uFldNodeBroker", "bridge = src=*A*, alias=^"),
        ("uFldShoreBroker", "bridge = src=X, as=Y"),
        ("uFldShoreBroker", "qbridge = TWO WORDS"),
    ],
)
def test_a_bridge_that_cannot_be_read_is_left_out_with_a_warning(process: str, line: str) -> None:
    app = planned(process, "abe", f"{line}\nbridge = src=GOOD").app
    (warning,) = app.config_warnings
    assert warning.startswith(f"test.moos:0: {line}: ")
    assert warning.endswith("; this line is left out")
    assert "GOOD" in {bridge.source for bridge in app._bridges}
