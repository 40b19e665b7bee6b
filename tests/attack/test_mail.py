"""Every app goes on after any mail, and keeps a bounded part of it; see ``mail``."""

from __future__ import annotations

import warnings
from random import Random

import pytest
from mail import NUMBERS, WAITING, Fed, apps, broken, invented

from steerageway.apps.communication.node_comms.app import NodeComms
from steerageway.apps.contacts import alerts
from steerageway.apps.shared import limited
from steerageway.apps.shared.registry import APPS, load
from steerageway.apps.vessels.usim_marine.app import USimMarine
from steerageway.bus import App, CannotGoOn, Config, Setting
from steerageway.helm import contact
from steerageway.moos.node_report import heading_to_yaw
from steerageway.world import weather
from tests.objects import kept

BROKEN = 40  # iterations with broken values
FEW = 30  # names that may be kept, in place of a thousand
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def everyone() -> dict[str, App]:
    """Return every app, as often as missions configure it."""
    return dict(apps())


def test_every_app_of_the_registry_is_fed(everyone: dict[str, App]) -> None:
    fed = {type(app) for app in everyone.values()}
    assert {load(name) for name in APPS if name != WAITING} <= fed


def test_no_app_ends_by_a_broken_value(everyone: dict[str, App]) -> None:
    for name, app in everyone.items():
        rng, fed = Random(name), Fed(app)
        for _ in range(BROKEN):
            known = fed.variables(rng)
            chosen = rng.sample(known, min(len(known), rng.choice((0, 1, 2, 4))))
            mail = [(variable, broken(variable, rng)) for variable in chosen]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # of numpy: no trouble of the app
                try:
                    fed.take(mail)
                except CannotGoOn:
                    assert isinstance(app, USimMarine)  # driven out of its model's range
                    break
                except Exception as error:
                    pytest.fail(f"{name}: {error!r} by {str(mail)[:500]}")
        fed.end()


FREE = ("USimMarine", "Logger")  # a simulator obeys; the logger is to write everything


def test_what_an_app_keeps_of_invented_names_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    for place in (contact, limited, alerts, weather):
        for limit in ("MOST_NAMES", "MOST_CONTACTS", "MOST_ALERTS", "MOST_CHANGES"):
            if hasattr(place, limit):
                monkeypatch.setattr(place, limit, FEW)
    kinds: dict[type[App], App] = {}
    for _, app in apps():
        if type(app).__name__ not in FREE:
            kinds.setdefault(type(app), app)
    for kind, app in kinds.items():
        rng, fed, sizes, number = Random(kind.__name__), Fed(app), [], 0
        for _ in range(3):
            for _ in range(3):
                mail = []
                for variable in fed.variables(rng)[:12]:
                    number += FEW
                    mail += [(variable, invented(variable, number + k, rng)) for k in range(FEW)]
                fed.take(mail)
            fed.wait(61.0)
            sizes.append(kept(app))
        fed.end()
        assert sizes[2] - sizes[1] < 0.3 * sizes[1] + 2000, f"{kind.__name__}: {sizes}"


def test_invented_names_of_one_poster_are_a_hundred_vessels() -> None:
    config = Config([], where="test", last_wins=NodeComms.last_wins)
    app = NodeComms(Setting("uFldNodeComms", community="shore", config=config))
    app.configure()
    fed = Fed(app)
    reports = [("NODE_REPORT", f"NAME=v{k},X=1,Y=2,SPD=0,HDG=0,TIME=0") for k in range(4000)]
    fed.take(reports, source="intruder")
    fed.take([("NODE_REPORT", "NAME=abe,X=1,Y=2,SPD=0,HDG=0,TIME=0")], source="pNodeReporter")
    heard = [line.partition(":")[0] for line in app.report() if "heard" in line and "ago" in line]
    assert heard == [*(f"v{k}" for k in range(100)), "abe"]
    assert any("at most 100 vessels of one poster" in one for one in app.run_warnings)
    assert fed.posts < 2 * 101 * 101


@pytest.mark.parametrize("heading", [*NUMBERS, 359.0, -725.0])
def test_a_yaw_is_the_remainder_of_any_heading(heading: float) -> None:
    assert -3.1415926535897936 <= heading_to_yaw(heading) <= 3.1415926535897936
