"""Life cycle of a behavior: idle, running, active, disabled, completed, with flags and duration.

The order of flags and hooks in an iteration is that of MOOS-IvP; missions depend on it.
"""

from __future__ import annotations

from math import floor
from pathlib import Path

from steerageway.helm.behaviors.base import AnyBehavior, BehaviorError
from steerageway.helm.readers import Trigger
from steerageway.helm.settings import CommonSettings
from steerageway.ivp import Function

IDLE, RUNNING, ACTIVE = "idle", "running", "active"
DISABLED, COMPLETED = "disabled", "completed"
_NOT_RUNNING = (IDLE, DISABLED)
_BEFORE_RUNNING = ("", *_NOT_RUNNING)


def live(behavior: AnyBehavior) -> Function | None:
    """Run one iteration of a behavior; return its objective function if it is active.

    Raises:
        BehaviorError: it failed.
    """
    before = behavior.state
    if not before:
        behavior.post_flags(behavior.settings.spawnflag if behavior.spawned else ())
        behavior.post_flags(behavior.settings.configflag)
    _reset_duration(behavior)
    state = _next_state(behavior)
    behavior.on_every_state()
    function = None
    if state == COMPLETED:
        behavior.on_complete()
        behavior.withdraw()
    elif state in _NOT_RUNNING:
        _idle(behavior, before, state)
    else:
        function = _run(behavior, before)
        state = ACTIVE if function else RUNNING
    if not before:
        behavior.post_flags(behavior.settings.spawnxflag)
    if state != before:
        behavior.since = behavior.world.utc
    behavior.state = state
    return function


def _next_state(behavior: AnyBehavior) -> str:
    settings = behavior.settings
    if behavior.completed:
        return COMPLETED
    if behavior.disabled:
        return DISABLED
    if not behavior.run_conditions.hold(settings.condition):
        return IDLE
    if settings.duration >= 0 and _update_duration(behavior, settings) and behavior.completed:
        return COMPLETED
    _check_starvation(behavior)
    return RUNNING


def _update_duration(behavior: AnyBehavior, settings: CommonSettings) -> bool:
    """Update the duration, and complete the behavior at its end; return whether it ended."""
    duration = behavior.duration
    # a perpetual behavior that completed starts a new duration
    if duration.ended:
        duration.reset()
    left = duration.remaining(
        settings.duration, behavior.world.time, idle_decay=settings.duration_idle_decay
    )
    if settings.duration_status:
        behavior.post(settings.duration_status, left if left <= 10.0 else float(floor(left + 0.5)))
    if left > 0:
        return False
    duration.ended = True
    behavior.complete()
    return True


def _reset_duration(behavior: AnyBehavior) -> None:
    """Restart the duration if its trigger was received since the last call."""
    trigger: Trigger | None = behavior.settings.duration_reset
    if trigger is None:
        return
    world, duration = behavior.world, behavior.duration
    received = world.received.get(trigger.variable)
    if received is None or received == duration.triggered:
        return
    value = world.values[trigger.variable]
    same = value == trigger.text if isinstance(value, str) else _equals(value, trigger.text)
    if same or not trigger.text:
        duration.triggered = received
        duration.reset()
        if behavior.settings.duration_status:
            behavior.post(behavior.settings.duration_status, behavior.settings.duration)


def _equals(value: float, text: str) -> bool:
    try:
        return value == float(text)
    except ValueError:
        return False


def _check_starvation(behavior: AnyBehavior) -> None:
    for variables, limit in behavior.settings.nostarve:
        for name in variables:
            age = behavior.world.age(name)
            if age is None or age > limit:
                news = "never heard" if age is None else f"last heard {age:g} s ago"
                raise BehaviorError(f"{name} is {news}, nostarve allows {limit:g} s")


def _idle(behavior: AnyBehavior, before: str, state: str) -> None:
    settings = behavior.settings
    # a behavior that becomes disabled posts no idleflag
    if state == IDLE != before:
        behavior.post_flags(settings.idleflag)
    if before not in _NOT_RUNNING:
        behavior.post_flags(settings.inactiveflag)
    if before in (RUNNING, ACTIVE):
        behavior.on_run_to_idle()
        behavior.withdraw()
    behavior.on_idle()
    behavior.duration.pass_time(behavior.world.time, running=False)


def _check_type(behavior: AnyBehavior, found: object) -> None:
    """Check the result of ``run``.

    Raises:
        BehaviorError: it is no objective function; names file and line of the behavior's ``run``.
    """
    if isinstance(found, Function):
        return
    code = type(behavior).run.__code__
    raise BehaviorError(
        f"run gave {found!r:.80}: expected an objective, as ivp.peak makes one, or None"
        f" ({Path(code.co_filename).name}:{code.co_firstlineno})"
    )


def _run(behavior: AnyBehavior, before: str) -> Function | None:
    settings = behavior.settings
    if before in _BEFORE_RUNNING:
        behavior.post_flags(settings.runflag)
    behavior.post_flags(settings.runxflag)
    if before in _NOT_RUNNING:
        behavior.on_idle_to_run()
    function = behavior.run()
    if function is not None:
        _check_type(behavior, function)
        weight = settings.pwt * function.weight
        # with weight 0 it runs, but is not active
        function = function.weighing(weight) if weight > 0 else None
    if function is not None and before != ACTIVE:
        behavior.post_flags(settings.activeflag)
    if function is None and before == ACTIVE:
        behavior.post_flags(settings.inactiveflag)
    behavior.duration.pass_time(behavior.world.time, running=True)
    return function
