"""``Intake``: enters what other programs send into a run, as posts that are recorded.

An app's own posts must follow from its mail and the time alone. What comes from outside is
therefore posted through an observer's connection: the bus gives it an instant and notes it in
``inputs.jsonl``, so that ``--inputs`` gives the same log without the other side.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import Any

from steerageway.apps.shared.run_files import begun_by
from steerageway.bus import App, BackPressure, BusError, Client, ControlError, Value, sleep, wall

MOST_WAITING = 10_000  # posts that have not been sent yet; further ones are dropped and counted
PATIENCE = 15.0  # wall seconds in which the run's server must be found
LOOK = 0.1  # wall seconds between two looks
ANSWER = 5.0  # wall seconds in which the run obeys
BATCH = 500
WAIT = 3.0  # wall seconds in which the run takes what is posted, and obeys

Order = Callable[[Client], None]


def answered(
    give: Callable[[Callable[..., None]], bool],
    control: Callable[..., object],
    refusals: type[BusError],
) -> str | None:
    """Return why an order that another thread carries out is refused; "" if it is obeyed.

    Args:
        give: passes the order to that thread; returns False if it is not taken.
        control: the order. refusals: what it raises if the run refuses it.

    Returns:
        None if it is not taken.
    """
    answers: Queue[str] = Queue(1)

    def order(*clients: Client) -> None:
        try:
            control(*clients)
            answers.put("")
        except refusals as error:
            answers.put(str(error))

    if not give(order):
        return None
    try:
        return answers.get(timeout=ANSWER)
    except Empty:
        return "no answer"


class Intake:
    """The connection by which one app enters posts from outside.

    Make it in ``configure``; ``begin`` starts its thread, in the process of the app. ``warn`` is to
    be called in each iteration.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        # The broker is a child of this process, or this process itself.
        self._launcher = os.getpid()
        self._orders: Queue[Order] = Queue(MOST_WAITING)
        self._paced = True
        self._troubles: Queue[str] = Queue(100)
        self._over = Event()
        self._thread: Thread | None = None

    @property
    def replayed(self) -> bool:
        """Whether the run repeats the inputs of an earlier one, and takes in nothing new."""
        return self._app.setting.replayed

    def begin(self) -> None:
        """Connect, in a thread; in a replay nothing is taken in."""
        if not self.replayed and self._thread is None:
            self._thread = Thread(target=self._run, name="intake", daemon=True)
            self._thread.start()

    def post(self, name: str, value: Value) -> None:
        """Post a value at the next instant that has not been granted yet."""
        self._give(lambda client: self._post(client, name, value))

    def control(self, verb: str, *arguments: Any) -> str:
        """Control the run: pause, resume, step, warp; return why it does not obey, or "".

        Not to be called in the thread of the app, which must go on while the run obeys.
        """
        answer = answered(self._give, lambda client: client.control(verb, *arguments), ControlError)
        return "this run takes nothing in" if answer is None else answer

    def _give(self, order: Order) -> bool:
        """Have something done; return False if nothing is taken in, or too much waits."""
        if self._thread is None:
            return False
        try:
            self._orders.put_nowait(order)
        except Full:
            self._trouble(f"more than {MOST_WAITING} values from outside wait: some were dropped")
            return False
        return True

    def _post(self, client: Client, name: str, value: Value) -> None:
        if not self._paced:
            self._paced = True  # told once
            self._trouble("other programs cannot wait, and this run is not paced (--warp max)")
        client.post(name, value)

    def warn(self) -> None:
        """Pass on what went wrong, as run warnings of the app."""
        while True:
            try:
                self._app.run_warning(self._troubles.get_nowait())
            except Empty:
                return

    def close(self) -> None:
        """Send what waits, and disconnect."""
        self._over.set()
        if self._thread is not None:
            self._thread.join(2.0)

    def _trouble(self, text: str) -> None:
        if not self._troubles.full():
            self._troubles.put_nowait(text)

    def _run(self) -> None:
        try:
            client = self._connected()
            if client is None:
                self._trouble("nothing is taken in: this run has no server (--attach gives it one)")
                return
            with client:
                self._enter(client)
        except BusError as error:
            if not self._over.is_set():
                self._trouble(f"nothing more is taken in: {error}")

    def _connected(self) -> Client | None:
        """Return a connection to the run of this process; None if it has no server."""
        deadline = wall() + PATIENCE
        while not self._over.is_set() and wall() < deadline:
            address = begun_by(self._launcher)
            if address:
                return Client.connect(address, self._app.name, community=self._app.community)
            sleep(LOOK)
        return None

    def _enter(self, client: Client) -> None:
        client.on_refused, client.timeout = self._trouble, WAIT
        self._paced = client.about["warp"] != "max"
        while not client.ended:
            batch = self._next_batch()
            for order in (*batch, Client.flush):
                try:
                    order(client)
                except BackPressure:  # as while the run is paused; "resume" may be behind it
                    client.discard()
                    self._trouble("the run takes no more values at present: some were dropped")
            client.fetch(0.0)
            if self._over.is_set() and not batch:
                client.ended = "its app has stopped"  # of a run that ends nobody answers a goodbye
                return

    def _next_batch(self) -> Sequence[Order]:
        batch: list[Order] = []
        try:
            batch.append(self._orders.get(timeout=LOOK))
            while len(batch) < BATCH:
                batch.append(self._orders.get_nowait())
        except Empty:
            pass
        return batch
