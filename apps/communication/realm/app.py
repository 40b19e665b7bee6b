"""``pRealm``: shows a person what any process hears and says.

It lists the processes (REALMCAST_CHANNELS) and, while somebody asks (REALMCAST_REQ), posts one
process's variables as a table (REALMCAST) or some variables one by one (WATCHCAST). It listens to
variables only while they are asked for; ``hist_var`` and ``scope_set`` are listened to throughout.
Appcasts pass between a process and its observers without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf

from steerageway.apps.communication.realm.answers import Answers, cast, read_sets
from steerageway.apps.communication.realm.request import BadRequest, Request, parse_request
from steerageway.apps.communication.realm.roster import Roster
from steerageway.apps.communication.realm.table import Style
from steerageway.apps.communication.realm.variables import PUBLICATIONS, SUBSCRIPTIONS
from steerageway.bus import App, Message, Parameter, variables

FIRST_MINUTE = 60.0
EARLY_INTERVAL = 0.5
UNCHANGED = 10
OWN = ("DB_RWSUMMARY", "REALMCAST_REQ")


@dataclass(slots=True)
class Client:
    """Somebody who asks.

    Attributes:
        request: what for; until: when to stop answering [s]; fresh: whether it has just come.
        sent: variable -> time of what was told last [s].
    """

    request: Request
    until: float = -inf
    fresh: bool = True
    sent: dict[str, float] = field(default_factory=dict)


class Realm(App):
    """The window onto a community's processes."""

    keeps_quotes = True
    may_lag = True
    publications = PUBLICATIONS
    publishes: Sequence[str] = variables.names(publications)
    subscriptions = SUBSCRIPTIONS
    subscribes = (*OWN, "what is asked for, and what hist_var and scope_set name")
    parameters = (
        Parameter("relcast_interval", "0.8", "time between answers [s], 0.4 to 15"),
        Parameter("summary_interval", "5", "time between lists of processes [s], 1 to 10"),
        Parameter("wrap_length", "90", "characters in a line of a wrapped value, > 0"),
        Parameter("trunc_length", "270", "characters of a truncated value, > 0"),
        Parameter("msg_max_hist", "10", "messages remembered of a history variable, > 0"),
        Parameter("msg_max_history", "10", "another name of msg_max_hist"),
        Parameter("hist_var", "", "variable whose history is a channel; repeatable"),
        Parameter("scope_set", "", "name=N,vars=A:B: histories as one channel; repeatable"),
    )

    def configure(self) -> None:
        """Read the block."""
        config = self.config
        self._interval = config.number("relcast_interval", default=0.8, low=0.4, high=15.0)
        self._list_interval = config.number("summary_interval", default=5.0, low=1.0, high=10.0)
        wrap = config.whole("wrap_length", default=90, low=1)
        trunc = config.whole("trunc_length", default=270, low=1)
        length = config.whole("msg_max_hist", "msg_max_history", default=10, low=1)
        self._sets = read_sets(config)
        self._roster = Roster(f"MOOSDB_{self.community}")
        style = Style(wrap, trunc, self.setting.epoch)
        self._answers = Answers(self.community, self._roster, self._sets, style, length)
        self._clients: dict[str, Client] = {}
        self._listening: dict[str, None] = {}
        self._casts = 0
        self._started = 0.0
        self._listed = self._cast = -inf
        self._list = ""
        self._roster_changed = False

    def on_start(self) -> None:
        """Register."""
        self._started = self.time
        self.register(*OWN, *self._answers.history)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take requests, the list of processes, and what is asked for."""
        for message in mail:
            name = message.name
            if name == "REALMCAST_REQ":
                self._take_request(str(message.value))
            elif name == "DB_RWSUMMARY" and self._roster.update(str(message.value)):
                self._roster_changed = True
                self._listen()
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
            self._clients[request.client] = client
            self._listen()
        client.until = self.time + request.duration

    def _asked_for(self, request: Request) -> tuple[str, ...]:
        """Give the variables an answer shows."""
        if not request.channel:
            return request.variables
        subscribed = (
            self._roster.subscribed.get(request.channel, ()) if request.subscriptions else ()
        )
        return (*subscribed, *self._roster.published.get(request.channel, ()))

    def _listen(self) -> None:
        """Listen to what anybody asks for, and to nothing else."""
        always = {*OWN, *self._answers.history}
        wanted = dict.fromkeys(
            name
            for client in self._clients.values()
            for name in self._asked_for(client.request)
            if name not in always
        )
        self.unregister(*(name for name in self._listening if name not in wanted))
        self.register(*(name for name in wanted if name not in self._listening))
        self._listening = wanted

    def iterate(self) -> None:
        """Answer who asks, and list the processes."""
        if self._clients:
            self._answer()
        self._list_channels()

    def _answer(self) -> None:
        self._drop_expired()
        if self.time - self._cast < self._interval:
            return
        for client in self._clients.values():
            if client.fresh:
                client.fresh = False  # what it asked for comes with the next mail
                continue
            self._cast = self.time
            if client.request.channel:
                lines = self._answers.table(client.request, self._started)
                self.post("REALMCAST", cast(self.community, client.request.channel, lines))
                self._casts += 1
            else:
                self._post_variables(client)

    def _drop_expired(self) -> None:
        live = {name: c for name, c in self._clients.items() if c.until > self.time}
        if len(live) < len(self._clients):
            self._clients = live
            self._listen()

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
        """Post the list at once when somebody is new, seldom while it is the same."""
        early = self.time - self._started < FIRST_MINUTE
        interval = EARLY_INTERVAL if early else self._list_interval
        due = self.time - self._listed >= UNCHANGED * interval
        if not due and not self._roster_changed:
            return
        self._roster_changed = False
        channels = ",".join([*self._roster.channels(), *sorted(self._sets)])
        if due or channels != self._list:
            self._list, self._listed = channels, self.time
            self.post("REALMCAST_CHANNELS", f"node={self.community}#channels={channels}")

    def report(self) -> Iterable[str]:
        """Give the processes and who asks for what."""
        yield f"Known processes: {', '.join(self._roster.channels())}"
        yield f"History variables: {', '.join(self._answers.history) or 'none'}"
        yield f"Answers posted: {self._casts}"
        for name, client in self._clients.items():
            yield f"{name}: {client.request.content}, for {client.until - self.time:.1f} s"
