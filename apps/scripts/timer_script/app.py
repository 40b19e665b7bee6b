"""``uTimerScript``: posts the events of a script at their times.

The script's clock stops while it is paused, while a condition does not hold, and until the apps of
``block_on`` are connected. Random numbers are drawn from the app's own seeded generator.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import ClassVar

from steerageway.apps.scripts.timer_script.options import DB_START, ScriptOptions
from steerageway.apps.scripts.timer_script.script import COUNTS, Plan, Script
from steerageway.apps.scripts.timer_script.values import Key, drawn, named
from steerageway.bus import App, AtLaunch, Message, Value, variables
from steerageway.declarations import truth
from steerageway.diagnostics.nearest import hint
from steerageway.moos.values import fixed

STATUS_INTERVAL = 5.0  # s, without an event
EXITED, SILENT = "EXITED_NORMALLY", "silent"
_NAVIGATION = ("NAV_X", "NAV_Y")


class TimerScript(App):
    """Posts a script of events, with random numbers, pauses, conditions and resets."""

    last_wins = True
    keeps_quotes = True
    publications = variables.published("""
        UTS_STATUS | text | script s | | on change, each 5 s | `name=.., elapsed_time=2.00,
            posted=1, pending=5, ...`
        EXITED_NORMALLY | text | | name of an app | at its `quit` | `uTimerScript`: the script has
            reached its `quit`
    """)
    subscriptions = variables.subscribed("""
        UTS_FORWARD | number | script s | | script seconds to skip; 0 or less: to the next event
        UTS_RESET | text | | | `true` or `reset`: reset the script
        UTS_PAUSE | text | | | `true`, `false` or `toggle`: pause the script's clock
    """)
    subscribes: ClassVar[Sequence[str]] = (
        *("UTS_FORWARD", "UTS_RESET", "UTS_PAUSE", "DB_CLIENTS"),
        *_NAVIGATION,
    )
    parameters = ScriptOptions.parameters()

    def configure(self) -> None:
        """Read the script."""
        options = ScriptOptions.read(self.config)
        plan = options.plan()
        self._script = Script(plan, self.random())
        self._counts_all_time = options.time_zero == DB_START
        self._conditions = options.condition
        self.at_launch = AtLaunch(holds_for=options.block_on)
        self._awaited = {name for name, _ in options.block_on}
        self._controls = {
            options.forward_var: self._skip,
            options.reset_var: self._reset,
            options.pause_var: self._pause,
        }
        self._report_to = options.status_var
        self._values: dict[str, Value] = {}
        self._reported: tuple[int, int, bool, bool, bool] | None = None
        self._report_due = 0.0
        variables = (event.variable for event in plan.events if event.variable)
        quits = (EXITED,) if any(not event.variable for event in plan.events) else ()
        self.publishes = tuple(dict.fromkeys((*variables, self._report_to, *quits)))
        if not plan.events:
            self.config_warning("there is no event: nothing but the status is posted")
        self._warn_of_macros(plan)

    def on_start(self) -> None:
        """Register; the script's clock starts."""
        self._then = 0.0 if self._counts_all_time else self.time
        variables = [*self._controls, *_NAVIGATION]
        variables += [name for condition in self._conditions for name in condition.variables]
        if self._awaited:
            variables.append("DB_CLIENTS")
        self.register(*dict.fromkeys(variables))

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Execute commands; store the values of conditions and macros."""
        for message in mail:
            control = self._controls.get(message.name)
            if control is not None:
                control(message.value)
            elif message.name == "DB_CLIENTS" and self._awaited:
                self._awaited -= set(str(message.value).split(","))
                self._then = 0.0 if self._counts_all_time else self.time
            self._values[message.name] = message.value

    def iterate(self) -> None:
        """Post the events that are due, and the status."""
        if not self._awaited:
            self._advance()
        self._report()

    def report(self) -> Iterable[str]:
        """Yield the script's state, and the apps it waits for."""
        yield self._script.status()
        if self._awaited:
            yield f"waits for {', '.join(sorted(self._awaited))}"

    def _skip(self, value: Value) -> None:
        if isinstance(value, float):
            self._script.forward(value)
        else:
            self.run_warning(f"to skip ahead takes a number of seconds, not {value!r}")

    def _reset(self, value: Value) -> None:
        if str(value).lower() in ("reset", "true"):
            self._script.reset()
        else:
            self.run_warning(f"to reset the script takes reset or true, not {value!r}")

    def _pause(self, value: Value) -> None:
        word = str(value).lower()
        paused = not self._script.paused if word == "toggle" else truth(word)
        if paused is None:
            self.run_warning(f"to pause the script takes true, false or toggle, not {value!r}")
        else:
            self._script.paused = paused

    def _advance(self) -> None:
        """Advance the script by the time since the last call, and post its events."""
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
        """Warn of macros in events that have no definition."""
        defined = drawn(plan.draws, Key, Random(0))
        known = (*defined, *COUNTS, *_NAVIGATION, *self._macros())
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
