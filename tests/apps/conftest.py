"""Drives one app with the real runner: mail and time in, posts out."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from steerageway.bus import (
    NANO,
    App,
    Config,
    Kind,
    Message,
    Post,
    Runner,
    Setting,
    Value,
    any_matches,
)
from steerageway.moos.values import pairs

EPOCH = 1_000_000.0  # UTC of the sea's time zero [s]


class Driven:
    """A driven app, configured by the lines of a block.

    Attributes:
        app: the app itself.
        started: what it posted in ``on_start``.
        registered: pattern -> interval of everything it registered for.
    """

    def __init__(self, kind: type[App], block: str, name: str, **setting: object) -> None:
        lines = [line.partition("=") for line in block.splitlines() if line.strip()]
        entries = [
            (key.strip(), value.strip(), f"test.moos:{n}")
            for n, (key, _, value) in enumerate(lines)
        ]
        config = Config(entries, where="test.moos", last_wins=kind.last_wins)
        self.app = kind(Setting(name=name, community="alpha", config=config, **setting))
        self.app.configure()
        self.registered: dict[str, float] = {}
        self._runner = Runner(self.app)
        self.started = self._grant(Kind.START, 0.0, [])

    def tick(self, time: float, mail: Mapping[str, Value] | None = None) -> dict[str, Value]:
        """Let the app iterate; return the last value it posted of each variable.

        Args:
            time: of the iteration [s].
            mail: what was posted since the last grant, stamped now: variable -> value.
        """
        messages = [
            self.message(name, value, time)._replace(instant=self._granted)
            for name, value in (mail or {}).items()
        ]
        return self.take(time, messages)

    def take(self, time: float, messages: list[Message]) -> dict[str, Value]:
        """Let the app iterate with these messages; return the last value of each variable.

        As on the bus, it gets none that it has not registered for.
        """
        received = [one for one in messages if any_matches(self.registered, one.name)]
        posts = self._grant(Kind.ITERATE, time, received)
        return {post.name: post.value for post in posts}

    def stop(self, time: float) -> list[Post]:
        """Let the app stop."""
        return self._grant(Kind.STOP, time, [])

    def values(self, name: str) -> list[Value]:
        """Return every value of a variable in the last grant."""
        return [post.value for post in self.posts if post.name == name]

    @staticmethod
    def message(name: str, value: Value, time: float, source: str = "pTest") -> Message:
        """Return a message stamped and committed at a time [s]."""
        return Message(name, value, time, source, "", "alpha", round(time * NANO))

    def _grant(self, kind: Kind, time: float, mail: list[Message]) -> list[Post]:
        self._granted = round(time * NANO)  # what comes next was committed then at the earliest
        posts, registrations, _ = self._runner.run(kind, round(time * NANO), mail)
        for registration in registrations:
            self.registered[registration.pattern] = registration.interval
        status = f"{self.app.name.upper()}_STATUS"
        self.posts = [Post(*row) for row in posts if row[0] != status]
        return self.posts


@pytest.fixture
def drive() -> Callable[..., Driven]:
    """Return ``drive(AppClass, block, name="pTest", **setting) -> Driven``."""

    def start(kind: type[App], block: str = "", name: str = "pTest", **setting: object) -> Driven:
        return Driven(kind, block, name, **setting)

    return start


class Sea:
    """A driven sensor of the shore, and the vessels that report to it and request ranges.

    Attributes:
        driven: the sensor.
        time: of its last iteration [s].
    """

    def __init__(self, driven: Driven, request: str) -> None:
        self.driven = driven
        self.time = 0.0
        self._request = request

    def see(
        self,
        *vessels: tuple[Any, ...],
        ask: tuple[str, ...] = (),
        mail: tuple[Any, ...] = (),
        after: float = 1.0,
    ) -> dict[str, list[Any]]:
        """Receive vessels and requests, and iterate; return the posts by variable.

        Args:
            vessels: (name, x, y) and perhaps more: heading, speed, type, group.
            ask: who asks.
            mail: further messages.
        """
        self.time += after
        reported = [self._report(*vessel) for vessel in vessels]
        messages = [self.driven.message("NODE_REPORT", text, self.time) for text in reported]
        requested = (self.driven.message(self._request, f"name={name}", self.time) for name in ask)
        self.driven.take(self.time, [*messages, *requested, *mail])
        posted: dict[str, list[Any]] = {}
        for post in self.driven.posts:
            posted.setdefault(post.name, []).append(post.value)
        return posted

    def ranges(self, *vessels: tuple[Any, ...], of: str, **see: Any) -> list[float]:
        """Return the ranges posted in a variable."""
        return [float(dict(pairs(text))["range"]) for text in self.see(*vessels, **see).get(of, [])]

    def _report(
        self,
        name: str,
        x: float,
        y: float,
        heading: float = 0.0,
        speed: float = 0.0,
        kind: str = "kayak",
        group: str = "",
    ) -> str:
        where = f"X={x},Y={y},HDG={heading},SPD={speed},DEP=0"
        return f"NAME={name},{where},TYPE={kind},GROUP={group},TIME={EPOCH + self.time:.2f}"


@pytest.fixture
def sea(drive: Callable[..., Driven]) -> Callable[..., Sea]:
    """Return ``sea(SensorClass, block, **setting) -> Sea``."""

    def start(kind: type[App], block: str = "", **setting: object) -> Sea:
        driven = drive(kind, block, name=kind.__name__, epoch=EPOCH, **setting)
        return Sea(driven, getattr(kind, "requests", ("",))[0])

    return start
