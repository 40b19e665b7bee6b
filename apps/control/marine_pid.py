"""``pMarinePIDV22``: PID control of heading, speed and depth.

It is in control after ``MOOS_MANUAL_OVERRIDE = false``, once it has received desired and navigation
values since then, and while none of them is stale.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

from steerageway.apps.control.pid_app import OVERRIDES, SUBSCRIBED, PidApp
from steerageway.apps.shared import heard, pid_posts
from steerageway.apps.shared.pid_config import PidOptions, lacking
from steerageway.apps.shared.pid_posts import NARRATION, OUTPUTS, narration, override
from steerageway.bus import declare, variables
from steerageway.declarations import finite, truth
from steerageway.moos.values import trimmed
from steerageway.vessel.bounds import bounded
from steerageway.vessel.pid import Gains, PidEngine

PUBLICATIONS = (
    *OUTPUTS,
    *variables.published("""
        DESIRED_RUDDER* | number | as above | [-100, 100] | with `output_suffix` | rudder
        DESIRED_THRUST* | number | as above | [0, 100] | with `output_suffix` | thrust
        DESIRED_ELEVATOR* | number | as above | [-100, 100] | with `output_suffix` | elevator
        PID_HAS_CONTROL | text | | `true`, `false` | on each override `false`; on losing control by
            `true` | whether it is in control
    """),
)

LEAST_CAP, GREATEST_CAP = 20.0, 100.0


@dataclass(frozen=True)
class MarinePidOptions(PidOptions):
    """Parameters of the configuration block."""

    ignore_nav_yaw: bool = declare.flag(False, "true: the heading comes from NAV_HEADING alone")
    verbose: bool = declare.flag(
        True, "false: the appcast leaves gains and limits out", aliases=("pid_verbose",)
    )
    enable_thrust_cap: bool = declare.flag(False, "true: PID_THRUST_CAP bounds the thrust")
    output_suffix: str = declare.text("", "upper-cased and appended to the names of the outputs")
    active_start: bool = declare.flag(False, "superseded: true only raises a config warning")


class MarinePid(PidApp):
    """Turns DESIRED_HEADING, _SPEED and _DEPTH into rudder, thrust and elevator commands."""

    last_wins = True
    publications = (*PUBLICATIONS, *pid_posts.PUBLICATIONS)
    publishes: Sequence[str] = (
        "DESIRED_RUDDER*",
        "DESIRED_THRUST*",
        "DESIRED_ELEVATOR*",
        "PID_HAS_CONTROL",
        *NARRATION,
    )
    subscriptions = (
        heard.MOOS_MANUAL_OVERRIDE,
        heard.MOOS_MANUAL_OVERIDE,
        heard.SPEED_FACTOR,
        *variables.subscribed("""
            PID_THRUST_CAP | number | %, [20, 100] | | thrust limit, with `enable_thrust_cap`
        """),
        heard.PID_VERBOSE,
    )
    subscribes = (*SUBSCRIBED, "PID_THRUST_CAP")
    parameters = MarinePidOptions.parameters()

    def configure(self) -> None:
        options = MarinePidOptions.read(self.config)
        self.engine: PidEngine = PidEngine(options.pid)
        self.ignores_yaw = options.ignore_nav_yaw
        self._debug = options.debug
        self._explains = any(self._debug)
        self._verbose, self._capped = options.verbose, options.enable_thrust_cap
        self._cap = GREATEST_CAP
        self._stopped = self._steered = False
        if options.active_start:
            self.config_warning("active_start has no effect; post MOOS_MANUAL_OVERRIDE = false")
        for text in lacking(self.engine.parameters):
            self.config_warning(text, self.config.where)
        self._name_outputs(options.output_suffix.upper())

    def _name_outputs(self, suffix: str) -> None:
        self._rudder_name = f"DESIRED_RUDDER{suffix}"
        self._thrust_name = f"DESIRED_THRUST{suffix}"
        self._elevator_name = f"DESIRED_ELEVATOR{suffix}"
        self._dives = self.engine.parameters.depth_control
        outputs = [self._rudder_name, self._thrust_name]
        if self._dives:
            outputs.append(self._elevator_name)
        self.publishes = (*outputs, "PID_HAS_CONTROL", *NARRATION)

    def on_start(self) -> None:
        super().on_start()
        if self._capped:
            self.register("PID_THRUST_CAP")

    def obey(self, name: str, text: str) -> None:
        """Process an override, a thrust cap or PID_VERBOSE."""
        if name in OVERRIDES:
            first = self.engine.overridden and not self._steered
            heard = self.orders() if first else ""
            answer = override(self.engine, text)
            if heard and not self.engine.overridden:
                self.tell_forgotten(f"{heard}: forgotten, as it came before {name} = {text}")
            if answer is not None:
                self.post("PID_HAS_CONTROL", answer)
        elif name == "PID_VERBOSE":
            self._verbose = truth(text) is not False
        else:
            self._take_cap(text)

    def _take_cap(self, text: str) -> None:
        cap = finite(text)
        if cap is None:
            self.run_warning(f"PID_THRUST_CAP = {text}: expected a number from 20 to 100")
        else:
            self._cap = max(LEAST_CAP, min(GREATEST_CAP, cap))

    def iterate(self) -> None:
        """Step the controller; post its outputs while in control, zeros once on losing control."""
        output = self.engine.step(self.time)
        rudder, thrust, elevator, _, in_control, stale = output
        if in_control:
            self._post_outputs(rudder, bounded(thrust, self._cap), elevator)
            self._stopped, self._steered = False, True
            self.take_back_forgotten()
        elif not self._stopped:
            self._post_outputs(0.0, 0.0, 0.0)
            self._stopped = True
        if stale or self._explains:
            for name, text in narration(self.engine, output, self._debug):
                self.post(name, text)

    def on_stop(self) -> None:
        """Warn why the app was never in control."""
        if self._steered:
            return
        unheard, orders = self._unheard(), self.orders()
        if self.engine.overridden and orders:
            self.run_warning(
                f"never steered, though it heard {orders}: nobody posted "
                "MOOS_MANUAL_OVERRIDE = false"
            )
        elif unheard and not self.engine.overridden:
            self.run_warning(f"never steered: in control, it heard no {', '.join(unheard)}")

    def _post_outputs(self, rudder: float, thrust: float, elevator: float) -> None:
        self.post(self._rudder_name, rudder)
        self.post(self._thrust_name, thrust)
        if self._dives:
            self.post(self._elevator_name, elevator)

    def report(self) -> Iterable[str]:
        """Return the state of control and, if verbose, gains and limits."""
        engine = self.engine
        p = engine.parameters
        yield f"Speed factor: {trimmed(engine.speed_factor)}"
        yield f"Overridden: {str(engine.overridden).lower()}"
        if unheard := self._unheard():
            yield f"No output before it hears {', '.join(unheard)}"
        yield f"Thrust cap: {trimmed(self._cap) if self._capped else 'off'}"
        if not self._verbose:
            return
        yield f"Yaw PID: {_gains(p.yaw)}; rudder up to {trimmed(p.max_rudder)}"
        yield f"Speed PID: {_gains(p.speed)}; thrust up to {trimmed(p.max_thrust)}"
        if p.depth_control:
            yield f"Depth PID: {_gains(p.z_to_pitch)}; pitch up to {trimmed(p.max_pitch)} deg"
            yield f"Pitch PID: {_gains(p.pitch)}; elevator up to {trimmed(p.max_elevator)} deg"

    def _unheard(self) -> list[str]:
        """Return the required variables not received since the last override."""
        engine = self.engine
        needed = {
            "DESIRED_HEADING": engine.desired_heading,
            "DESIRED_SPEED": engine.desired_speed,
            "NAV_HEADING": engine.heading,
            "NAV_SPEED": engine.speed,
        }
        if engine.parameters.depth_control:
            needed |= {
                "DESIRED_DEPTH": engine.desired_depth,
                "NAV_DEPTH": engine.depth,
                "NAV_PITCH": engine.pitch,
            }
        return [name for name, signal in needed.items() if signal.time == -inf]


def _gains(gains: Gains) -> str:
    return (
        f"kp={trimmed(gains.kp, 3)}, kd={trimmed(gains.kd, 3)}, ki={trimmed(gains.ki, 3)}, "
        f"integral_limit={trimmed(gains.integral_limit, 3)}"
    )
