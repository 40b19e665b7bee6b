"""NMEA and AIS sentences against gpsd's decoder, closed forms, and each other."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.bridges.nmea import ais, received
from steerageway.bridges.nmea.ais import Receiver, Station, derived_mmsi, interval, position, static
from steerageway.bridges.nmea.sentences import QUANTITIES, SENTENCES, line
from steerageway.bridges.own_state import Own

GPSD = Path(__file__).parents[1] / "reference" / "gpsd"
KNOT = 1852 / 3600
UTC = 1_767_225_661.25  # 2026-01-01 00:01:01.25
STATES = (
    {"LAT": 59.9075, "LONG": 10.72, "SOG": 1.5, "COG": 123.4, "HEADING": 120.6, "HEIGHT": 3.25},
    {"LAT": -33.856784, "LONG": -151.215297, "SOG": 0.0, "COG": 359.97, "HEADING": 359.7},
    {"LAT": 0.00000001, "LONG": -0.00000001, "SOG": 30.0, "COG": 0.0, "HEADING": 0.2},
)


CYCLES = 4  # gpsd learns from some which sentence ends a cycle


def own(utc: float = UTC, **values: float) -> Own:
    """Return the state of a vessel, all measured now."""
    state = Own(utc)
    for quantity, value in values.items():
        state.take(quantity, value, utc)
    return state


def sentence(kind: str, state: Own) -> str:
    """Return a sentence without its end of line."""
    fields = SENTENCES[kind].fields(state)
    assert fields is not None
    return line(SENTENCES[kind].talker, kind, fields).decode().removesuffix("\r\n")


def station(state: dict[str, float]) -> Station:
    """Return a state as AIS describes it."""
    place = state["LAT"], state["LONG"], state["SOG"], state["COG"], state["HEADING"]
    return Station(257001234, "Otter", *place, 20.0, 8.0)


def all_sentences() -> bytes:
    """Return sentences of all states, as the reference contains them."""
    parts: list[bytes] = []
    for second, state in enumerate(STATES * CYCLES):
        now = own(UTC + second, **state)
        parts += [f"{sentence(kind, now)}\r\n".encode() for kind in ("GGA", "RMC", "HDT")]
    for state in STATES:
        for kind, mine in (("A", True), ("B", False)):
            parts += position(station(state), UTC, kind, own=mine)
            parts += static(station(state), kind, own=mine)
    return b"".join(parts)


def decoded(kind: str) -> list[dict[str, Any]]:
    """Return what gpsd has decoded of a class of messages."""
    found = map(json.loads, (GPSD / "decoded.jsonl").read_text().splitlines())
    return [one for one in found if one["class"] == kind]


def test_minutes_that_round_to_60_are_a_degree_more() -> None:
    place = sentence("GLL", own(LAT=9.9999999999, LONG=-99.9999999999))
    assert place.split(",")[1:5] == ["1000.0000000", "N", "10000.0000000", "W"]


def test_sentences_are_those_that_gpsd_has_decoded() -> None:
    assert all_sentences() == (GPSD / "sentences.txt").read_bytes()


def test_gpsd_reads_the_place_and_motion_that_was_sent() -> None:
    fixes = decoded("TPV")[-len(STATES) :]
    assert [one["time"][17:] for one in fixes] == ["10.250Z", "11.250Z", "12.250Z"]
    for fix, state in zip(fixes, STATES, strict=True):
        assert fix["lat"] == pytest.approx(state["LAT"], abs=1e-8)
        assert fix["lon"] == pytest.approx(state["LONG"], abs=1e-8)
        assert fix["speed"] == pytest.approx(state["SOG"], abs=0.005 * KNOT + 5e-4)
        assert (fix["track"] - state["COG"] + 180) % 360 - 180 == pytest.approx(0, abs=0.0501)


def test_gpsd_reads_the_ais_reports_that_were_sent() -> None:
    by_type = {
        kind: [one for one in decoded("AIS") if one["type"] == kind] for kind in (1, 5, 18, 24)
    }
    for kind in (1, 18):
        for one, state in zip(by_type[kind], STATES, strict=True):
            assert (one["mmsi"], one["second"]) == (257001234, 1)
            assert one["lat"] == pytest.approx(state["LAT"], abs=1 / 600_000)
            assert one["lon"] == pytest.approx(state["LONG"], abs=1 / 600_000)
            assert one["speed"] == pytest.approx(state["SOG"] / KNOT, abs=0.0501)
            assert one["course"] == pytest.approx(state["COG"] % 359.95, abs=0.0501)
            assert one["heading"] == round(state["HEADING"]) % 360
    for one in by_type[5] + by_type[24]:
        assert one["shipname"] == "OTTER"
        assert (one["to_bow"] + one["to_stern"], one["to_port"] + one["to_starboard"]) == (20, 8)


@pytest.mark.parametrize(
    ("kind", "values", "expected"),
    [
        ("GLL", {"LAT": 1.5, "LONG": -2.25}, "GPGLL,0130.0000000,N,00215.0000000,W,000101.25,A,A"),
        ("VTG", {"COG": 90.0, "SOG": 1852 / 360}, "GPVTG,90.0,T,,M,10.00,N,18.52,K,A"),
        ("VHW", {"SPEED": 1852 / 1800}, "VWVHW,,T,,M,2.00,N,3.70,K"),
        ("DBT", {"ALTITUDE": 1.8288}, "SDDBT,6.00,f,1.83,M,1.00,F"),
        ("DPT", {"ALTITUDE": 20.0}, "SDDPT,20.00,0.0,"),
        ("MWV", {"WIND_ANGLE": -30.0, "WIND_SPEED": 5.0}, "WIMWV,330.0,R,5.00,M,A"),
        ("RSA", {"RUDDER": -12.0}, "ERRSA,-12.0,A,,V"),
        ("XDR", {"ROLL": 0.1}, "YXXDR,A,5.7,D,ROLL"),
        ("HDT", {"HEADING": 359.96}, "HEHDT,0.0,T"),
    ],
)
def test_a_sentence_has_the_fields_of_the_standard(
    kind: str, values: dict[str, float], expected: str
) -> None:
    text, checksum = sentence(kind, own(**values))[1:].split("*")
    assert text == expected
    total = 0
    for byte in text.encode():
        total ^= byte
    assert checksum == f"{total:02X}"


def test_the_rate_of_turn_is_in_degrees_a_minute_across_north() -> None:
    state = own(HEADING=359.0)
    assert SENTENCES["ROT"].fields(state) is None
    state.utc += 2.0
    state.take("HEADING", 3.0, state.utc)
    assert sentence("ROT", state).startswith("$TIROT,120.0,A")


@pytest.mark.parametrize("kind", SENTENCES)
def test_nothing_is_sent_of_what_is_unknown_or_was_measured_long_ago(kind: str) -> None:
    state = own(**dict.fromkeys(QUANTITIES, 1.0))
    state.rate_of_turn()
    state.utc += 11.0
    assert SENTENCES[kind].fields(state) is None
    assert SENTENCES[kind].fields(Own(UTC)) is None


@pytest.mark.slow
def test_every_speed_of_ais_is_sent_as_it_is() -> None:
    receiver = Receiver()
    for tenths in range(1023):
        there = Station(1, lat=1.0, lon=1.0, speed=tenths / 10 * KNOT)
        (back,) = receiver.take(position(there, UTC, "A", own=False)[0])
        assert back.speed == pytest.approx(there.speed, abs=1e-9)


def test_a_station_that_was_not_heard_for_longest_makes_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ais, "MOST_STATIONS", 2)
    receiver, names = Receiver(), {}
    for mmsi in (1, 2, 1, 3, 1, 2):  # the name of 2 is forgotten at 3, that of 1 never
        one = Station(mmsi, f"N{mmsi}", lat=1.0, lon=2.0)
        if mmsi not in names:
            assert not [k for text in static(one, "A", own=False) for k in receiver.take(text)]
        (back,) = receiver.take(position(one, UTC, "B", own=False)[0])
        names[mmsi] = back.name
    assert names == {1: "N1", 2: "", 3: "N3"}


def test_what_a_station_does_not_know_is_unknown_at_the_other_end() -> None:
    (back,) = Receiver().take(position(Station(7, lat=1.0, lon=2.0), UTC, "B", own=False)[0])
    assert (back.speed, back.course, back.heading) == (None, None, None)
    assert list(Receiver().take(position(Station(7), UTC, "A", own=False)[0])) == []


def test_a_name_in_two_sentences_is_known_once_both_have_come() -> None:
    receiver = Receiver()
    first, second = static(Station(257001234, "Sjøsprøyt 2", length=30.0), "A", own=False)
    here = position(Station(257001234, lat=1.0, lon=2.0), UTC, "A", own=False)[0]
    taken = [[one.name for one in receiver.take(text)] for text in (first, here, second, here)]
    assert taken == [[], [""], [], ["SJ_SPR_YT 2"]]


@pytest.mark.parametrize(
    ("kind", "knots", "seconds"),
    [("A", 10.0, 10.0), ("A", 14.5, 6.0), ("A", 24.0, 2.0), ("B", 1.0, 180.0), ("B", 5.0, 30.0)],
)
def test_reports_come_at_the_intervals_of_the_recommendation(
    kind: str, knots: float, seconds: float
) -> None:
    assert interval(Station(1, speed=knots * KNOT), kind) == seconds


def test_vessels_without_a_number_have_one_of_no_country_each() -> None:
    numbers = {derived_mmsi(name) for name in ("abe", "ben", "cal", "deb")}
    assert len(numbers) == 4
    assert {number // 1_000_000 for number in numbers} == {299}


def checked(text: str) -> bytes:
    """Return a sentence with its checksum."""
    total = 0
    for byte in text.encode():
        total ^= byte
    return f"${text}*{total:02X}".encode()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "GPAPB,A,A,0.10,R,N,V,V,011,T,DEST,012,T,013,T,A",
            {
                "NMEA_HEADING_TO_STEER": 13.0,
                "NMEA_XTE": -185.2,
                "NMEA_BEARING": 12.0,
                "NMEA_WAYPOINT": "DEST",
            },
        ),
        (
            "GPRMB,A,0.66,L,003,004,4917.24,N,12309.57,W,001.3,052.5,000.5,V",
            {
                "NMEA_XTE": 0.66 * 1852,
                "NMEA_BEARING": 52.5,
                "NMEA_RANGE": 1.3 * 1852,
                "NMEA_WAYPOINT": "004",
            },
        ),
        ("GPXTE,A,A,0.67,L,N", {"NMEA_XTE": 0.67 * 1852}),
        ("IIHSC,40.12,T,39.11,M,A", {"NMEA_HEADING_TO_STEER": 40.12}),
        ("AGHTC,A,12.5,L,M,R,,,,,,,,T,A", {"NMEA_RUDDER": -12.5}),
        ("AGRSA,10.5,A,,V", {"NMEA_RUDDER": 10.5}),
        (
            "GPAPB,A,A,0.10,R,N,V,V,011,M,DEST,011,M,011,M,A",
            {"NMEA_XTE": -185.2, "NMEA_WAYPOINT": "DEST"},
        ),
        ("GPRMB,V,,,,,,,,,,,,V", {}),
        ("GPGSV,1,1,00", {}),
        ("PXXX,1,2", {}),
    ],
)
def test_orders_of_a_plotter_are_read_in_si_and_degrees(
    text: str, expected: dict[str, object]
) -> None:
    assert received.read(checked(text)) == pytest.approx(expected)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"$",
        b"hello",
        b"$GPAPB,A,A,0.10*00",
        checked("GPXTE,A,A,1e300,L,N"),
        checked("IIHSC,4000,T,,M,A"),
        checked("AGRSA,91,A,,V"),
        checked("AGRSA,x,A,,V"),
        checked("GPXTE,A,A,nan,L,N"),
        b"\xff" * 300,
    ],
)
def test_a_damaged_sentence_is_not_taken(text: bytes) -> None:
    with pytest.raises(received.NotTaken):
        received.read(text)


@pytest.mark.slow
@given(
    st.sampled_from(["APB", "RMB", "XTE", "HSC", "HTC", "RSA", "GGA", "PUBX", ""]),
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60),
)
def test_no_fields_raise_anything_but_not_taken(kind: str, fields: str) -> None:
    with suppress(received.NotTaken):
        received.read(checked(f"GP{kind},{fields}"))


@pytest.mark.slow
def test_a_hundred_thousand_frames_of_garbage_are_counted() -> None:
    random, receiver, refused = Random(1), Receiver(), Counter[str]()
    good = position(Station(9, lat=1.0, lon=2.0), UTC, "A", own=False)[0].strip()
    for number in range(100_000):
        frame = bytearray(good)
        for _ in range(random.randrange(1, 4)):
            frame[random.randrange(len(frame))] = random.randrange(256)
        if number % 3 == 0:
            frame = bytearray(random.randbytes(random.randrange(120)))
        list(receiver.take(bytes(frame)))
        try:
            received.read(bytes(frame))
        except received.NotTaken as error:
            refused[str(error)] += 1
    # Of the damaged ones some still have a right checksum: a byte was replaced by itself.
    assert sum(receiver.rejected.values()) > 99_000
    assert sum(refused.values()) > 99_990
    assert [one.mmsi for one in receiver.take(good)] == [9]
