"""``uLoadWatch``: warns of apps whose iterations are late.

It checks ``<APP>_ITER_GAP``: the time between two iterations divided by AppTick's period. In
lockstep
no app of this project posts it, as every app runs at its tick; how long the machine took is sent to
observers as ``<APP>_LOAD``. Apps of others, or in free run, may post it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from steerageway.apps.shared.limited import SHOWN, Limited
from steerageway.bus import App, Message, Options, declare, variables
from steerageway.declarations import Number, field_of
from steerageway.moos.values import by_key, trimmed

GAP, LENGTH = "_ITER_GAP", "_ITER_LEN"
ANY = "ANY"
REQUEST_INTERVAL, REQUESTED_FOR = 15.0, 20.0  # s


def _limit(text: str) -> tuple[str, float]:
    """Parse ``app=NAME,gapthresh=1.5``: the app, and its maximum gap."""
    fields = by_key(text)
    if not fields.get("app"):
        raise ValueError("expected app=NAME,gapthresh=NUMBER")
    return fields["app"], field_of(fields, "gapthresh", Number())


@dataclass(frozen=True)
class WatchOptions(Options):
    """Parameters of the configuration block."""

    thresh: tuple[tuple[str, float], ...] = declare.lines(
        _limit, "app=NAME,gapthresh=1.5: maximum gap [AppTick periods], > 1; or app=ANY"
    )
    near_breach_thresh: float = declare.number(
        0.9, "near-breach limit as a fraction of the way from 1 to gapthresh; at most 1", low=0
    )
    breach_trigger: int = declare.whole(1, "number of breaches of an app that are ignored", low=0)


@dataclass(slots=True)
class Load:
    """Load of an app.

    Attributes:
        name: as in the launch list.
        gap, length: maxima: time between iterations [AppTick periods], duration of an iteration
            [s].
        breaches, nears: number of breaches, and of near breaches.
    """

    name: str
    gap: float = 0.0
    length: float = 0.0
    breaches: int = 0
    nears: int = 0


class LoadWatch(App):
    """Warns of apps whose iterations are late."""

    publications = variables.published("""
        LOAD_WARNING | text | | | on each breach after the first `breach_trigger` |
            `app=pA,maxgap=2.1,node=abe`; pNodeReporter adds it to the next report
        ULW_BREACH | text | | `true`, `false` | once, when it happens | whether there was a breach
        ULW_BREACH_COUNT | number | | >= 0 | once, when it happens | number of breaches, without
            those ignored
        ULW_BREACH_LIST | text | | | when it happens | `pA,pB`: the apps with breaches
        ULW_NEAR_BREACH | text | | `true`, `false` | once, when it happens | whether there was a
            near breach
        ULW_NEAR_BREACH_COUNT | number | | >= 0 | once, when it happens | number of breaches and
            near breaches
        ULW_NEAR_BREACH_LIST | text | | | when it happens | the apps with near breaches
        LOADCAST_REQ | text | s | | each 15 s | `app=all,duration=20`: request to post gaps
    """)
    subscriptions = variables.subscribed("""
        *_ITER_GAP | number | | | time between two iterations of an app, in periods of its AppTick
        *_ITER_LEN | number | s | | duration of an iteration of an app
    """)
    parameters = WatchOptions.parameters()

    def configure(self) -> None:
        options = WatchOptions.read(self.config)
        self._limits: dict[str, float] = {}
        for app, limit in options.thresh:
            if limit > 1.0:
                self._limits.setdefault(app.upper(), limit)
            else:
                line = f"thresh = app={app},gapthresh={limit:g}"
                self.config_warning(f"{line}: is left out, 1 is no gap at all")
        near = options.near_breach_thresh
        self._near = min(near, 1.0)
        if near > 1.0:
            self.config_warning(f"near_breach_thresh = {near:g}: is more than 1, 1 counts")
        self._ignored_breaches = options.breach_trigger
        self._names = {name.upper(): name for name in self.setting.launch_list}
        self._loads = Limited[Load]()
        self._request_due = 0.0

    def on_start(self) -> None:
        """Register, and post that there are no breaches."""
        super().on_start()
        for kind in ("BREACH", "NEAR_BREACH"):
            self.post(f"ULW_{kind}", "false")
            self.post(f"ULW_{kind}_COUNT", 0.0)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Check gaps, and store the durations of iterations."""
        for message in mail:
            if not isinstance(message.value, float):
                continue
            app, _, kind = message.name.rpartition("_ITER_")
            try:
                load = self._loads.setdefault(app, Load(self._names.get(app, app)))
            except ValueError as error:
                self.run_warning(f"{message.name[:SHOWN]}: {error}")
                continue
            if kind == "LEN":
                load.length = max(load.length, message.value)
            else:
                load.gap = max(load.gap, message.value)
                self._judge(app, load, message.value)

    def _judge(self, app: str, load: Load, gap: float) -> None:
        limit = self._limits.get(app, self._limits.get(ANY))
        if limit is None or gap <= 1.0 + (limit - 1.0) * self._near:
            return
        load.nears += 1
        self._post_counts("NEAR_BREACH", {x.name: x.nears for x in self._loads.values()})
        if gap <= limit:
            return
        load.breaches += 1
        if load.breaches > self._ignored_breaches:
            counts = {x.name: x.breaches - self._ignored_breaches for x in self._loads.values()}
            self._post_counts("BREACH", counts)
            text = f"app={load.name},maxgap={trimmed(load.gap, 2)}"
            self.post("LOAD_WARNING", f"{text},node={self.community}")
            self.run_warning(f"{load.name} comes late to its iterations: gaps above {limit:g}")

    def _post_counts(self, kind: str, counts: dict[str, int]) -> None:
        late = {name: count for name, count in counts.items() if count > 0}
        self.post(f"ULW_{kind}", "true")
        self.post(f"ULW_{kind}_COUNT", float(sum(late.values())))
        self.post(f"ULW_{kind}_LIST", ",".join(late))

    def iterate(self) -> None:
        """Request gaps periodically."""
        if self.time >= self._request_due:
            self._request_due = self.time + REQUEST_INTERVAL
            self.post("LOADCAST_REQ", f"app=all,duration={REQUESTED_FOR:g}")

    def report(self) -> Iterable[str]:
        """Yield a line for each app that posts its gaps."""
        for load in self._loads.values():
            yield (
                f"{load.name}: greatest gap {load.gap:.2f}, longest {load.length:.3f} s, "
                f"too late {load.breaches} times, nearly {load.nears} times"
            )
        if not self._loads:
            yield "nobody posts its gaps; how long activations take: <APP>_LOAD, for observers"
