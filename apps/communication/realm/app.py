"""``pRealm``: publishes tables of the variables that a process subscribes to and publishes.

It lists the processes (REALMCAST_CHANNELS) and, while a client requests it (REALMCAST_REQ), posts
one process's variables as a table (REALMCAST) or single variables (WATCHCAST). It is subscribed to
variables only while they are requested, but to those of ``hist_var`` and ``scope_set`` throughout.
Appcasts do not pass through it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf

from steerageway.apps.communication.realm.answers import Answers, Sets, cast
from steerageway.apps.communication.realm.request import BadRequest, Request, parse_request
from steerageway.apps.communication.realm.table import ProcessTable, Style
from steerageway.apps.shared.block_readers import parse_variable
from steerageway.apps.shared.limited import Limited
from steerageway.bus import App, Message, Options, declare, variables
from steerageway.moos.values import by_key

MOST_CLIENTS = 50
FIRST_MINUTE = 60.0
EARLY_INTERVAL = 0.5
UNCHANGED = 10
OWN = ("DB_RWSUMMARY", "REALMCAST_REQ")


def read_set(text: str) -> tuple[str, list[str]]:
    """Parse a ``scope_set``, ``name=N,vars=A:B``.

    Raises:
        ValueError: the text has another form.
    """
    given = by_key(text)
    names = [name.strip() for name in given.get("vars", "").split(":") if name.strip()]
    if given.keys() != {"name", "vars"} or not given["name"] or not names:
        raise ValueError("expected name=NAME, vars=A:B")
    return given["name"], names


@dataclass(frozen=True)
class RealmOptions(Options):
    """Parameters of the configuration block."""

    relcast_interval: float = declare.number(
        0.8, "time between realmcasts", unit="s", low=0.4, high=15
    )
    summary_interval: float = declare.number(
        5, "time between lists of the processes", unit="s", low=1, high=10
    )
    wrap_length: int = declare.whole(90, "characters per line of a wrapped value", low=1)
    trunc_length: int = declare.whole(270, "maximum characters of a truncated value", low=1)
    msg_max_hist: int = declare.whole(
        10, "messages kept of a history variable", low=1, aliases=("msg_max_history",)
    )
    hist_var: tuple[str, ...] = declare.lines(parse_variable, "variable whose history is a channel")
    scope_set: tuple[tuple[str, list[str]], ...] = declare.lines(
        read_set, "name=N,vars=A:B: a channel with the histories of A and B"
    )

    @property
    def sets(self) -> Sets:
        """History channel -> its variables in alphabetical order."""
        sets: dict[str, tuple[str, ...]] = {name: (name,) for name in self.hist_var}
        for channel, names in self.scope_set:
            sets[channel] = tuple(sorted({*sets.get(channel, ()), *names}))
        return sets


@dataclass(slots=True)
class Client:
    """A client that requests realmcasts.

    Attributes:
        request: its request; until: when it expires [s]; fresh: whether it is new.
        sent: variable -> time of the value posted last [s].
    """

    request: Request
    until: float = -inf
    fresh: bool = True
    sent: dict[str, float] = field(default_factory=dict)


class Realm(App):
    """Publishes, on request, a process's subscriptions and publications with their values."""

    keeps_quotes = True
    may_lag = True
    publications = variables.published("""
        REALMCAST_CHANNELS | text | | | on change; each 5 s, later each 50 s |
            `node=alpha#channels=pA,pB`: the processes
        REALMCAST | text | | | each 0.8 s while requested | a process's variables as a table
        WATCHCAST | text | | | on change while requested | one variable's last value
    """)
    subscriptions = variables.subscribed("""
        REALMCAST_REQ | text | s | | `client=me,channel=pHelmIvP,duration=3`, or `vars=A:B` for the
            channel
    """)
    subscribes = (*OWN, "requested variables, and those of hist_var and scope_set")
    parameters = RealmOptions.parameters()

    def configure(self) -> None:
        options = RealmOptions.read(self.config)
        self._interval, self._list_interval = options.relcast_interval, options.summary_interval
        self._sets = options.sets
        self._processes = ProcessTable(f"MOOSDB_{self.community}")
        style = Style(options.wrap_length, options.trunc_length, self.setting.epoch)
        self._answers = Answers(
            self.community, self._processes, self._sets, style, options.msg_max_hist
        )
        self._clients = Limited[Client](MOST_CLIENTS)
        self._subscribed: dict[str, None] = {}
        self._casts = 0
        self._started = 0.0
        self._listed = self._cast = -inf
        self._list = ""
        self._processes_changed = False

    def on_start(self) -> None:
        """Register for requests, the list of processes, and history variables."""
        self._started = self.time
        self.register(*OWN, *self._answers.history)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take requests, the list of processes, and requested variables."""
        for message in mail:
            name = message.name
            if name == "REALMCAST_REQ":
                self._take_request(str(message.value))
            elif name == "DB_RWSUMMARY" and self._processes.update(str(message.value)):
                self._processes_changed = True
                self._update_subscriptions()
            self._answers.take(message)

    def _take_request(self, text: str) -> None:
        try:
            request = parse_request(text)
        except BadRequest as error:
            self.run_warning(f"Bad RealmCastReq:{text}: {error}")
            return
        client = self._clients.get(request.client)
        if client is None or client.request != request:
            self.event(f"Client {request.client}, new pipe: {request.content}")
            client = Client(request)
            try:
                self._clients[request.client] = client
            except ValueError as error:
                self.run_warning(f"REALMCAST_REQ: {error}")
                return
            self._update_subscriptions()
        client.until = self.time + request.duration

    def _requested(self, request: Request) -> tuple[str, ...]:
        """Return the variables that the reply to a request contains."""
        if not request.channel:
            return request.variables
        subscribed = (
            self._processes.subscribed.get(request.channel, ()) if request.subscriptions else ()
        )
        return (*subscribed, *self._processes.published.get(request.channel, ()))

    def _update_subscriptions(self) -> None:
        """Subscribe to the requested variables, and unsubscribe from all others."""
        always = {*OWN, *self._answers.history}
        requested = dict.fromkeys(
            name
            for client in self._clients.values()
            for name in self._requested(client.request)
            if name not in always
        )
        self.unregister(*(name for name in self._subscribed if name not in requested))
        self.register(*(name for name in requested if name not in self._subscribed))
        self._subscribed = requested

    def iterate(self) -> None:
        """Reply to the clients, and list the processes."""
        if self._clients:
            self._reply()
        self._list_channels()

    def _reply(self) -> None:
        self._drop_expired()
        if self.time - self._cast < self._interval:
            return
        for client in self._clients.values():
            if client.fresh:
                client.fresh = False  # the requested values arrive with the next mail
                continue
            self._cast = self.time
            if client.request.channel:
                lines = self._answers.table(client.request, self._started)
                self.post("REALMCAST", cast(self.community, client.request.channel, lines))
                self._casts += 1
            else:
                self._post_variables(client)

    def _drop_expired(self) -> None:
        expired = [name for name, c in self._clients.items() if c.until <= self.time]
        for name in expired:
            del self._clients[name]
        if expired:
            self._update_subscriptions()

    def _post_variables(self, client: Client) -> None:
        for name in client.request.variables:
            message = self._answers.values.get(name)
            time = -inf if message is None else message.time
            if name in client.sent and client.sent[name] >= time and not client.request.force:
                continue
            client.sent[name] = time
            self._casts += 1
            self.post("WATCHCAST", self._answers.watchcast(name, self._started))

    def _list_channels(self) -> None:
        """Post the list of channels at once when it changes, else rarely."""
        early = self.time - self._started < FIRST_MINUTE
        interval = EARLY_INTERVAL if early else self._list_interval
        due = self.time - self._listed >= UNCHANGED * interval
        if not due and not self._processes_changed:
            return
        self._processes_changed = False
        channels = ",".join([*self._processes.channels(), *sorted(self._sets)])
        if due or channels != self._list:
            self._list, self._listed = channels, self.time
            self.post("REALMCAST_CHANNELS", f"node={self.community}#channels={channels}")

    def report(self) -> Iterable[str]:
        """Yield the processes and the clients."""
        yield f"Known processes: {', '.join(self._processes.channels())}"
        yield f"History variables: {', '.join(self._answers.history) or 'none'}"
        yield f"Answers posted: {self._casts}"
        for name, client in self._clients.items():
            yield f"{name}: {client.request.content}, for {client.until - self.time:.1f} s"
