"""``uTimerScript``: posts what a script says, when it says so.

The script's clock stands still while it is paused, while a condition does not hold, and until the
apps it waits for are there. What happens at random is drawn from the app's own seeded generator.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import ClassVar

from steerageway.apps.framework.block_readers import variable_in
from steerageway.apps.framework.conditions import read_conditions
from steerageway.apps.scripts.timer_script.draws import Key, drawn
from steerageway.apps.scripts.timer_script.reading import read_plan
from steerageway.apps.scripts.timer_script.script import COUNTS, Plan, Script
from steerageway.apps.scripts.timer_script.values import named
from steerageway.apps.scripts.timer_script.variables import PUBLICATIONS, SUBSCRIPTIONS
from steerageway.bus import App, AtLaunch, Message, Parameter, Value, variables
from steerageway.diagnostics.nearest import hint
from steerageway.moos.values import fixed, truth

STATUS_INTERVAL = 5.0  # s, where nothing happens in between
EXITED, SILENT = "EXITED_NORMALLY", "silent"
_NAVIGATION = ("NAV_X", "NAV_Y")
_ZEROS = ("script_start", "db_start")


class TimerScript(App):
    """A script of posts, each at its time, with random numbers, pauses, conditions and resets."""

    last_wins = True
    keeps_quotes = True
    publications = PUBLICATIONS
    publishes: Sequence[str] = variables.names(publications)
    subscriptions = SUBSCRIPTIONS
    subscribes: ClassVar[Sequence[str]] = (
        *("UTS_FORWARD", "UTS_RESET", "UTS_PAUSE", "DB_CLIENTS"),
        *_NAVIGATION,
    )
    parameters: ClassVar[Sequence[Parameter]] = (
        Parameter("event", "", "var=NAME,val=VALUE,time=T or T1:T2[,amt=N]; quit[,time=T]"),
        Parameter("rand_var", "", "varname=X,min=A,max=B[,key=at_start|at_reset|at_post][,snap=S]"),
        Parameter("rand_pair", "", "var1=X,var2=Y,type=poly,poly=POLYGON[,key=...]"),
        Parameter("paused", "false", "true: begin only when told"),
        Parameter("condition", "", "hold the script while this does not hold; repeatable"),
        Parameter(
            "script_atomic", "false", "true: once begun, neither condition nor pause holds it"
        ),
        Parameter("reset_max", "any", "how many resets there may be: a number, or any"),
        Parameter("reset_time", "none", "when it resets itself: none, all-posted, or seconds, > 0"),
        Parameter("shuffle", "true", "draw the times of events anew at each reset"),
        Parameter("delay_start", "0", "script seconds, or a range, by which its events are late"),
        Parameter("delay_reset", "0", "the same after a reset"),
        Parameter("time_warp", "1", "script seconds a second, or a range of them, > 0"),
        Parameter("time_zero", "script_start", "when its clock began: script_start or db_start"),
        Parameter("upon_awake", "n/a", "when conditions hold again: n/a, reset or restart"),
        Parameter("block_on", "", "apps that must be there before it begins; repeatable"),
        Parameter("script_name", "unnamed", "for the status"),
        Parameter("forward_var", "UTS_FORWARD", "a number: skip seconds; not above 0: to the next"),
        Parameter("reset_var", "UTS_RESET", "true or reset: reset it"),
        Parameter("pause_var", "UTS_PAUSE", "true, false or toggle"),
        Parameter("status_var", "UTS_STATUS", "where its status is posted; or silent"),
        Parameter("verbose", "true", "accepted and without effect: there is no terminal"),
    )

    def configure(self) -> None:
        """Read the script."""
        config = self.config
        config.flag("verbose", default=True)
        plan = read_plan(config)
        self._script = Script(plan, self.random())
        zero = config.choice("time_zero", default="script_start", among=_ZEROS)
        self._counts_all_time = zero == "db_start"
        self._conditions = read_conditions(config)
        holds_for = [
            (name.strip(), line)
            for line in config.all("block_on")
            for name in line.value.replace(":", ",").split(",")
            if name.strip()
        ]
        self.at_launch = AtLaunch(holds_for=holds_for)
        self._awaited = {name for name, _ in holds_for}
        self._controls = {
            self._control("forward"): self._skip,
            self._control("reset"): self._go_back,
            self._control("pause"): self._hold,
        }
        self._report_to = config.text("status_var", default="UTS_STATUS")
        self._values: dict[str, Value] = {}
        self._reported: tuple[int, int, bool, bool, bool] | None = None
        self._report_due = 0.0
        variables = (event.variable for event in plan.events if event.variable)
        quits = (EXITED,) if any(not event.variable for event in plan.events) else ()
        self.publishes = tuple(dict.fromkeys((*variables, self._report_to, *quits)))
        if not plan.events:
            self.config_warning("there is no event: nothing but the status is posted")
        self._warn_of_macros(plan)

    def _control(self, what: str) -> str:
        """Give the variable of a command; ``.._variable`` is the older spelling of ``.._var``."""
        entry = self.config.entry(f"{what}_var", f"{what}_variable")
        return variable_in(entry) if entry else f"UTS_{what.upper()}"

    def on_start(self) -> None:
        """Register; the script's clock starts."""
        self._then = 0.0 if self._counts_all_time else self.time
        variables = [*self._controls, *_NAVIGATION]
        variables += [name for condition in self._conditions for name in condition.variables]
        if self._awaited:
            variables.append("DB_CLIENTS")
        self.register(*dict.fromkeys(variables))

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Obey commands; remember what conditions and macros are about."""
        for message in mail:
            control = self._controls.get(message.name)
            if control is not None:
                control(message.value)
            elif message.name == "DB_CLIENTS" and self._awaited:
                self._awaited -= set(str(message.value).split(","))
                self._then = 0.0 if self._counts_all_time else self.time
            self._values[message.name] = message.value

    def iterate(self) -> None:
        """Post what has become due, and the status."""
        if not self._awaited:
            self._run_on()
        self._report()

    def report(self) -> Iterable[str]:
        """Give the script's state and what comes next."""
        yield self._script.status()
        if self._awaited:
            yield f"waits for {', '.join(sorted(self._awaited))}"

    def _skip(self, value: Value) -> None:
        if isinstance(value, float):
            self._script.forward(value)
        else:
            self.run_warning(f"to skip ahead takes a number of seconds, not {value!r}")

    def _go_back(self, value: Value) -> None:
        if str(value).lower() in ("reset", "true"):
            self._script.reset()
        else:
            self.run_warning(f"to reset the script takes reset or true, not {value!r}")

    def _hold(self, value: Value) -> None:
        word = str(value).lower()
        wanted = not self._script.paused if word == "toggle" else truth(word)
        if wanted is None:
            self.run_warning(f"to pause the script takes true, false or toggle, not {value!r}")
        else:
            self._script.paused = wanted

    def _run_on(self) -> None:
        """Let the script have the time since it last ran, and post what it says."""
        since, self._then = self._then, self.time
        self._script.wake(all(c.holds(self._values.get, self.utc) for c in self._conditions))
        over = self._script.over
        for name, value in self._script.advance(self.time - since, self._macros()):
            self.post(name, value)
        if self._script.over and not over:
            self.post(EXITED, self.name)
            self.event("the script has come to its quit")

    def _macros(self) -> dict[str, str]:
        utc = fixed(self.utc, 2)
        known = {"DBTIME": fixed(self.time, 2), "UTC": utc, "UTCTIME": utc, "VNAME": self.community}
        for name in _NAVIGATION:
            value = self._values.get(name)
            if isinstance(value, float):
                known[name] = fixed(value, 2)
        return known

    def _warn_of_macros(self, plan: Plan) -> None:
        """Tell of macros in events that nothing is put in the place of."""
        drawn_ever = drawn(plan.draws, Key, Random(0))
        known = (*drawn_ever, *COUNTS, *_NAVIGATION, *self._macros())
        for name in dict.fromkeys(name for event in plan.events for name in named(event.text)):
            if name not in known:
                problem = f"stays as it is: no rand_var or rand_pair has it{hint(name, known)}"
                self.config_warning(f"$[{name}] in an event {problem}")

    def _report(self) -> None:
        """Post the status when something happened, and every few seconds."""
        if self._report_to.lower() == SILENT:
            return
        script = self._script
        state = script.total, script.resets, script.paused, script.awake, script.over
        if state == self._reported and (script.over or self.time < self._report_due):
            return
        self._reported, self._report_due = state, self.time + STATUS_INTERVAL
        self.post(self._report_to, script.status())
