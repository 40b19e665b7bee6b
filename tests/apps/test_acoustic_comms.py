"""``uFldNodeComms`` with ``medium = acoustic``: packets, their losses, and measured ranges."""

from __future__ import annotations

from math import dist, hypot
from random import Random

import pytest

from steerageway.apps.communication.node_comms.acoustic import (
    COLLISION,
    HALF_DUPLEX,
    NOISE,
    AcousticOptions,
    Channel,
)
from steerageway.apps.communication.node_comms.app import NodeComms
from steerageway.bus import ConfigError
from steerageway.moos.node_message import NodeMessage
from steerageway.moos.values import by_key
from tests.apps.parameters import Shown

EPOCH = 1_000_000.0
TICK = 0.1
ABE, BEN, CAL = ("abe", 0.0, 0.0, 10.0), ("ben", 600.0, 800.0, 60.0), ("cal", -300.0, 0.0, 10.0)
RANGE = hypot(600.0, 800.0, 50.0)
shows = Shown()


class Fleet:
    """AUVs at rest, which report at every tick; a vessel is (name, x, y, depth)."""

    def __init__(self, drive, block, *vessels):
        words = f"medium = acoustic\nmin_msg_interval = 0\n{block}"
        self.driven = drive(NodeComms, words, name="uFldNodeComms", epoch=EPOCH)
        self.vessels, self.tick = vessels, 0

    def until(self, end, messages=()):
        """Iterate up to a time [s]; return what was posted, with its times."""
        found, messages = [], list(messages)
        while self.tick * TICK < end - 1e-9:
            self.tick += 1
            now = round(self.tick * TICK, 6)
            mail = [
                self.driven.message(
                    "NODE_REPORT",
                    f"NAME={name},X={x},Y={y},DEP={depth},SPD=0,HDG=0,TYPE=auv,TIME={EPOCH + now}",
                    now,
                )
                for name, x, y, depth in self.vessels
            ]
            mail += [self.driven.message("NODE_MESSAGE", text, now) for text in messages]
            messages = []
            self.driven.take(now, mail)
            found += [(now, post.name, str(post.value)) for post in self.driven.posts]
        return found

    def ranges(self, end, **more):
        """Return the fields of the ranges measured up to a time, with the time of each."""
        posts = self.until(end, **more)
        return [(t, by_key(text)) for t, name, text in posts if name.startswith("ACOUSTIC_RANGE_")]


@pytest.fixture
def fleet(drive):
    return lambda block="", *vessels: Fleet(drive, block, *(vessels or (ABE, BEN)))


def said(sender, receiver, text="go"):
    return NodeMessage("ORDER", text, source=sender, to=receiver).text()


@shows("medium", "sound_speed", "report_slot", "report_bytes", "bit_rate", "modem_sound_speed")
@pytest.mark.parametrize(
    ("block", "speed", "assumed", "length"),
    [
        ("report_slot = 5", 1500.0, 1500.0, 0.256),
        ("report_slot = 5\nsound_speed = 1450", 1450.0, 1500.0, 0.256),
        ("report_slot = 5\nsound_speed = 1450\nmodem_sound_speed = 1450", 1450.0, 1450.0, 0.256),
        ("report_slot = 5\nreport_bytes = 100\nbit_rate = 400", 1500.0, 1500.0, 2.0),
    ],
)
def test_a_report_arrives_after_its_travel_time_and_length(block, speed, assumed, length, fleet):
    # From 5 s on it is ben's turn; at 10 s abe's again.
    posts = fleet(block).until(9.0)
    (arrived,) = [t for t, name, _ in posts if name == "NODE_REPORT_ABE"]
    assert 5.0 + RANGE / speed + length <= arrived < 5.0 + RANGE / speed + length + TICK + 1e-6
    (measured,) = [by_key(text) for _, name, text in posts if name == "ACOUSTIC_RANGE_ABE"]
    assert float(measured["range"]) == pytest.approx(RANGE / speed * assumed, abs=1e-3)
    assert float(measured["travel"]) == pytest.approx(RANGE / speed, abs=1e-6)


@shows("source_level", "noise_level", "frequency", "spreading", "snr_needed")
@pytest.mark.parametrize(
    "block",
    [
        "source_level = 130",
        "noise_level = 125",
        "frequency = 300",
        "spreading = 30",
        "snr_needed = 45",
    ],
)
def test_what_does_not_exceed_the_noise_is_not_heard(block, fleet):
    assert fleet("").ranges(12.0)
    assert not fleet(block).ranges(12.0)


@pytest.mark.slow
@shows("usbl", "bearing_sigma", "range_sigma")
def test_a_usbl_measures_bearings_too_with_errors_that_repeat(fleet):
    ((_, exact), *_) = [r for r in fleet("usbl = abe").ranges(9.0) if r[1]["vname"] == "abe"]
    assert float(exact["bearing"]) == pytest.approx(36.870, abs=1e-3)
    assert float(exact["down"]) == pytest.approx(2.862, abs=1e-3)
    noisy = "usbl = abe\nrange_sigma = 3\nbearing_sigma = 2"
    first, again = (fleet(noisy).ranges(400.0) for _ in range(2))
    assert first == again
    mine = [fields for _, fields in first if fields["vname"] == "abe"]
    errors = [float(fields["range"]) - RANGE for fields in mine]
    assert 1.5 < (sum(e * e for e in errors) / len(errors)) ** 0.5 < 4.5
    assert all("bearing" not in fields for _, fields in first if fields["vname"] == "ben")


BEACONS = {"north": (0.0, 500.0, 40.0), "east": (400.0, -100.0, 35.0), "west": (-350.0, 0.0, 50.0)}
SEABED = "\n".join(f"beacon = name={n},x={x},y={y},depth={z}" for n, (x, y, z) in BEACONS.items())


@shows("beacon", "turnaround")
def test_a_vessel_at_rest_has_its_place_by_the_ranges_to_three_beacons(fleet):
    posts = fleet(
        f"{SEABED}\nsound_speed = 0:1500, 60:1470\nmodem_sound_speed = 1487.5", ABE
    ).until(9.0)
    said = {}
    for time, name, text in posts:
        said.setdefault(name, []).append((time, by_key(text)))
    answers = [(t, f) for t, f in said["ACOUSTIC_RANGE_ABE"] if t < 5.0]
    assert [fields["target"] for _, fields in answers] == [*BEACONS]
    for turn, (time, fields) in enumerate(answers, 1):
        distance = dist(ABE[1:], BEACONS[fields["target"]])
        assert float(fields["range"]) == pytest.approx(distance, rel=2e-3)  # of the mean speed
        asked, answered = 0.256 + distance / 1487.5, 0.008 + distance / 1487.5
        assert time == pytest.approx(0.1 + asked + 0.5 * turn + answered, abs=TICK + 0.01)
    (_, place), *_ = said["ACOUSTIC_FIX_ABE"]
    assert (float(place["x"]), float(place["y"])) == pytest.approx(ABE[1:3], abs=1.5)
    assert "ACOUSTIC_FIX_ABE" not in {
        name for _, name, _ in fleet(SEABED.rpartition("\n")[0], ABE).until(9.0)
    }


def test_two_beacons_of_one_name_are_an_error(fleet):
    with pytest.raises(ConfigError, match="a name of its own for each beacon"):
        fleet(f"{SEABED}\nbeacon = name=north,x=0,y=0,depth=1")


def test_modems_do_not_hear_while_they_send_and_not_two_at_once(fleet):
    quiet = "report_slot = 1000"
    one = fleet(quiet, ABE, BEN, CAL)
    one.until(10.0)  # abe's only report is over
    posts = one.until(15.0, [said("abe", "ben")])
    assert [name for _, name, _ in posts if "MESSAGE" in name] == ["NODE_MESSAGE_BEN"]
    long = "x" * 900  # more than 7 s
    two = fleet(quiet, ABE, BEN, CAL)
    two.until(10.0)
    posts = two.until(30.0, [said("abe", "ben", long), said("cal", "ben", long)])
    assert not [name for _, name, _ in posts if "MESSAGE" in name]
    counted = "\n".join(two.driven.app.report())
    assert f"packets lost: {COLLISION}: 2" in counted
    assert f"packets lost: {HALF_DUPLEX}: 2" in counted


def test_a_modem_that_sends_takes_no_second_message(fleet):
    sea = fleet("report_slot = 1000", ABE, BEN)
    sea.until(10.0)
    posts = sea.until(30.0, [said("abe", "ben", "x" * 500), said("abe", "ben")])
    assert len([name for _, name, _ in posts if "MESSAGE" in name]) == 1
    assert "messages held: the modem is sending: 1" in "\n".join(sea.driven.app.report())


def lost_by_force(sent):
    """Return why each packet is lost at each receiver, by comparison of all pairs."""
    found = {}
    for i, (_, begin, length, receivers) in enumerate(sent):
        for name, (travel, audible) in receivers.items():
            lo, hi = begin + travel, begin + travel + length
            why = "" if audible else NOISE
            for j, (other, at, span, places) in enumerate(sent):
                if why == NOISE or i == j:
                    continue
                if other == name and at < hi and lo < at + span:
                    why = HALF_DUPLEX
                if other != name and places[name][1] and not why:
                    far = at + places[name][0]
                    if far < hi and lo < far + span:
                        why = COLLISION
            found[i + 1, name] = why
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_collisions_are_those_of_a_comparison_of_all_packets(seed):
    random, names = Random(seed), ("abe", "ben", "cal", "dot")
    channel, sent, got, now = Channel(), [], {}, 0.0
    for _ in range(400):
        now += random.uniform(0.0, 0.8)
        got |= {(one.number, one.receiver): why for one, why in channel.arrived(now)}
        sender = random.choice(names)
        if channel.is_sending(sender, now):
            continue
        receivers = {
            name: (random.uniform(0.0, 3.0), random.random() < 0.8)
            for name in names
            if name != sender
        }
        sent.append((sender, now, random.uniform(0.05, 0.6), receivers))
        assert channel.send(*sent[-1]) == len(sent)
    got |= {(one.number, one.receiver): why for one, why in channel.arrived(now + 10.0)}
    assert got == lost_by_force(sent)
    assert {*got.values()} == {"", NOISE, HALF_DUPLEX, COLLISION}


@pytest.mark.parametrize(
    ("block", "line"),
    [("medium = acoustic\nstealth = vname=abe,stealth=0.5", "stealth"), ("usbl = abe", "usbl")],
)
def test_a_parameter_of_the_other_medium_is_reported_as_without_effect(drive, block, line):
    app = drive(NodeComms, block, name="uFldNodeComms").app
    (warning,) = app.config_warnings
    assert f"{line} has no effect with medium = " in str(warning)


def test_every_parameter_of_the_medium_has_a_test():
    assert {one.name for one in AcousticOptions.parameters()} == shows.names
