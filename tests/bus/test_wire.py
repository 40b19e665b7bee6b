"""Frames: everything that clients send is checked."""

from __future__ import annotations

import math
import struct
from contextlib import suppress
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.bus.core.app import Registration
from steerageway.bus.core.errors import Refused, WireError
from steerageway.bus.core.message import Message
from steerageway.bus.database.mailbag import EntryBag
from steerageway.bus.transport.wire import (
    LARGEST_VALUE,
    PROTOCOL,
    check_hello,
    check_name,
    check_post,
    check_registration,
    cost,
    pack,
    take_apart,
    ungroup,
    unpack,
    unpack_foreign,
)

VALUES = st.floats(allow_nan=False, allow_infinity=False) | st.text() | st.binary()
NAMES = st.text("ABCXYZ_0189", min_size=1, max_size=20)
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | VALUES,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=20,
)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.binary(max_size=400))
def test_garbage_is_a_wire_error_or_an_array_with_a_kind(frame: bytes) -> None:
    with suppress(WireError):
        parts = unpack_foreign(frame)
        assert isinstance(parts, tuple)
        assert isinstance(parts[0], str)


@pytest.mark.slow
@settings(max_examples=200)
@given(ANYTHING)
def test_checks_of_anything_give_the_checked_or_a_wire_error(thing: Any) -> None:
    thing = msgpack.unpackb(msgpack.packb(thing), use_list=False)
    for check in (check_post, check_registration, check_name):
        with suppress(WireError):
            assert check(thing)


@pytest.mark.slow
@settings(max_examples=200)
@given(ANYTHING, ANYTHING)
def test_a_hello_of_anything_is_refused_or_well_typed(name: Any, options: Any) -> None:
    parts = unpack(pack("hello", PROTOCOL, name, options))
    try:
        hello = check_hello(parts)
    except WireError:
        return
    assert hello.role in ("observer", "app")
    assert hello.whole in (True, False)
    assert hello.credit >= 0


@given(NAMES, VALUES, st.none() | st.floats(-1e9, 1e9), st.just("") | NAMES)
def test_a_good_post_passes_as_it_is(name: str, value: Any, time: Any, aux: str) -> None:
    row = unpack_foreign(pack("post", [(name, value, time, aux)]))[1][0]
    assert check_post(row) == (name, value, time, aux)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (("X", math.nan, None, ""), "X: nan is not a finite number"),
        (("X", math.inf, None, ""), "X: inf is not a finite number"),
        (("X", True, None, ""), "X: a value is a number, a text or bytes, not True"),
        (("X", None, None, ""), "X: a value is a number, a text or bytes, not None"),
        (("X", (1.0,), None, ""), "X: a value is a number, a text or bytes, not (1.0,)"),
        (("X", "x" * (LARGEST_VALUE + 1), None, ""), "X: a value of 4194305 bytes"),
        (("X", b"x" * (LARGEST_VALUE + 1), None, ""), "X: a value of 4194305 bytes"),
        (("X", "ä" * (LARGEST_VALUE // 2) + "x", None, ""), "X: a value of 4194305 bytes"),
        (("X", "🚤" * (LARGEST_VALUE // 4) + "x", None, ""), "X: a value of 4194305 bytes"),
        (("X", 1.0, math.nan, ""), "X: a time is a finite number or nil, not nan"),
        (("X", 1.0, True, ""), "X: a time is a finite number or nil, not True"),
        (("X", 1.0, "now", ""), "X: a time is a finite number or nil, not 'now'"),
        (("X", 1.0, None, 5), "X: aux is a text, not 5"),
        (("", 1.0, None, ""), "a name is a text of 1 to 256 characters"),
        (("X" * 257, 1.0, None, ""), "a name is a text of 1 to 256 characters"),
        ((" X", 1.0, None, ""), "a name is printable, without blanks at its ends"),
        (("X\n", 1.0, None, ""), "a name is printable, without blanks at its ends"),
        (("NAV_*", 1.0, None, ""), "a variable's name holds no * or ?"),
        (("NAV_?", 1.0, None, ""), "a variable's name holds no * or ?"),
        (("X", 1.0, None), "a post is [name, value, time or nil, aux]"),
        (5, "a post is [name, value, time or nil, aux]"),
    ],
)
def test_a_refused_post_names_the_mistake(row: Any, expected: str) -> None:
    with pytest.raises(WireError) as caught:
        check_post(row)
    assert expected in str(caught.value)


@pytest.mark.parametrize("value", ["x" * LARGEST_VALUE, "ä" * (LARGEST_VALUE // 2), b"x" * 2**22])
def test_a_value_may_have_4_mib(value: str | bytes) -> None:
    assert check_post(("X", value, None, ""))[1] == value


def test_a_whole_number_becomes_a_float() -> None:
    post = check_post(("X", 3, 2, ""))
    assert [element.__class__ for element in post] == [str, float, float, str]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (("X", "*", -1.0, True), "X: an interval is a number of seconds"),
        (("X", "*", math.nan, True), "X: an interval is a number of seconds"),
        (("X", "*", 1e9, True), "X: an interval is a number of seconds"),
        (("X", "*", "5", True), "X: an interval is a number of seconds, not '5'"),
        (("X", "*", True, True), "X: an interval is a number of seconds, not True"),
        ((" X", "*", 0.0, True), "a name is printable, without blanks at its ends"),
        ("four", "'four': a registration is [pattern, source, interval, active]"),
        (("X", "*", 0.0, 1), "X: active is true or false, not 1"),
        (("X", 7, 0.0, True), "7: a name is a text"),
        (("X", "*"), "a registration is [pattern, source, interval, active]"),
    ],
)
def test_a_refused_registration_names_the_mistake(row: Any, expected: str) -> None:
    with pytest.raises(WireError) as caught:
        check_registration(row)
    assert expected in str(caught.value)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("hello", PROTOCOL, "a,b", {}), "a client's name holds no comma"),
        (("hello", PROTOCOL, "a"), "hello: 3 elements follow, not 2"),
        (("hello",), "hello: 3 elements follow, not 0"),
        (("hello", "one", "a", {}), "hello: element 1 cannot be 'one'"),
        (("hello", PROTOCOL, "a", {"community": " x"}), "a name is printable"),
        (("hello", PROTOCOL, "a", {"credit": 65537}), "credit is 0 to 65536, not 65537"),
        (("hello", PROTOCOL, "a", 5), "hello: element 3 cannot be 5"),
        (("hello", PROTOCOL, "a", {"role": "captain"}), "role is observer or app, not 'captain'"),
        (("hello", PROTOCOL, "a", {"whole": 1}), "hello: whole is of type bool, not 1"),
        (("hello", PROTOCOL, "a", {"credit": -1}), "credit is 0 to 65536, not -1"),
        (("hello", PROTOCOL, "a", {"credit": 2**40}), "credit is 0 to 65536, not 1099511627776"),
    ],
)
def test_an_invalid_hello_names_the_mistake(parts: tuple[Any, ...], expected: str) -> None:
    with pytest.raises(WireError) as caught:
        check_hello(parts)
    assert expected in str(caught.value)


def test_a_hello_keeps_its_fields_and_takes_documented_defaults() -> None:
    assert check_hello(("hello", 1, "a", {})) == ("a", "observer", "", False, 0, "")
    options = {"role": "app", "community": "ben", "whole": True, "credit": 65536, "more": 5}
    assert check_hello(("hello", 1, "a", options)) == ("a", "app", "ben", True, 65536, "")


def test_a_registration_is_read_as_pattern_source_interval_and_whether() -> None:
    read = check_registration(("NAV_*", "u?", 2, False))
    assert read == Registration("NAV_*", "u?", 2.0, False)
    assert read.interval.__class__ is float


def test_frames_of_the_documented_maximum_size_are_accepted() -> None:
    mib = 1024 * 1024
    for value in ("x" * (4 * mib), bytes(4 * mib)):
        assert check_post(("N" * 256, value, None, ""))[1] is value
    assert len(unpack_foreign(pack("post", [0] * 4096))[1]) == 4096
    assert len(unpack_foreign(pack("hello", dict.fromkeys(map(str, range(64)))))[1]) == 64
    with pytest.raises(WireError, match="max_map_len"):
        unpack_foreign(pack("hello", dict.fromkeys(map(str, range(65)))))
    with pytest.raises(WireError, match="begins with its kind"):  # it is read, and no array
        unpack_foreign(b"\xc6\x00\xff\xff\xfb" + bytes(16 * mib - 5))
    with pytest.raises(WireError, match="16777217 bytes: a frame holds at most 16777216"):
        unpack_foreign(bytes(16 * mib + 1))
    with pytest.raises(WireError, match="max_array_len"):
        unpack_foreign(pack("post", [0] * 4097))


def test_text_of_an_unknown_client_is_shown_shortened() -> None:
    for length, shown in ((78, f"'{'x' * 78}'"), (79, f"'{'x' * 76}...")):
        with pytest.raises(WireError) as caught:
            check_post("x" * length)
        assert str(caught.value).startswith(f"{shown}: a post is")


def test_another_version_of_the_protocol_is_refused_whatever_follows() -> None:
    with pytest.raises(Refused, match="protocol 2: not supported; the broker uses version 1"):
        check_hello(("hello", 2, {"quite": "different"}))


def test_sizes_are_bounded_before_anything_is_built() -> None:
    bounds_of_much = b"\x92\xa4post\xdd" + struct.pack(">I", 2**32 - 1)
    with pytest.raises(WireError, match="max_array_len"):
        unpack_foreign(bounds_of_much)
    deep = b"\x92\xa4post" + b"\x91" * 5000 + b"\x00"
    with pytest.raises(WireError, match="not msgpack"):
        unpack_foreign(deep)


@pytest.mark.parametrize("frame", [b"", b"\x05", b"\x90", b"\x91\x05", b"\x81\xa1a\x01"])
def test_a_frame_that_is_no_array_with_a_kind_is_a_wire_error(frame: bytes) -> None:
    with pytest.raises(WireError):
        unpack_foreign(frame)


def test_taking_apart_checks_number_and_types() -> None:
    assert take_apart(("credit", 5), int) == (5,)
    with pytest.raises(WireError, match="credit: 1 elements follow, not 2"):
        take_apart(("credit", 5, 6), int)
    with pytest.raises(WireError, match="credit: element 1 cannot be True"):
        take_apart(("credit", True), int)


def test_a_frame_costs_its_messages_or_its_kibibytes() -> None:
    assert cost(3, 200) == 3
    assert cost(3, 10 * 1024) == 10
    assert cost(3, 10 * 1024 - 1) == 9
    assert cost(0, 0) == 0


MESSAGES = st.builds(
    Message,
    NAMES,
    VALUES,
    st.floats(0, 100),
    st.sampled_from(["pA", "pB"]),
    st.sampled_from(["", "aux"]),
    st.just("alpha"),
    st.integers(0, 3),
)


@pytest.mark.slow
@settings(max_examples=100)
@given(st.lists(MESSAGES, max_size=12))
def test_mail_comes_out_of_its_groups_as_it_went_in(mail: list[Message]) -> None:
    bag = EntryBag("someone")
    bag.entries = [(0, 0, number, message) for number, message in enumerate(mail)]
    packed = bag.pack()
    assert (packed is None) == (not mail)
    if packed is not None:
        assert ungroup(unpack(packed)[1]) == mail
        assert bag.remove_sent() == len(mail)
        assert bag.pack() is None


def test_a_time_of_nil_means_the_instant() -> None:
    (message,) = ungroup([("pA", "alpha", 2_500_000_000, [("X", 1.0, None, "")])])
    assert message == Message("X", 1.0, 2.5, "pA", "", "alpha", 2_500_000_000)
