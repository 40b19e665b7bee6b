"""``uFldDelve``, driven by mail and time."""

from __future__ import annotations

import pytest

from steerageway.apps.watches.field_delve import FieldDelve, Traffic
from steerageway.bus import ConfigError, Message

LISTS = {
    "UFSB_BRIDGE_VARS": "UP_LOITER_$N, NODE_REPORT_$V",
    "UFSB_QBRIDGE_VARS": "DEPLOY",
    "NODE_PSHARE_VARS": "NODE_REPORT",
    "UFSB_NODE_COUNT": 2.0,
}


@pytest.fixture
def delve(drive):
    def start(block=""):
        driven = drive(FieldDelve, block, name="uFldDelve")
        assert driven.tick(0.5, LISTS) == {}
        return driven

    return start


def test_it_subscribes_to_variables_reported_as_shared(delve):
    received = {"UP_LOITER_*", "NODE_REPORT_*", "DEPLOY_ALL", "DEPLOY_*", "NODE_REPORT"}
    assert received <= set(delve().registered)


def test_it_learns_the_received_variables_from_a_vessels_shares(delve):
    driven = delve()
    expected = "A->B:localhost:9200, C->localhost:9200, D->multicast_8, E->F:multicast_8"
    summary = driven.message("PSHARE_OUTPUT_SUMMARY", expected, 1.0)
    driven.take(1.0, [summary._replace(community="abe")])
    assert {"B", "C", "D", "F"} <= set(driven.registered)
    assert not {"A", "E"} & set(driven.registered)
    own = delve()
    own.take(1.0, [summary])
    assert "B" not in own.registered


@pytest.mark.parametrize(
    ("output", "name"),
    [
        ("W*:pHelmIvP->multicast_8", "W*"),
        ("W*->X_:localhost:9200", "X_W*"),
        ("W*->^:localhost:9200", "*"),
        ("W:pHelmIvP->V:localhost:9200", "V"),
    ],
)
def test_it_subscribes_to_the_names_of_a_pattern_at_the_receiver(delve, output, name):
    driven = delve()
    before = set(driven.registered)
    summary = driven.message("PSHARE_OUTPUT_SUMMARY", output, 1.0)
    driven.take(1.0, [summary._replace(community="abe")])
    assert set(driven.registered) - before == {name}


def test_a_share_with_an_invalid_output_gives_a_warning(delve):
    driven = delve()
    summary = driven.message("PSHARE_OUTPUT_SUMMARY", "X->nowhere", 1.0)
    driven.take(1.0, [summary._replace(community="abe")])
    (warning,) = driven.app.run_warnings
    assert warning.startswith("PSHARE_OUTPUT_SUMMARY of abe: ")
    report = driven.message("NODE_REPORT", "X->nowhere", 2.0)
    driven.take(2.0, [report._replace(community="abe")])
    assert len(driven.app.run_warnings) == 1


def test_messages_older_than_the_rate_window_are_removed():
    traffic = Traffic()
    for second in range(100):
        message = Message("A", 1.0, second, "pTest", "", "alpha", 0)
        traffic.take(message, frame=10.0)
        assert len(traffic.recent) <= 10
    assert traffic.rates(99.0, 10.0) == (1.0, 1.0)


def test_its_appcast_tallies_messages_and_characters(delve):
    driven = delve()
    for second in range(1, 6):
        driven.tick(second, {"DEPLOY_ALL": "true", "NODE_REPORT": "NAME=abe", "NOISE": "x"})
    last = "a second; last by pTest"
    assert list(driven.app.report()) == [
        "vessels: 2, rates over 10 s",
        f"to the shore: NODE_REPORT: 5 messages, 40 characters; 0.5 and 4.0 {last}",
        f"from the shore: DEPLOY_ALL: 5 messages, 20 characters; 0.5 and 2.0 {last}",
    ]


def test_rates_are_taken_over_the_frame(delve):
    driven = delve("rate_frame = 2")
    for second in range(1, 6):
        driven.tick(second, {"NODE_REPORT": 12.5})
    title, first, *_ = driven.app.report()
    assert title == "vessels: 2, rates over 2 s"
    assert "5 messages, 20 characters; 1.0 and 4.0 a second" in first
    driven.tick(9.0)
    assert "5 messages, 20 characters; 0.0 and 0.0 a second" in list(driven.app.report())[1]
    with pytest.raises(ConfigError, match="above 0"):
        delve("rate_frame = 0")
