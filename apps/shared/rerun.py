"""Runs one app on recorded mail, and finds the first of its posts that differs.

The app is the real one, at its real times, with a database fed from the record. It receives its own
posts as recorded, so one that differs does not affect the next ones.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from math import isclose
from pathlib import Path
from re import compile as regular
from typing import NamedTuple

from steerageway.bus import (
    AFTER,
    INPUT,
    ITERATE,
    NANO,
    NEVER,
    AppPlan,
    Database,
    Kind,
    Message,
    Post,
    Runner,
    Slot,
    Value,
    failure_of,
    instant_of,
    matches,
    stamp,
    start_place,
    trouble,
)
from steerageway.moos.alog import DATABASE

TIME_TOLERANCE = 6000  # ns; logged times are rounded to five decimals, so are off by up to 5000
MIN_TOLERANCE, MAX_TOLERANCE = 1e-9, 1e-3
_PLAIN = ("DB_TIME", "DB_UPTIME", "DB_CLIENTS", "DB_EVENT")
_POKE = "uPokeDB"
_NUMBERS = regular(r"[-+]?\d+\.?\d*")


@dataclass(frozen=True)
class Record:
    """A log as the sequence of messages committed to a database.

    Attributes:
        path: the log.
        messages: with times from the mission's start, in the order of commitment.
        community: the vessel of the log.
        epoch: UTC [s] of the mission's start.
        decimals: decimals of its numbers.
    """

    path: Path
    messages: Sequence[Message]
    community: str
    epoch: float
    decimals: int


class Difference(NamedTuple):
    """A post of the replay and that of the log; "" if there is none."""

    instant: int
    now: str
    logged: str

    def __str__(self) -> str:
        lines = f"  now:    {self.now or 'nothing'}\n  logged: {self.logged or 'nothing'}"
        return f"first difference at {self.instant / NANO:.5f} s:\n{lines}"


@dataclass(frozen=True)
class Comparison:
    """The result of a replay.

    Attributes:
        posts: number of posts compared.
        difference: the first difference; None without any.
        unmatched: patterns that the app registered for and the log does not contain.
        unlogged: variables that the app posts and the log does not contain.
    """

    posts: int
    difference: Difference | None
    unmatched: Sequence[str]
    unlogged: Sequence[str]


def compare(rerun: Rerun) -> Comparison:
    """Run an app on a record, up to its first difference."""
    record = rerun.record
    # Inputs were rounded as well; a hundred units of the last decimal allow for their
    # amplification.
    tolerance = min(MAX_TOLERANCE, max(MIN_TOLERANCE, 10.0 ** (2 - record.decimals)))
    logged = deque(m for m in record.messages if m.source == rerun.app.name)
    known = {message.name for message in logged}
    unlogged: dict[str, None] = {}
    difference, count = None, 0
    for instant, posts, failed in rerun.activations():
        unlogged.update((post.name, None) for post in posts if post.name not in known)
        now = [(post.name, post.value) for post in posts if post.name in known]
        then = []
        # The log does not separate activations, so posts are compared per instant.
        while logged and logged[0].instant <= instant + TIME_TOLERANCE:
            then.append((logged[0].name, logged.popleft().value))
        difference = _first_difference(instant, now, then, tolerance)
        if failed:
            difference = Difference(instant, f"failed: {failed}", _posts_text(then[:1]))
        if difference is not None:
            break
        count += len(now)
    if difference is None and logged:
        difference = Difference(
            logged[0].instant, "", _posts_text([(logged[0].name, logged[0].value)])
        )
    return Comparison(count, difference, rerun.unmatched(), tuple(unlogged))


class Rerun:
    """One app with a database fed from a record.

    Attributes:
        app: the app. record: the messages.
        reached: the instant of its last activation [ns].
    """

    def __init__(self, plan: AppPlan, record: Record, starts: Mapping[str, int]) -> None:
        """Prepare an app.

        Args:
            plan: the app, at its times.
            record: the logged messages.
            starts: when each app of the launch list started [ns], in its order.
        """
        self.app, self.record, self.reached = plan.app, record, 0
        self._starts = {
            name: (at, start_place(rank)) for rank, (name, at) in enumerate(starts.items())
        }
        self._database = Database(record.community)
        self._slot = Slot(plan, list(starts).index(plan.name), self._database)
        self._runner = Runner(plan.app)
        self._messages = record.messages
        self._from_outside = _from_outside(record, frozenset(starts))
        self._next = 0
        self._end = record.messages[-1].instant

    def advance(self, until: int) -> None:
        """Run the app up to an instant [ns], instead of all its activations.

        Raises:
            Exception: what the app raised.
        """
        slot = self._slot
        self._feed()
        while (instant := instant_of(min(slot.due, NEVER))) <= min(until, self._end):
            self._place = slot.due
            kind, when, mail = slot.activate(instant)
            _, registrations, _ = self._runner.run(kind, when, mail)
            for registration in registrations:
                slot.register(registration, self._place)
            self.reached = when
            self._feed()

    def activations(self) -> Iterator[tuple[int, list[Post], str]]:
        """Yield each instant at which the app runs, its posts, and its error, if it failed."""
        before: tuple[int, list[Post]] | None = None
        for instant, kind, mail in self._grants():
            try:
                rows, registrations, _ = self._runner.run(kind, instant, mail)
            except trouble() as error:
                if before is not None:
                    yield *before, ""
                yield instant, [], failure_of("", "", instant, error).reason
                return
            for registration in registrations:
                self._slot.register(registration, self._place)
            if before is not None and before[0] != instant:
                yield *before, ""
                before = None
            posts = [Post(*row) for row in rows]
            before = instant, posts if before is None else before[1] + posts
        if before is not None:
            yield *before, ""

    def unmatched(self) -> tuple[str, ...]:
        """Return the registrations of the app that match no variable of the log."""
        patterns = [pattern for pattern, _ in self._slot.mailbox.registrations]
        there = {message.name for message in self._messages}
        return tuple(w for w in patterns if not any(matches(w, name) for name in there))

    def _grants(self) -> Iterator[tuple[int, Kind, list[Message]]]:
        """Yield the app's runs with the mail committed before each; the last is its end."""
        slot = self._slot
        self._feed()
        while (instant := instant_of(min(slot.due, NEVER))) <= self._end + TIME_TOLERANCE:
            self._place = slot.due
            kind, when, mail = slot.activate(instant)
            yield when, kind, mail
            self._feed()
        tick = slot.grant_stop(self._end)
        self._place = NEVER
        yield tick.instant, tick.kind, tick.mail

    def _feed(self) -> None:
        """Commit the messages logged before the app's next run."""
        slot = self._slot
        while self._next < len(self._messages):
            if slot.by_mail:
                slot.settle()
            message = self._messages[self._next]
            due = instant_of(min(slot.due, NEVER))
            place = self._place_of(message, due, self._next in self._from_outside)
            # Mail at or after the place of the next activation belongs to a later one.
            if place >= slot.due:
                return
            variable = self._database.variable(message.name)
            self._database.commit(variable, (place, 0, self._next, message))
            self._next += 1
        if slot.by_mail:
            slot.settle()

    def _place_of(self, message: Message, due: int, from_outside: bool) -> int:
        """Return a message's stamp, as precise as its logged time and the app's next run allow."""
        instant = due if abs(message.instant - due) <= TIME_TOLERANCE else message.instant
        # A log has no order within an instant; it follows from the kind of the source.
        if from_outside:
            return stamp(instant, INPUT)
        started, place = self._starts.get(message.source, (NEVER, 0))
        if abs(message.instant - started) <= TIME_TOLERANCE:
            return stamp(instant, place)
        if message.source == f"{DATABASE}{self._database.community}" and message.name in _PLAIN:
            return stamp(instant, INPUT)
        return stamp(instant, AFTER if message.source == _POKE else ITERATE)


def _from_outside(record: Record, apps: Set[str]) -> frozenset[int]:
    """Return the indices of messages that entered before the apps of their instant ran.

    These are messages of no app, if a post by an app follows at that instant: what ``--set`` posts
    without a time is logged after them.
    """
    database = f"{DATABASE}{record.community}"
    found, iterated = set(), NEVER
    for place, message in reversed(list(enumerate(record.messages))):
        if message.source in apps:
            iterated = message.instant
            continue
        ours = message.source != database and message.community == record.community
        if ours and iterated - message.instant <= TIME_TOLERANCE:
            found.add(place)
    return frozenset(found)


def _first_difference(
    instant: int,
    now: Sequence[tuple[str, Value]],
    then: Sequence[tuple[str, Value]],
    tolerance: float,
) -> Difference | None:
    for mine, logged in zip(now, then, strict=False):
        if mine[0] != logged[0] or not _alike(mine[1], logged[1], tolerance):
            return Difference(instant, _posts_text([mine]), _posts_text([logged]))
    shorter = min(len(now), len(then))
    if len(now) != len(then):
        return Difference(instant, _posts_text(now[shorter:]), _posts_text(then[shorter:]))
    return None


def _posts_text(posts: Sequence[tuple[str, Value]]) -> str:
    return f"{posts[0][0]} = {posts[0][1]!s}" if posts else ""


def _alike(mine: Value, logged: Value, tolerance: float) -> bool:
    """Whether two values are equal, apart from decimals cut off in the log.

    Numbers may differ by the tolerance, absolutely or relatively, also those within texts.
    """
    if isinstance(mine, bytes) or isinstance(logged, bytes):
        return mine == logged
    texts = [_written(mine), _written(logged)]
    numbers = [[float(number) for number in _NUMBERS.findall(text)] for text in texts]
    frames = [_NUMBERS.split(text) for text in texts]
    return texts[0] == texts[1] or (
        frames[0] == frames[1]
        and all(
            isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)
            for a, b in zip(*numbers, strict=True)
        )
    )


def _written(value: float | str) -> str:
    """Return a value as text with all significant digits, a text as in a log."""
    if isinstance(value, float):
        return f"{value:.16f}"
    return value.rstrip(" ").replace("\n", "\\n").replace("\r", "\\r")
