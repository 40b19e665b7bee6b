"""Sharing between communities: when messages arrive, under which name, and where."""

from __future__ import annotations

from pathlib import Path
from socket import socket

import pytest
from stage import CallRecorder, Recorder, cast, everywhere, mission, play, recorded

from steerageway.bus import Message, SharingApp
from steerageway.bus.core.directory import Directory, check_isolated
from steerageway.bus.core.errors import ServerError
from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import AppPlan, Condition, Placement
from steerageway.bus.core.shares import Inlet, Outlet

SHORE, GROUP = "localhost:9200", "multicast_8"


class Source(CallRecorder):
    """Posts its iteration."""

    publishes = ("COUNT",)

    def iterate(self) -> None:
        self.post("COUNT", self.iteration, aux="here")


class Carrier(SharingApp, CallRecorder):
    """Forwards all mail of its own community."""

    def configure(self) -> None:
        super().configure()
        names = tuple(self.config.text("lets_in", default="*").split())
        self.listens = [Inlet(address, names) for address in self.config.text("at").split()]
        self.outlets = [Outlet(self.config.text("to"), ("FAR_*",))]

    def on_mail(self, mail: list[Message]) -> None:
        for message in mail:
            if message.community == self.community:
                self.share(message, self.config.text("to"), f"FAR_{message.name}")


def carried(notes: Path, **config: str) -> list[AppPlan]:
    """Plan a vessel that counts at 4 Hz and shares by mail, and a shore that records."""
    at = config.pop("at", SHORE)
    lets_in = config.pop("lets_in", "*")
    return [
        cast(Source, "pSource", notes, tick="4", community="abe"),
        cast(
            Carrier, "pShare", notes, tick="1", mode=2, hears="COUNT", community="abe",
            **{"to": SHORE, **config},
        ),
        cast(Recorder, "pLogger", notes, tick="8", community="shore"),
        cast(Carrier, "pListen", notes, tick="1", community="shore", at=at, lets_in=lets_in),
    ]  # fmt: skip


def arrived(notes: Path) -> list[Message]:
    """Return the mail of the shore's recorder from other communities."""
    return [m for m in recorded(notes / "pLogger") if m.name.startswith("FAR_")]


@everywhere
def test_a_message_arrives_a_millisecond_later_and_keeps_its_time_source_and_community(
    tmp_path: Path, placement: Placement
) -> None:
    outcome = play(mission(*carried(tmp_path), seconds=1.9), placement)
    assert arrived(tmp_path) == [
        Message("FAR_COUNT", float(n), n / 4, "pSource", "here", "abe", n * NANO // 4 + 1_000_000)
        for n in range(1, 8)
    ]
    assert not any(app.run_warnings for app in outcome.apps)


@everywhere
def test_sharing_with_an_address_without_a_listener_is_reported(
    tmp_path: Path, placement: Placement
) -> None:
    outcome = play(mission(*carried(tmp_path, to="10.0.0.7:9999"), seconds=0.9), placement)
    (warned,) = [app for app in outcome.apps if app.run_warnings]
    missed = {"10.0.0.7:9999: no community of this run listens there": 3}
    assert (warned.name, dict(warned.run_warnings)) == ("pShare", missed)
    assert outcome.exit_reason == "for"


@everywhere
def test_a_forwarded_message_may_end_the_run_at_its_instant(
    tmp_path: Path, placement: Placement
) -> None:
    until = Condition("FAR_COUNT = 3", ("FAR_COUNT",), lambda see: see("FAR_COUNT") == 3, "shore")
    outcome = play(mission(*carried(tmp_path), seconds=9, until=(until,)), placement)
    assert (outcome.exit_reason, outcome.simulated_seconds) == ("until", 0.751)


def test_only_the_names_of_the_white_list_are_let_in(tmp_path: Path) -> None:
    play(mission(*carried(tmp_path, lets_in="NEAR_* FAR_X"), seconds=1.9), Placement.ONE)
    assert arrived(tmp_path) == []
    play(mission(*carried(tmp_path, lets_in="NEAR_* FAR_C*"), seconds=1.9), Placement.ONE)
    assert len(arrived(tmp_path)) == 7


def test_nothing_is_forwarded_without_an_outlet(tmp_path: Path) -> None:
    class Smuggler(Carrier):
        def configure(self) -> None:
            super().configure()
            self.outlets = ()

    apps = carried(tmp_path)
    apps[1] = cast(Smuggler, "pShare", tmp_path, hears="COUNT", community="abe", to=SHORE)
    outcome = play(mission(*apps, seconds=1.9), Placement.ONE)
    assert arrived(tmp_path) == []
    assert outcome.refused == 7


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("localhost:9201", ("abe",)),
        ("127.0.0.1:9201", ("abe",)),
        ("18.38.2.158:9201", ("abe",)),
        ("10.0.0.1:9202", ("ben",)),
        ("10.0.0.2:9202", ("cal",)),
        ("10.0.0.9:9202", ("ben", "cal")),
        ("multicast_8", ("abe", "cal")),
        ("multicast_7", None),
        ("localhost:9200", None),
    ],
)
def test_an_address_is_resolved_by_its_port_and_by_its_host_where_several_have_the_port(
    tmp_path: Path, address: str, expected: tuple[str, ...] | None
) -> None:
    places = {
        "shore": "localhost:9200",
        "abe": "localhost:9201 multicast_8",
        "ben": "10.0.0.1:9202",
        "cal": "10.0.0.2:9202 multicast_8",
    }
    directory = Directory(
        cast(Carrier, "pShare", tmp_path, community=name, at=at) for name, at in places.items()
    )
    assert directory.communities(address, "X", "shore") == expected
    assert directory.listeners(address, "shore") == (expected or ())


def test_a_run_in_lockstep_shares_with_no_other_run_of_this_machine(tmp_path: Path) -> None:
    def shares(to: str) -> None:
        check_isolated([cast(Carrier, "pShare", tmp_path, community="abe", at="", to=to), *inside])

    inside: list[AppPlan] = []
    with socket() as raw_client:
        raw_client.bind(("127.0.0.1", 0))
        port = raw_client.getsockname()[1]
        shares(f"localhost:{port}")  # nobody listens there as yet
        raw_client.listen()
        for host in ("localhost", "127.0.0.1"):
            with pytest.raises(
                ServerError, match=f"pShare of abe shares with {host}:{port}.*--free"
            ):
                shares(f"{host}:{port}")
        shares(f"10.0.0.7:{port}")
        shares("multicast_8")
        inside.append(cast(Carrier, "pIn", tmp_path, community="ben", at=f"any:{port}", to="any:1"))
        shares(f"localhost:{port}")  # an app of this run listens there, and is meant


def test_a_community_accepts_what_any_of_its_apps_accepts(tmp_path: Path) -> None:
    apps = [
        cast(Carrier, "pShare", tmp_path, community="abe", at="localhost:9201", lets_in="NAV_*"),
        cast(Carrier, "pOther", tmp_path, community="abe", at="multicast_8", lets_in="X Y"),
        cast(Carrier, "pShare", tmp_path, community="ben", at=""),
    ]
    directory = Directory(apps)
    assert [directory.listens(name) for name in ("abe", "ben", "cal")] == [True, False, False]
    found = [name for name in ("NAV_X", "X", "Z") if directory.admits("abe", name)]
    assert found == ["NAV_X", "X"]
    assert not directory.admits("ben", "X")
    assert directory.communities("localhost:9201", "X", "ben") == ()
    assert directory.communities("localhost:9201", "NAV_X", "ben") == ("abe",)
    assert directory.communities("localhost:9201", "NAV_X", "abe") is None
    assert directory.communities("multicast_8", "X", "abe") == ()  # alone in its group


def test_an_app_that_shares_nothing_is_not_waited_for(tmp_path: Path) -> None:
    plan = cast(Carrier, "pShare", tmp_path, community="abe", at="", to=SHORE)
    assert plan.sharing is plan.app
    plan.app.alone = True
    assert plan.sharing is None
