"""``uFldMessageHandler``, driven by mail: the effect of each of its parameters."""

from __future__ import annotations

import pytest

from steerageway.apps.communication.message_handler import MessageHandler
from steerageway.bus import ConfigError
from steerageway.moos.node_message import NodeMessage
from tests.apps.parameters import Shown

shows = Shown()


def mail(**changes):
    """Write a message from ben to alpha, the community of the test."""
    fields = {"variable": "RETURN", "value": "true", "source": "ben", "to": "alpha"}
    return NodeMessage(**fields | changes).text()


@pytest.fixture
def handle(drive):
    """Return ``handle(block, *texts)``: posts but for the summary, as (name, value, aux)."""

    def take(block, *texts):
        driven = drive(MessageHandler, block, name="uFldMessageHandler")
        driven.take(1.0, [driven.message("NODE_MESSAGE", text, 1.0) for text in texts])
        take.driven = driven
        posts = [(post.name, post.value, post.aux) for post in driven.posts]
        return [post for post in posts if post[0] != "UMH_SUMMARY_MSGS"]

    return take


def test_the_content_of_a_message_is_posted_with_its_type_and_sender(handle):
    found = handle("", mail(), mail(variable="SPEED", value=1.25), mail(value="x=1,y=2"))
    assert found == [
        ("RETURN", "true", "ben"),
        ("SPEED", 1.25, "ben"),
        ("RETURN", "x=1,y=2", "ben"),
    ]


@shows("strict_addressing")
@pytest.mark.parametrize(
    ("to", "group", "taken", "taken_strictly"),
    [
        ("alpha", "", True, True),
        ("ALPHA", "", True, True),
        ("cal:alpha", "", True, True),
        ("all", "", True, False),
        ("ALL", "", True, False),
        ("", "red", True, False),
        ("cal", "", False, False),
        ("alphabet", "", False, False),
    ],
)
def test_only_mail_for_this_vessel_is_taken(handle, to, group, taken, taken_strictly):
    text = mail(to=to, group=group)
    assert bool(handle("", text)) == taken
    assert bool(handle("strict_addressing = true", text)) == taken_strictly


@shows("aux_info")
def test_a_post_may_contain_the_app_that_sent_it(handle):
    text = mail(app="pHelmIvP")
    assert handle("aux_info = node", text)[0][2] == "ben"
    assert handle("aux_info = node+app", text)[0][2] == "ben+pHelmIvP"
    assert handle("aux_info = node+app", mail())[0][2] == "ben"


@shows("msg_flag", "bad_msg_flag")
def test_flags_count_messages(handle):
    block = "msg_flag = GOOD=$[GOOD_CTR]\nmsg_flag = SAID=of $(CTR)\nbad_msg_flag = BAD=$[BAD_CTR]"
    found = handle(block, "nonsense", mail(to="cal"), mail())
    assert found == [
        ("BAD", 1.0, ""),
        ("RETURN", "true", "ben"),
        ("GOOD", 2.0, ""),
        ("SAID", "of 3", ""),
    ]


def test_the_summary_counts_received_messages(handle):
    handle("", mail(), mail(to="cal"), "nonsense")
    driven = handle.driven
    (values,) = driven.values("UMH_SUMMARY_MSGS")
    assert values == "total=3,valid=2,rejected=1"
    (warning,) = driven.app.run_warnings
    assert warning.startswith("NODE_MESSAGE: node message: src_node=: expected a name")
    values = [driven.tick(2.0 + n / 4).get("UMH_SUMMARY_MSGS") for n in range(100)]
    assert [text for text in values if text] == ["total=3,valid=2,rejected=1"]


def test_the_appcast_shows_senders_and_the_last_five_messages_of_a_kind(handle):
    texts = [mail(value=f"v{n}") for n in range(7)]
    handle("", *texts, mail(source="cal", value=1.5), mail(to="dee"))
    report = list(handle.driven.app.report())
    assert "ben: 7 messages, 0.0 s ago: RETURN = v6" in report
    assert "cal: 1 messages, 0.0 s ago: RETURN = 1.5" in report
    valid = [line for line in report if line.startswith("valid: ")]
    assert [line.split("string_val=")[-1] for line in valid[:4]] == ["v3", "v4", "v5", "v6"]
    assert len(valid) == 5


@shows("appcast_trunc_msg")
def test_the_appcast_shows_the_beginning_of_messages(handle):
    text = mail(value="x" * 200)
    for block, shown in (
        ("", text[:75] + "..."),
        ("appcast_trunc_msg = 20", text[:20] + "..."),
        ("appcast_trunc_msg = 0", text),
        ("appcast_trunc_msg = 500", text),
    ):
        handle(block, text)
        assert f"valid: {shown}" in list(handle.driven.app.report())


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("aux_info = app", "expected one of node, node"),
        ("msg_flag = DONE", "expected VAR=value"),
        ("appcast_trunc_msg = -1", "at least 0"),
    ],
)
def test_an_invalid_line_is_refused_with_the_expected_form(handle, line, expected):
    with pytest.raises(ConfigError, match=expected):
        handle(line)


def test_every_parameter_has_a_test():
    assert {one.name for one in MessageHandler.parameters} == shows.names
