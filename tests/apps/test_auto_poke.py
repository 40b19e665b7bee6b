"""``pAutoPoke``, driven by mail and time."""

from __future__ import annotations

import pytest

from steerageway.apps.scripts.auto_poke import AutoPoke
from steerageway.bus import ConfigError

BLOCK = 'flag = DEPLOY_ALL=true\nflag = SPEED=2\nflag = LEVEL="2"\n'
FLAGS = {"DEPLOY_ALL": "true", "SPEED": 2.0, "LEVEL": "2"}


def test_the_flags_are_posted_once(drive):
    driven = drive(AutoPoke, BLOCK)
    assert driven.tick(1.0) == FLAGS
    assert driven.tick(2.0) == {}


def test_it_waits_until_enough_vessels_are_known(drive):
    driven = drive(AutoPoke, BLOCK + "required_nodes = 2")
    assert driven.tick(1.0) == {}
    assert driven.tick(2.0, {"UFSB_NODE_COUNT": 1.0}) == {}
    assert driven.tick(3.0, {"UFSB_NODE_COUNT": 2.0}) == FLAGS
    assert driven.tick(4.0, {"UFSB_NODE_COUNT": 3.0}) == {}


def test_its_appcast_shows_the_awaited_vessels_until_they_are_known(drive):
    driven = drive(AutoPoke, BLOCK + "required_nodes = 2")
    driven.tick(1.0, {"UFSB_NODE_COUNT": 1.0})
    state, *flags = driven.app.report()
    assert state == "vessels: 1 of 2, not posted yet"
    assert flags == ["DEPLOY_ALL = true", "SPEED = 2.0", "LEVEL = 2"]
    driven.tick(2.0, {"UFSB_NODE_COUNT": 2.0})
    assert next(iter(driven.app.report())) == "vessels: 2 of 2, posted"


def test_errors_are_reported(drive):
    assert "flag is not set" in drive(AutoPoke, "").app.config_warnings[0]
    for line, expected in (("flag = A", "VAR=value"), ("required_nodes = -1", "at least 0")):
        with pytest.raises(ConfigError, match=expected):
            drive(AutoPoke, line)
