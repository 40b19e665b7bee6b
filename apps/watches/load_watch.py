"""``uLoadWatch``: warns of apps that come too late to their iterations.

It judges what is posted as ``<APP>_ITER_GAP``: time between two iterations by what AppTick asks
for. In lockstep nobody of this project posts one, since every app comes on its tick: how long the
machine took is told to observers, as ``<APP>_LOAD``. Apps of others, or in free run, may.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from steerageway.bus import App, Config, Entry, Message, Parameter, variables
from steerageway.moos.values import by_key, is_number, trimmed

GAP, LENGTH = "_ITER_GAP", "_ITER_LEN"
ANY = "ANY"
REQUEST_INTERVAL, REQUESTED_FOR = 15.0, 20.0  # s


@dataclass(slots=True)
class Load:
    """What is known of an app.

    Attributes:
        name: as the launch list spells it.
        gap, length: greatest so far: time between iterations by AppTick's; of one [s].
        breaches, nears: how often a gap was too long, or at least nearly.
    """

    name: str
    gap: float = 0.0
    length: float = 0.0
    breaches: int = 0
    nears: int = 0


class LoadWatch(App):
    """A watch over apps that come late."""

    publications = (
        variables.text(
            "LOAD_WARNING",
            "`app=pA,maxgap=2.1,node=abe`; pNodeReporter tells it in the next report",
            when="on each gap that is too long, from the `breach_trigger`-th on",
        ),
        variables.text(
            "ULW_BREACH",
            "whether a gap was ever too long",
            range="`true`, `false`",
            when="once, when it happens",
        ),
        variables.number(
            "ULW_BREACH_COUNT",
            "gaps that were too long so far, those forgiven left out",
            range="> 0",
            when="when it happens",
        ),
        variables.text("ULW_BREACH_LIST", "`pA,pB`: the apps they are of", when="when it happens"),
        variables.text(
            "ULW_NEAR_BREACH",
            "whether a gap was ever nearly too long",
            range="`true`, `false`",
            when="once, when it happens",
        ),
        variables.number(
            "ULW_NEAR_BREACH_COUNT",
            "gaps that were too long so far, or nearly",
            range="> 0",
            when="when it happens",
        ),
        variables.text("ULW_NEAR_BREACH_LIST", "the apps they are of", when="when it happens"),
        variables.text(
            "LOADCAST_REQ",
            "`app=all,duration=20`: have apps post their gaps",
            unit="s",
            when="each 15 s",
        ),
    )
    publishes: Sequence[str] = variables.names(publications)
    subscriptions = (
        variables.heard(
            "*_ITER_GAP",
            what="time between two iterations of an app, by what its AppTick asks for",
            kind="number",
        ),
        variables.heard(
            "*_ITER_LEN", what="how long an iteration of an app took", kind="number", unit="s"
        ),
    )
    subscribes = (f"*{GAP}", f"*{LENGTH}")
    parameters: ClassVar[Sequence[Parameter]] = (
        Parameter("thresh", "", "app=NAME,gapthresh=1.5: longest gap, > 1; or app=ANY; repeatable"),
        Parameter(
            "near_breach_thresh",
            "0.9",
            "share of the way from 1 to it that is nearly too long, 0 to 1",
        ),
        Parameter("breach_trigger", "1", "so many gaps of an app that are too long are forgiven"),
    )

    def configure(self) -> None:
        """Read the block."""
        config = self.config
        self._limits: dict[str, float] = {}
        for entry in config.all("thresh"):
            app, limit = _limit(entry)
            if limit > 1.0:
                self._limits.setdefault(app, limit)
            else:
                self.config_warning(f"thresh = {entry.value}: is left out, 1 is no gap at all")
        near = config.number("near_breach_thresh", default=0.9, low=0.0)
        self._near = min(near, 1.0)
        if near > 1.0:
            self.config_warning(f"near_breach_thresh = {near:g}: is more than 1, 1 counts")
        self._forgiven = config.whole("breach_trigger", default=1, low=0)
        self._spelt = {name.upper(): name for name in self.setting.launch_list}
        self._loads: dict[str, Load] = {}
        self._request_due = 0.0

    def on_start(self) -> None:
        """Register, and say that nothing is late."""
        self.register(*self.subscribes)
        for kind in ("BREACH", "NEAR_BREACH"):
            self.post(f"ULW_{kind}", "false")

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Judge gaps, and remember how long iterations took."""
        for message in mail:
            if not isinstance(message.value, float):
                continue
            app, _, kind = message.name.rpartition("_ITER_")
            load = self._loads.setdefault(app, Load(self._spelt.get(app, app)))
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
        if load.breaches > self._forgiven:
            counts = {x.name: x.breaches - self._forgiven for x in self._loads.values()}
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
        """Ask apps from time to time to tell of themselves."""
        if self.time >= self._request_due:
            self._request_due = self.time + REQUEST_INTERVAL
            self.post("LOADCAST_REQ", f"app=all,duration={REQUESTED_FOR:g}")

    def report(self) -> Iterable[str]:
        """Tell of each app that posts its gaps."""
        for load in self._loads.values():
            yield (
                f"{load.name}: greatest gap {load.gap:.2f}, longest {load.length:.3f} s, "
                f"too late {load.breaches} times, nearly {load.nears} times"
            )
        if not self._loads:
            yield "nobody posts its gaps; how long activations take: <APP>_LOAD, for observers"


def _limit(entry: Entry) -> tuple[str, float]:
    fields = by_key(entry.value)
    app, limit = fields.get("app", ""), fields.get("gapthresh", "")
    if not app or not is_number(limit):
        raise Config.error(entry, "expected app=NAME,gapthresh=NUMBER with a number above 1")
    return app.upper(), float(limit)


if __name__ == "__main__":
    from steerageway.apps.framework.shell import main

    main(LoadWatch)
