"""Messages between vessels and their acknowledgements, as text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.moos.node_message import (
    AckMessage,
    NodeMessage,
    NodeMessageError,
    parse_ack_message,
    parse_node_message,
)

NAMES = st.text("abcXYZ_019", min_size=1, max_size=6)
TEXTS = st.text('ab 1=,.:"{}\\', max_size=12)


@pytest.mark.slow
@settings(max_examples=100)
@given(
    st.builds(
        NodeMessage,
        variable=NAMES,
        value=st.floats(-1e9, 1e9) | TEXTS,
        source=NAMES,
        to=NAMES,
        group=NAMES | st.just(""),
        app=NAMES,
        color=NAMES | st.just(""),
        ack_id=NAMES | st.just(""),
        wants_ack=st.booleans(),
    )
)
def test_a_message_is_read_as_written(message):
    assert parse_node_message(message.text()) == message


@settings(max_examples=20)
@given(ack_id=NAMES, source=NAMES, to=NAMES)
def test_an_acknowledgement_is_read_as_written(ack_id, source, to):
    ack = AckMessage(ack_id, source, to)
    assert parse_ack_message(ack.text()) == ack


def test_keys_in_any_case_and_unknown_ones_are_read():
    message = parse_node_message("SRC_NODE=abe, DEST_NODE=ben:Cal, VAR_NAME=A, new=1, STRING_VAL=x")
    assert message.addressees == ("ben", "cal")
    ack = parse_ack_message("ID=7, Src=ben, DEST=abe, new=1")
    assert ack == AckMessage("7", "ben", "abe")
    spaced = parse_node_message("src_node=abe,dest_node=ben : Cal :,var_name=A,double_val=1")
    assert spaced.addressees == ("ben", "cal")
    assert (message.source, message.variable, message.value) == ("abe", "A", "x")


@pytest.mark.parametrize(
    "text", ['say "a,b" now', '"quoted"', '"', ' " ', " x ", "x ", 'a"b', '"a", "b"', ""]
)
def test_quotes_within_a_text_arrive(text):
    assert parse_node_message(NodeMessage("A", text, "abe", to="ben").text()).value == text


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        ('"a,b"', "a,b"),
        ('"a"', "a"),
        ('""', ""),
        ('say "a,b" now', 'say "a,b" now'),
        ('"a" and "b"', '"a" and "b"'),
    ],
)
def test_only_quotes_around_the_whole_of_a_text_are_removed(expected, value):
    text = f"src_node=abe,dest_node=ben,string_val={expected},var_name=A"
    assert parse_node_message(text).value == value


def test_an_app_that_does_not_name_itself_is_named():
    text = "src_node=abe,dest_node=ben,var_name=A,double_val=1"
    assert parse_node_message(text, app="pTest").app == "pTest"
    assert parse_node_message(text + ",src_app=pHelmIvP", app="pTest").app == "pHelmIvP"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dest_node=ben,var_name=A,string_val=x", "src_node=: expected a name"),
        ("src_node=abe,dest_node=ben,string_val=x", "var_name=: expected a name"),
        ("src_node=abe,var_name=A,string_val=x", "dest_node=: expected a vessel"),
        ("src_node=abe,dest_node=ben,var_name=A", "expected it, or a double_val"),
        ("src_node=abe,dest_node=ben,var_name=A,string_val=x,double_val=1", "not both"),
        ("src_node=abe,dest_node=ben,var_name=A,double_val=one", "double_val=one: expected a num"),
    ],
)
def test_missing_and_invalid_fields_are_named(text, expected):
    with pytest.raises(NodeMessageError, match=expected):
        parse_node_message(text)


def test_an_acknowledgement_without_an_id_is_refused():
    with pytest.raises(NodeMessageError, match="id=: expected a name"):
        parse_ack_message("src=abe,dest=ben")
