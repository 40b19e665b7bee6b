"""``attach``: take part in a run that goes on, from a notebook or a script.

from steerageway.apps.consoles.attach import attach

with attach() as run:  # the run that goes on; or a mission file, a run's folder, "host:port"
    run.post("DEPLOY", "true")
    run.wait_for("NAV_SPEED", lambda speed: speed > 1)
    rows = run.collect("NAV_X", "NAV_Y", seconds=30)  # for pandas.DataFrame(rows)
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from numbers import Real
from pathlib import Path
from typing import Any, Self

from steerageway.apps.consoles.board import EVERY, ONCE
from steerageway.apps.consoles.runs import find_run
from steerageway.apps.framework.display import near
from steerageway.bus import (
    BusError,
    Client,
    Message,
    NoAnswer,
    Value,
    as_value,
    is_pattern,
    nanoseconds,
    sleep,
    wall,
)

LOOK = 0.1  # wall seconds between questions how late it is

Row = dict[str, Any]


def attach(
    target: str | Path = "",
    *,
    community: str = "",
    name: str = "notebook",
    keys: Path | None = None,
) -> Attachment:
    """Come in as an observer of a run.

    Args:
        target: a mission file, a run's folder, "host:port"; nothing for the run that goes on.
        community: which one, if there are several.
        name: in whose name to post.
        keys: file of CURVE keys, if the broker wants one.
    Raises:
        BusError: there is no such run, or it has several communities and none was named.
    """
    run = find_run(str(target), community=community, keys=keys)
    return Attachment(run.connect(name))


def anything(value: Value) -> bool:
    """Say that any value will do."""
    return True


class Attachment:
    """A run that goes on; to be used from one thread, by ``with``, or with ``close`` at the end.

    Attributes:
        about: what the run said of itself when we came: ``communities``, ``apps``, ``folder`` ...
    """

    def __init__(self, client: Client) -> None:
        """Wrap a client; ``attach`` is the way to make one."""
        self._visitor = client
        self._left = False
        self.about = client.about

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def time(self) -> float:
        """Simulated seconds, now."""
        return float(self._client.control("status")["time"])

    @property
    def ended(self) -> str:
        """Why the run ended, as far as we have heard; "" while it goes on."""
        return self._visitor.ended

    @property
    def _client(self) -> Client:
        """The connection.

        Raises:
            BusError: it was closed.
        """
        if self._left:
            raise BusError("this attachment is closed; attach again")
        return self._visitor

    def control(self, verb: str, *args: Any) -> Any:
        """Ask for pause, resume, step, run_until, warp, reset, clear, status or stop.

        Raises:
            ControlError: it cannot be done; the text says why.
        """
        return self._client.control(verb, *args)

    def wait_for_rest(self, timeout: float = inf) -> None:
        """Wait until time stands: until a step, or ``run_until``, has happened.

        Args:
            timeout: wall seconds to wait at most.
        Raises:
            NoAnswer: the time passed, or the run ended before.
        """
        deadline = wall() + timeout
        while not self._client.control("status")["paused"]:
            if wall() >= deadline:
                raise NoAnswer(f"time goes on after {timeout:g} s")
            sleep(LOOK / 5)

    def post(self, name: str, value: object) -> None:
        """Post a value: a number, text or bytes. It counts from the next instant on.

        Raises:
            ValueRefused: not a value that the bus carries.
            PostRefused: the run does not take it: the variable is of another type.
        """
        self._client.post(name, value)
        self._client.control("status")  # its answer comes after any complaint

    def get(self, name: str) -> Value | None:
        """Give a variable's present value; None when nobody has posted it.

        Raises:
            ValueError: that is no name of a variable.
        """
        _check_one(name)
        with self._registered(name):
            self._client.control("status")  # its answer comes after the mail
            mail = self._client.fetch(0.0)
        return mail[-1].value if mail else None

    def wait_for(
        self, name: str, wanted: object | Callable[[Any], bool] = anything, timeout: float = inf
    ) -> Message:
        """Wait until a variable has a value; its present one counts.

        Args:
            name: the variable.
            wanted: the value, or a function that says whether a value will do; without it any will.
            timeout: wall seconds to wait at most.
        Raises:
            NoAnswer: the time passed, or the run ended before.
            ValueError: that is no name of a variable, or no time.
        """
        _check_one(name)
        _check_span("timeout", timeout)
        will_do: Callable[[Any], bool]
        if callable(wanted):
            will_do = wanted
        else:
            value = as_value(name, wanted)

            def will_do(present: Any) -> bool:
                return bool(present == value)

        try:
            with self._registered(name):
                return self._client.wait_for(name, will_do, timeout)
        except NoAnswer as error:
            why = self._if_unknown(name)
            raise NoAnswer(f"{error}; {why}" if why else str(error)) from None

    def collect(self, *names: str, seconds: float = inf, timeout: float = inf) -> list[Row]:
        """Collect the present values of some variables, then all that are posted.

        Warns when the run was faster than we could read, and messages were left out; and of a
        variable that nobody has posted.

        Args:
            names: variables, or patterns with * and ?.
            seconds: simulated seconds from now, at least 0; else until the run ends.
            timeout: wall seconds after which it ends in any case.
        Returns:
            For each message a dict of ``time`` [s], ``name``, ``value``, ``source``, ``community``;
            oldest first, as pandas and polars make tables of them.
        Raises:
            ValueError: no variable is named, or by something else than text; or that is no span.
        """
        _check_names(names)
        _check_span("seconds", seconds)
        _check_span("timeout", timeout)
        thinned = self._client.thinned
        with self._registered(*names):  # before the time is asked: what is present is not later
            last = nanoseconds(self.time + seconds) if seconds < inf else None
            mail = self._until(last, wall() + timeout)
        if self._client.thinned > thinned:
            count = self._client.thinned - thinned
            warnings.warn(f"{count} messages were left out: the run was too fast", stacklevel=2)
        found = {message.name for message in mail}
        for name in dict.fromkeys(one for one in names if not is_pattern(one)):
            if name not in found and (why := self._if_unknown(name)):
                warnings.warn(f"collect {name}: {why}", stacklevel=2)
        return [_row(m) for m in mail if last is None or m.instant <= last]

    def close(self) -> None:
        """Leave the run, which goes on."""
        self._left = True
        self._visitor.close()

    def _until(self, last: int | None, deadline: float) -> list[Message]:
        """Give all mail up to an instant [ns], to a wall time, or to the run's end."""
        client = self._client
        mail: list[Message] = []
        try:
            while wall() < deadline and not client.ended:
                over = last is not None and nanoseconds(self.time) >= last
                if over:
                    client.control("status")  # its answer comes after the mail of that time
                fresh = client.fetch(0.0 if over else LOOK)
                mail += fresh
                if over and (not fresh or fresh[-1].instant > (last or 0)):
                    break
        except NoAnswer:
            if not client.ended:
                raise
        return mail + client.fetch(0.0)

    def _if_unknown(self, name: str) -> str:
        """Say of a variable that nobody has posted it, and which there is that is named alike."""
        if self.ended or self.get(name) is not None:
            return ""
        with self._registered(EVERY, interval=ONCE):
            self._client.control("status")  # its answer comes after the mail
            known = {message.name for message in self._client.fetch(0.0)}
        return f"nobody has posted it{near(name, known)}"

    @contextmanager
    def _registered(self, *names: str, interval: float = 0.0) -> Iterator[None]:
        """Ask for variables, and have none of their mail left afterwards."""
        client = self._client
        client.register(*names, interval=interval)
        try:
            yield
        finally:
            if not client.ended:
                client.unregister(*names)
                client.control("status")
            while client.fetch(0.0):
                pass


def _check_names(names: Sequence[object]) -> None:
    """Check that variables are named, each by an argument of its own."""
    if not names:
        raise ValueError('expected the names of variables; "*" are all')
    for name in names:
        if not isinstance(name, str) or not name:
            raise ValueError(f"{name!r}: expected a variable's name, several as several arguments")


def _check_span(name: str, span: float) -> None:
    """Check a time to wait."""
    if not isinstance(span, Real) or not span >= 0:
        raise ValueError(f"{name}={span!r}: expected seconds, at least 0")


def _check_one(name: str) -> None:
    """Check that one variable is named."""
    _check_names([name])
    if is_pattern(name):
        raise ValueError(f"{name}: expected one variable; patterns are for collect")


def _row(message: Message) -> Row:
    return {
        "time": message.time,
        "name": message.name,
        "value": message.value,
        "source": message.source,
        "community": message.community,
    }
