"""The parameters of ``uTimerScript``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from steerageway.apps.scripts.timer_script.draws import Draw
from steerageway.apps.scripts.timer_script.reading import (
    parse_delay,
    parse_events,
    parse_number_draw,
    parse_place_draw,
    parse_reset_max,
    parse_reset_time,
    parse_warp,
)
from steerageway.apps.scripts.timer_script.script import Awake, Event, Plan, Range
from steerageway.apps.shared.block_readers import parse_variable
from steerageway.apps.shared.conditions import read_conditions
from steerageway.bus import Config, Entry, Options, declare
from steerageway.moos.condition import Condition

SCRIPT_START, DB_START = "script_start", "db_start"


def read_block_on(config: Config, names: Sequence[str]) -> list[tuple[str, Entry]]:
    """Read the names of apps, each with its line."""
    return [
        (name.strip(), line)
        for line in config.all(*names)
        for name in line.value.replace(":", ",").split(",")
        if name.strip()
    ]


@dataclass(frozen=True)
class ScriptOptions(Options):
    """Parameters of the configuration block."""

    event: tuple[list[Event], ...] = declare.lines(
        parse_events, "var=NAME,val=VALUE,time=T or T1:T2[,amt=N]; quit[,time=T]"
    )
    rand_var: tuple[Draw, ...] = declare.lines(
        parse_number_draw,
        "varname=X,min=A,max=B[,key=at_start|at_reset|at_post][,snap=S]",
        aliases=("randvar",),
    )
    rand_pair: tuple[Draw, ...] = declare.lines(
        parse_place_draw, "var1=X,var2=Y,type=poly,poly=POLYGON[,key=...]", aliases=("randpair",)
    )
    paused: bool = declare.flag(False, "true: start paused")
    condition: list[Condition] = declare.custom(
        read_conditions, "condition without which the script's clock stops; repeatable"
    )
    script_atomic: bool = declare.flag(
        False, "true: once started, conditions and pauses do not stop it"
    )
    reset_max: float = declare.value("any", parse_reset_max, "maximum number of resets; or any")
    reset_time: float | None = declare.value(
        "none", parse_reset_time, "when it resets itself: none, all-posted, or script time [s], > 0"
    )
    shuffle: bool = declare.flag(True, "redraw the times of events at each reset")
    delay_start: Range = declare.value(
        "0", parse_delay, "delay of the events [script s], or a range"
    )
    delay_reset: Range = declare.value(
        "0", parse_delay, "delay of the events after a reset [script s], or a range"
    )
    time_warp: Range = declare.value(
        "1", parse_warp, "script seconds per simulated second, or a range, > 0"
    )
    time_zero: str = declare.choice(
        SCRIPT_START, {SCRIPT_START: "", DB_START: ""}, "start of its clock"
    )
    upon_awake: str = declare.choice(
        Awake.NOTHING, {word.value: "" for word in Awake}, "action when conditions hold again"
    )
    block_on: list[tuple[str, Entry]] = declare.custom(
        read_block_on, "apps that must be connected before it starts; repeatable"
    )
    script_name: str = declare.text("unnamed", "name in the status")
    forward_var: str = declare.value(
        "UTS_FORWARD",
        parse_variable,
        "variable to skip script seconds; 0 or less: to the next event",
        aliases=("forward_variable",),
    )
    reset_var: str = declare.value(
        "UTS_RESET",
        parse_variable,
        "variable to reset it by true or reset",
        aliases=("reset_variable",),
    )
    pause_var: str = declare.value(
        "UTS_PAUSE",
        parse_variable,
        "variable to pause it by true, false or toggle",
        aliases=("pause_variable",),
    )
    status_var: str = declare.text("UTS_STATUS", "variable of its status; or silent")
    verbose: bool = declare.flag(True, "accepted and without effect: there is no terminal")

    def plan(self) -> Plan:
        """Return the script."""
        return Plan(
            name=self.script_name,
            events=list(chain(*self.event)),
            draws=(*self.rand_var, *self.rand_pair),
            paused=self.paused,
            atomic=self.script_atomic,
            reset_max=self.reset_max,
            reset_time=self.reset_time,
            shuffle=self.shuffle,
            delay_start=self.delay_start,
            delay_reset=self.delay_reset,
            warp=self.time_warp,
            upon_awake=Awake(self.upon_awake),
        )
