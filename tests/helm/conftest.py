"""Fixtures for tests of the helm: behaviors from a text, navigation and mail in, posts out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steerageway.apps.helm import Helm
from steerageway.bus import Message, Post, Value
from tests.apps.conftest import drive as drive

TICK = 0.25
BLOCK = "behaviors = test.bhv\nstart_in_drive = true\n"
DOMAIN = ("course:0:359:360", "speed:0:4:41")


class Sailing:
    """A helm that is ready to decide; each ``step`` is one iteration, 0.25 s after the last.

    Attributes:
        helm: the app.
        time: of the last iteration [s].
        posts: what was posted in it.
        said: variable -> last value, of everything posted so far.
        log: everything posted so far.
    """

    def __init__(self, driven: Any, nav: dict[str, float], *, wait: float) -> None:
        self.driven = driven
        self.helm: Helm = driven.app
        self.nav = {"NAV_X": 0.0, "NAV_Y": 0.0, "NAV_HEADING": 0.0, "NAV_SPEED": 0.0} | nav
        self.posts: list[Post] = driven.started
        self.posted: dict[str, Value] = {post.name: post.value for post in self.posts}
        self.log: list[Post] = []
        self.time = 0.0
        while self.time < wait:
            self.step()

    def step(self, mail: dict[str, Value] | None = None, **nav: float) -> dict[str, Value]:
        """Iterate once; return the last value of each variable posted.

        Args:
            mail: variables posted by others just then; the helm hears its own posts too.
            nav: NAV_X and the like, from now on.
        """
        self.nav |= nav
        self.time += TICK
        received = self.driven.registered
        messages = [
            Message(post.name, post.value, post.time, self.helm.name, post.aux)
            for post in self.posts
            if post.name in received
        ]
        others = self.nav | (mail or {})
        messages += [self.driven.message(name, v, self.time) for name, v in others.items()]
        found: dict[str, Value] = self.driven.take(self.time, messages)
        self.posts = self.driven.posts
        self.posted |= found
        self.log += self.posts
        return found

    def steps(self, count: int) -> list[Post]:
        """Iterate several times; return all posts."""
        return [post for _ in range(count) if self.step() is not None for post in self.posts]

    def values(self, name: str) -> list[Value]:
        """Return every value of a variable in the last iteration, in order."""
        return [post.value for post in self.posts if post.name == name]

    def behavior(self, name: str) -> Any:
        """Return a behavior by its name."""
        alive = self.helm._engine.behaviors.behaviors
        return next(one for one in alive if one.settings.name == name)


Sail = Callable[..., Sailing]


@pytest.fixture
def sail(drive: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sail:
    """Return ``sail(behaviors, block="", wait=0.75, domain=(...), **nav) -> Sailing``.

    ``block`` stands before lines that start the helm in DRIVE, so a line of it wins over those.
    """

    def start(
        behaviors: str,
        block: str = "",
        wait: float = 0.75,
        domain: tuple[str, ...] = DOMAIN,
        **nav: float,
    ) -> Sailing:
        monkeypatch.chdir(tmp_path)
        Path("test.bhv").write_text(behaviors)
        lines = block + "\n" + BLOCK + "".join(f"domain = {line}\n" for line in domain)
        driven = drive(Helm, lines, name="pHelmIvP")
        return Sailing(driven, nav, wait=wait)

    return start


@pytest.fixture
def behave(sail: Sail) -> Sail:
    """Return ``behave(kind, parameters, **as for sail)``: a helm with one behavior, named b."""

    def start(kind: str, parameters: str, **given: Any) -> Sailing:
        text = f"Behavior = {kind}\n{{\nname = b\n{parameters}\n}}\n"
        return sail(text, **given)

    return start
