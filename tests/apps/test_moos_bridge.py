"""``pMOOSBridge``: its lines, and the variables that communities receive."""

from __future__ import annotations

from math import inf

import pytest

from steerageway.apps.shared.building import plan_app
from steerageway.apps.shared.routes import Output, RouteError
from steerageway.bus import Config, Input, Phase, RunPlan, Setting, nanoseconds, run
from steerageway.peers.older.moos_bridge import MoosBridge, read_share


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[DEPLOY_ALL]  -> vehicle1 @ localhost:9201 [DEPLOY]", ("", ["DEPLOY"])),
        ("[DEPLOY_ALL] -> vehicle1@localhost: 9201", ("", [""])),
        ("[DEPLOY_ALL] -> all @ broadcast: 9201 [DEPLOY]", ("", ["DEPLOY"])),
        # the source may be named, and there may be fewer new names (MOOSBridge.cpp)
        (
            "V1@localhost:9000 [DEPLOY_ALL,B] -> V2@localhost:9201 [X]",
            ("V1@localhost:9000", ["X", ""]),
        ),
    ],
)
def test_a_line_names_variables_a_community_and_their_names_there(text, expected):
    source, outputs = read_share(text)
    assert (source, [output.target for output in outputs]) == expected
    assert outputs[0] == Output("DEPLOY_ALL", "localhost:9201", target=expected[1][0])


@pytest.mark.parametrize(
    "text", ["DEPLOY -> a @ b:1 [X]", "[] -> a @ b:1", "[X] -> a:1", "[X] -> a @ b"]
)
def test_any_other_line_is_none(text):
    with pytest.raises(RouteError, match="expected"):
        read_share(text)


def bridge(community: str, port: int, *lines: str):
    """Plan a bridge in a community with this ServerPort."""
    entries = [(*map(str.strip, line.split("=", 1)), f"a.moos:{n}") for n, line in enumerate(lines)]
    ports = Config([("ServerPort", str(port), "a.moos:9")])
    setting = Setting("pMOOSBridge", community, Config(entries, where="a.moos"), ports)
    return plan_app(MoosBridge, setting)


def shared(*lines: str) -> dict[str, object]:
    """Post X = 0 to 4 at 1.05, 1.15, ... s in abe; return the values of the shore at the end."""
    apps = (bridge("abe", 9001, *lines), bridge("shore", 9000, "UDPListen = 9200"))
    posts = tuple(
        Input(nanoseconds(1.05 + n / 10), Phase.INPUT, "abe", "X", float(n)) for n in range(5)
    )
    plan = RunPlan(("abe", "shore"), apps, inf, "one", stop_at=nanoseconds(3.0), inputs=posts)
    return dict(run(plan, lambda progress: None).values["shore"])


def test_communities_share_by_the_port_of_their_database_or_of_their_bridge():
    values = shared(
        "SHARE = [X] -> shore @ localhost:9000 [Y]", "UDPSHARE = [X] -> shore @ localhost:9200 [Z]"
    )
    assert (values["Y"], values["Z"], "X" in values) == (4.0, 4.0, False)


@pytest.mark.parametrize(
    ("rate", "last"), [("", 4.0), ("BridgeFrequency = 5", 4.0), ("BridgeFrequency = 4", 3.0)]
)
def test_messages_of_a_variable_may_be_fewer(rate, last):
    lines = ("SHARE = [X] -> shore @ localhost:9000", *([rate] if rate else []))
    assert shared(*lines)["X"] == last


def test_a_line_to_its_own_community_is_passed_over():
    lines = ("UDPListen = 9300", "SHARE = [X] -> abe @ localhost:9001 [Y]")
    app = bridge("abe", 9001, *lines, "UDPSHARE = [X] -> all @ broadcast:9300 [Y]").app
    assert app.outlets == []
    assert [inlet.address for inlet in app.listens] == ["localhost:9001", "localhost:9300"]


def test_a_line_of_another_community_is_left_out_with_a_warning():
    app = bridge("abe", 9001, "SHARE = V1@localhost:9000 [X] -> shore @ localhost:9000").app
    (warning,) = app.config_warnings
    assert "without V1@localhost:9000, in the bridge of that community" in str(warning)
