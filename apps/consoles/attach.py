"""``attach``: take part in a running mission from a notebook or a script.

from steerageway.apps.consoles.attach import attach

with attach() as run:  # the running mission; or a mission file, a run's folder, "host:port"
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

from steerageway.apps.shared.board import EVERY, ONCE
from steerageway.apps.shared.display import near
from steerageway.apps.shared.runs import find_run
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

POLL_INTERVAL = 0.1  # polling interval of the simulated time [wall s]

Row = dict[str, Any]


def attach(
    target: str | Path = "",
    *,
    community: str = "",
    name: str = "notebook",
    keys: Path | None = None,
) -> Attachment:
    """Connect to a running mission as an observer.

    Args:
        target: a mission file, a run's folder, "host:port"; "" for the only running mission.
        community: the community, if there are several.
        name: the source of what is posted.
        keys: file of CURVE keys, if the broker requires one.
    Raises:
        BusError: there is no such run, or it has several communities and none was named.
    """
    run = find_run(str(target), community=community, keys=keys)
    return Attachment(run.connect(name))


def anything(value: Value) -> bool:
    """Accept any value."""
    return True


class Attachment:
    """A connection to a running mission, for one thread; close it with ``with`` or ``close``.

    Attributes:
        about: the run's description at the time of connection: ``communities``, ``apps``,
            ``folder`` ...
    """

    def __init__(self, client: Client) -> None:
        """Wrap a client; use ``attach`` to connect."""
        self._connection = client
        self._closed = False
        self._time = 0.0  # of the last answer [s]
        self.about = client.about

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def time(self) -> float:
        """The present simulated time [s]; once the run has ended, the last that was heard of."""
        client = self._client
        try:
            self._time = float(client.control("status")["time"])
        except NoAnswer:
            if not client.ended:
                raise
            return max(self._time, client.heard)
        return self._time

    @property
    def ended(self) -> str:
        """Why the run ended, as far as is known; "" while it is running."""
        return self._connection.ended

    @property
    def _client(self) -> Client:
        """The connection.

        Raises:
            BusError: it is closed.
        """
        if self._closed:
            raise BusError("this attachment is closed; attach again")
        return self._connection

    def control(self, verb: str, *args: Any) -> Any:
        """Request pause, resume, step, run_until, warp, reset, clear, status or stop.

        Raises:
            ControlError: the request fails; the text says why.
        """
        return self._client.control(verb, *args)

    def wait_for_rest(self, timeout: float = inf) -> None:
        """Wait until the run is paused: until a step, or ``run_until``, is complete.

        Args:
            timeout: maximum wall time to wait [s].
        Raises:
            NoAnswer: the timeout expired, or the run ended before.
        """
        deadline = wall() + timeout
        while not self._client.control("status")["paused"]:
            if wall() >= deadline:
                raise NoAnswer(f"not paused after {timeout:g} s")
            sleep(POLL_INTERVAL / 5)

    def post(self, name: str, value: object) -> None:
        """Post a value: a number, text or bytes. Apps receive it at the next instant.

        Raises:
            ValueRefused: the bus does not carry such a value.
            PostRefused: the run rejects it: the variable has another type.
        """
        self._client.post(name, value)
        self._client.control("status")  # its reply comes after a rejection of the post

    def get(self, name: str) -> Value | None:
        """Return a variable's present value; None if it was never posted.

        Raises:
            ValueError: the name is invalid.
        """
        _check_one(name)
        with self._registered(name):
            self._client.control("status")  # its reply comes after the mail
            mail = self._client.fetch(0.0)
        return mail[-1].value if mail else None

    def wait_for(
        self, name: str, wanted: object | Callable[[Any], bool] = anything, timeout: float = inf
    ) -> Message:
        """Wait until a variable has a value; its present value is accepted.

        Args:
            name: the variable.
            wanted: the value, or a function that returns whether a value is accepted; default: any
                value.
            timeout: maximum wall time to wait [s].
        Raises:
            NoAnswer: the timeout expired, or the run ended before.
            ValueError: the name or the timeout is invalid.
        """
        _check_one(name)
        _check_span("timeout", timeout)
        accepts: Callable[[Any], bool]
        if callable(wanted):
            accepts = wanted
        else:
            value = as_value(name, wanted)

            def accepts(present: Any) -> bool:
                return bool(present == value)

        try:
            with self._registered(name):
                return self._client.wait_for(name, accepts, timeout)
        except NoAnswer as error:
            why = self._unknown_note(name)
            raise NoAnswer(f"{error}; {why}" if why else str(error)) from None

    def messages(self, *names: str, timeout: float = inf) -> Iterator[Message]:
        """Yield the present values of some variables, then each message once, until the run ends.

        Inside the loop the run may be posted to and controlled; ``get``, ``wait_for`` and
        ``collect`` would take messages away from it.

        Args:
            names: variables, or patterns with * and ?.
            timeout: maximum wall time [s].
        Raises:
            ValueError: there is no name, one is invalid, or the timeout is.
            NoAnswer: the broker has been silent for long.
        """
        _check_names(names)
        _check_span("timeout", timeout)
        deadline = wall() + timeout
        with self._registered(*names):
            while wall() < deadline and not self._client.ended:
                yield from self._client.fetch(POLL_INTERVAL)
            yield from self._client.fetch(0.0)

    def collect(self, *names: str, seconds: float = inf, timeout: float = inf) -> list[Row]:
        """Collect the present values of some variables, then all that are posted.

        Warns if messages were left out because the run was too fast for the reader, and of
        variables
        that were never posted.

        Args:
            names: variables, or patterns with * and ?.
            seconds: simulated seconds from now, at least 0; default: until the run ends.
            timeout: maximum wall time [s].
        Returns:
            For each message a dict of ``time`` [s], ``name``, ``value``, ``source``, ``community``;
            oldest first, suitable for tables of pandas and polars.
        Raises:
            ValueError: there is no name, one is invalid, or a time is.
        """
        _check_names(names)
        _check_span("seconds", seconds)
        _check_span("timeout", timeout)
        thinned = self._client.thinned
        # Subscribed before the time is requested: present values must not be later than it.
        with self._registered(*names):
            last = nanoseconds(self.time + seconds) if seconds < inf else None
            mail = self._until(last, wall() + timeout)
        if self._client.thinned > thinned:
            count = self._client.thinned - thinned
            warnings.warn(f"{count} messages were left out: the run was too fast", stacklevel=2)
        found = {message.name for message in mail}
        for name in dict.fromkeys(one for one in names if not is_pattern(one)):
            if name not in found and (why := self._unknown_note(name)):
                warnings.warn(f"collect {name}: {why}", stacklevel=2)
        return [_row(m) for m in mail if last is None or m.instant <= last]

    def close(self) -> None:
        """Disconnect from the run."""
        self._closed = True
        self._connection.close()

    def _until(self, last: int | None, deadline: float) -> list[Message]:
        """Return all mail until an instant [ns], a wall time, or the run's end."""
        client = self._client
        mail: list[Message] = []
        try:
            while wall() < deadline and not client.ended:
                over = last is not None and nanoseconds(self.time) >= last
                if over:
                    client.control("status")  # its reply comes after the mail of that time
                fresh = client.fetch(0.0 if over else POLL_INTERVAL)
                mail += fresh
                if over and (not fresh or fresh[-1].instant > (last or 0)):
                    break
        except NoAnswer:
            if not client.ended:
                raise
        return mail + client.fetch(0.0)

    def _unknown_note(self, name: str) -> str:
        """Return a note if a variable was never posted, with a similar name that was; else ""."""
        if self.ended or self.get(name) is not None:
            return ""
        with self._registered(EVERY, interval=ONCE):
            self._client.control("status")  # its reply comes after the mail
            known = {message.name for message in self._client.fetch(0.0)}
        return f"never posted{near(name, known)}"

    @contextmanager
    def _registered(self, *names: str, interval: float = 0.0) -> Iterator[None]:
        """Subscribe to variables; unsubscribe and discard their mail afterwards."""
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
    """Check that there are names, one per argument."""
    if not names:
        raise ValueError('expected the names of variables; "*" are all')
    for name in names:
        if not isinstance(name, str) or not name:
            raise ValueError(f"{name!r}: expected a variable's name, several as several arguments")


def _check_span(name: str, span: float) -> None:
    """Check a duration."""
    if not isinstance(span, Real) or not span >= 0:
        raise ValueError(f"{name}={span!r}: expected seconds, at least 0")


def _check_one(name: str) -> None:
    """Check that the name is that of one variable."""
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
