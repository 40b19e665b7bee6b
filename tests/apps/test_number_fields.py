"""A number in a line is refused with the same sentence by every app and behavior that reads one."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest

from steerageway.apps.communication.node_comms.acoustic import parse_beacon
from steerageway.apps.communication.node_comms.app import NodeComms
from steerageway.apps.communication.node_reporter.app import NodeReporter
from steerageway.apps.communication.share import Share
from steerageway.apps.contacts.spoof_node import SpoofNode
from steerageway.apps.control.force_control import read_setpoint
from steerageway.apps.control.thrust_allocation import read_forbidden, read_weights
from steerageway.apps.logs.mcap_logger.app import McapLogger
from steerageway.apps.scripts.timer_script.app import TimerScript
from steerageway.apps.sensing.beacon_range_sensor import BeaconRangeSensor
from steerageway.apps.sensing.contact_range_sensor import ContactRangeSensor
from steerageway.apps.sensing.generic_sensor import GenericSensor
from steerageway.apps.sensing.nav_filter import FilterOptions
from steerageway.apps.shared.registry import APPS, load
from steerageway.apps.vessels.drift_wormhole.app import DriftWormhole
from steerageway.apps.vessels.usim_marine.fossen import read_commands
from steerageway.apps.watches.load_watch import LoadWatch
from steerageway.apps.watches.process_watch import ProcessWatch
from steerageway.bridges.ais_traffic.app import parse_place
from steerageway.bridges.ardupilot import ArduPilot
from steerageway.bus import Config, ConfigError
from steerageway.helm.behaviors import BEHAVIORS
from steerageway.helm.settings import SettingError, declarations, put, reader_of

MISTAKES = ("abc", "nan", "1e999", "", "-1")
GUSTS = "drift = type=gusts,dir=1,mag=1,every=5"
FIELDS = (
    (BeaconRangeSensor, "beacon = y=2,x={}", "x", "a number"),
    (BeaconRangeSensor, "beacon = x=1,y=2,width={}", "width", "a number above 0"),
    (BeaconRangeSensor, "beacon = x=1,y=2,freq={}", "freq", "a number above 0, or never"),
    (BeaconRangeSensor, "default_beacon_push_dist = {}", "push_dist", "a number, or nolimit"),
    (BeaconRangeSensor, "node_push_dist = abe={}", "node_push_dist", "a number, or nolimit"),
    (ContactRangeSensor, "pull_dist = {}", "pull_dist", "a number, or nolimit"),
    (ContactRangeSensor, "rn_algorithm = uniform,pct={}", "pct", "a number from 0 to 1"),
    (GenericSensor, "source_point = x=1,y={}", "y", "a number"),
    (GenericSensor, "sensor_config = range={}", "range", "a number above 0"),
    (SpoofNode, "spoof = x=1,y=2,len={}", "len", "a number above 0"),
    (NodeComms, "stealth = vname=abe,stealth={}", "stealth", "a number from 0 to 1"),
    (NodeComms, "earange = vname=abe,earange={}", "earange", "a number at least 1"),
    (NodeComms, "shared_node_reports = {}", "shared_node_reports", "a number at least 0, or true"),
    (NodeReporter, "rider = var=A,prec={}", "prec", "a whole number from 0 to "),
    (NodeReporter, "rider = var=A,policy={}", "policy", "a number at least 0, or always"),
    (NodeReporter, "plat_report_input = A,gap={}", "gap", "a number at least 0"),
    (Share, "Output = src_name=X,route=localhost:9201,max_shares={}", "max_shares", "a whole "),
    (Share, "Output = src_name=X,route=localhost:9201,frequency={}", "frequency", "a number at "),
    (Share, "Output = X->Y:localhost:9201@{}", "frequency", "a number above 0"),
    (TimerScript, "event = var=A,val=1,time={}", "time", "a number at least 0, or LOW:HIGH"),
    (TimerScript, "event = var=A,val=1,amt={}", "amt", "a whole number from 1 to 100000"),
    (TimerScript, "time_warp = {}", "time_warp", "a number above 0, or LOW:HIGH"),
    (TimerScript, "reset_max = {}", "reset_max", "a whole number at least 0, or any"),
    (TimerScript, "reset_time = {}", "reset_time", "a number above 0, or none"),
    (DriftWormhole, f"{GUSTS},spread={{}}", "spread", "a number at least 0"),
    (DriftWormhole, f"{GUSTS},rise={{}}", "rise", "a number above 0"),
    (DriftWormhole, "drift = type=build_up,dir=1,mag=1,steps={}", "steps", "a whole number at "),
    (LoadWatch, "thresh = app=pA,gapthresh={}", "gapthresh", "a number"),
    (ProcessWatch, "allow_retractions = {}", "allow_retractions", "a number, or true, or false"),
    (McapLogger, "stride = GPS:{}", "stride", "a whole number at least 1, or PATTERN:NUMBER"),
    (ArduPilot, "servo = channel={}, order=X", "channel", "a whole number from 1 to 32"),
    (ArduPilot, "servo = channel=1, order=X, low={}", "low", "a number"),
)
NEEDED = {"pHelmIvP": "domain = course:0:359:360\n"}
PHRASE = re.compile(r"expected a (whole )?number( (above|at least|at most|from) |[,;]|$)")
ACCEPTED = {"CommsTick", "TERM_REPORT_INTERVAL", "IterateMode", "listen", "sensor_arc"}
"""Parameters with a number as default that are no numbers: without effect, words, a port, arcs."""


@pytest.mark.parametrize(("kind", "line", "key", "phrase"), FIELDS)
def test_a_number_within_a_line_is_refused_with_key_text_and_range(drive, kind, line, key, phrase):
    legal = phrase.startswith(("a number,", "a number;")) or phrase == "a number"
    empty = "" if kind is SpoofNode or "@" in line else None  # there, an empty field is none
    for text in [one for one in MISTAKES if one != empty and not (legal and one == "-1")]:
        try:  # some apps leave a line out with a warning
            said = " ".join(drive(kind, line.format(text)).app.config.warnings)
        except ConfigError as error:
            said = str(error)
        assert re.search(rf"{key}\b.*{re.escape(text)}.*: expected {re.escape(phrase)}", said)
        assert not text or text in said


def numeric_parameters() -> Iterator[tuple[str, str, str]]:
    """Yield app, parameter and text of each mistake in a parameter whose default is a number."""
    for name in sorted(APPS):
        for one in load(name).parameters:
            if re.fullmatch(r"-?\d+(\.\d+)?", one.default) and one.name not in ACCEPTED:
                yield from ((name, one.name, text) for text in MISTAKES[:4])


@pytest.mark.slow
def test_every_parameter_that_is_a_number_is_refused_in_the_same_words(drive):
    wrong = []
    for app, key, text in numeric_parameters():
        try:
            drive(load(app), f"{NEEDED.get(app, '')}{key} = {text}")
            wrong.append(f"{app}: {key} = {text}: is taken")
        except ConfigError as error:
            expected = error.expected.rpartition("expected")
            if not PHRASE.match(f"expected{expected[2]}"):
                wrong.append(f"{app}: {error}")
    assert "\n".join(wrong) == ""


def test_every_number_of_a_behavior_is_refused_or_doubted_in_the_same_words():
    wrong = []
    for kind in BEHAVIORS.values():
        for name, (place, declared) in declarations(kind.settings_class).items():
            if re.fullmatch(r"-?\d+(\.\d+)?", declared.default):
                for text in MISTAKES[:4]:
                    settings = kind.settings_class()
                    try:
                        put(settings, name, text)
                        doubts = reader_of(settings, place, declared)
                        said = " ".join(doubts.doubts(text))
                    except SettingError as error:
                        said = error.expected
                    if not PHRASE.match(said):
                        wrong.append(f"{kind.__name__}: {name} = {text}: {said}")
    assert "\n".join(wrong) == ""


def test_a_number_of_mail_and_of_a_list_may_have_an_exponent_as_programs_print_it() -> None:
    assert read_commands("th_1=1e-05,cs_1=-2E1") == {"th_1": 1e-5, "cs_1": -20.0}
    pose = read_setpoint("x=1e1, heading=9e+01", np.zeros(6), None)
    assert pose is not None
    np.testing.assert_allclose(pose, (0.0, 10.0, 0.0, 0.0, 0.0, np.pi / 2))
    start = FilterOptions.read(Config([("start_pos", "x=1e-5,y=0,heading=9E1", "a.moos:1")]))
    assert start.start_pos == pytest.approx((0.0, 1e-5, 0.0, np.pi / 2))
    lines = Config([("weight", "th_1=1e-3", "a.moos:1"), ("forbidden", "az = 1e1:2e1", "a.moos:2")])
    assert read_weights(lines.all("weight")) == {"th_1": 1e-3}
    assert read_forbidden(lines.all("forbidden"))["az"] == [tuple(np.radians((10.0, 20.0)))]
    assert parse_place("6e1,-1.07E+1") == (60.0, -10.7)
    assert parse_beacon("name=north,x=1e2,y=0,depth=3e-1").place == (100.0, 0.0, 0.3)
