"""``pMarinePID``: the older marine PID controller, for missions that name it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

from steerageway.apps.control.pid_app import OVERRIDES, SUBSCRIBED, PidApp
from steerageway.apps.shared import heard
from steerageway.apps.shared.pid_config import ControllerOptions
from steerageway.apps.shared.pid_posts import (
    OUTPUTS,
    SATURATION,
    course_line,
    depth_line,
    loop_line,
    speed_line,
)
from steerageway.bus import NANO, AtLaunch, Config, ConfigError, Options, declare, variables
from steerageway.moos.values import trimmed, trimmed360
from steerageway.peers.older.pid import LegacyPidEngine, Reset, Resets, ResettingPid
from steerageway.vessel.pid import Output

VERBOSITIES = ("verbose", "terse", "quiet")
YES, NO = ("true", "1", "yes", "on"), ("false", "0", "no", "off")
LOOPS = ("HDG", "SPD", "DEP")
SURFACE_NEEDS = (
    *(f"yaw_pid_{gain}" for gain in ("kp", "kd", "ki")),
    *(f"speed_pid_{gain}" for gain in ("kp", "kd", "ki")),
    *("maxrudder", "maxthrust"),
)
DEPTH_NEEDS = (
    *(f"z_to_pitch_pid_{gain}" for gain in ("kp", "kd", "ki", "integral_limit")),
    *(f"pitch_pid_{gain}" for gain in ("kp", "kd", "ki", "integral_limit")),
    *("maxpitch", "maxelevator"),
)


def _read_depth_control(config: Config, names: Sequence[str]) -> bool:
    return config.choice(*names, default="false", among=YES + NO) in YES


@dataclass(frozen=True)
class ResetOptions(Options):
    """When the integral of a loop is reset."""

    at_zero_error: bool = declare.flag(
        False,
        "true: reset the loop's integral when its error changes sign",
        name="AT_ZERO_ERROR",
    )
    at_new_desired: bool = declare.flag(
        False,
        "true: reset the loop's integral when its desired value changes",
        name="AT_NEW_DESIRED",
    )

    @property
    def reset(self) -> Reset:
        """The settings for the controller."""
        return Reset(self.at_zero_error, self.at_new_desired)


@dataclass(frozen=True)
class LegacyPidOptions(ControllerOptions):
    """Parameters of the configuration block."""

    depth_control: bool = declare.custom(
        _read_depth_control, "whether to control the elevator", default="false"
    )
    active_start: bool = declare.flag(False, "true: in control from the start")
    ignore_nav_yaw: bool = declare.flag(False, "true: take the heading only from NAV_HEADING")
    verbose: str = declare.choice(
        "terse",
        {"verbose": "post PID_REPORT", "terse": "", "quiet": "short appcast"},
        also={"true": "verbose", "false": "terse"},
    )
    max_sat_hdg_debug: bool = declare.flag(False, "true: post when the heading loop saturates")
    max_sat_spd_debug: bool = declare.flag(False, "true: post when the speed loop saturates")
    max_sat_dep_debug: bool = declare.flag(False, "true: post when a depth loop saturates")
    heading_resets: ResetOptions = declare.group(ResetOptions, "RESET_HEADING_I_")
    speed_resets: ResetOptions = declare.group(ResetOptions, "RESET_SPEED_I_")
    depth_resets: ResetOptions = declare.group(ResetOptions, "RESET_DEPTH_I_")
    pitch_resets: ResetOptions = declare.group(ResetOptions, "RESET_PITCH_I_")

    @property
    def resets(self) -> Resets:
        """When the integrals are reset."""
        return Resets(
            self.heading_resets.reset,
            self.speed_resets.reset,
            self.depth_resets.reset,
            self.pitch_resets.reset,
        )

    @property
    def watched(self) -> list[str]:
        """The loops whose saturation is posted."""
        asked = self.max_sat_hdg_debug, self.max_sat_spd_debug, self.max_sat_dep_debug
        return [loop for loop, told in zip(LOOPS, asked, strict=True) if told]


class MarinePidLegacy(PidApp):
    """The older PID controller of heading, speed and depth; ``pMarinePIDV22`` supersedes it.

    It starts a millisecond late, so that its ticks do not coincide with the simulator's: in
    MOOS-IvP
    they never do, and the loop for dives would be unstable with its gains (docs/pid.md).
    """

    at_launch = AtLaunch(start_lag=NANO // 1000)
    superseded_by = "pMarinePIDV22"

    publications = (
        *OUTPUTS,
        *SATURATION,
        variables.text("PID_REPORT", "`12:PID_COURSE: ...`", when="tick, with `verbose = verbose`"),
    )
    subscriptions = (
        heard.MOOS_MANUAL_OVERRIDE,
        heard.MOOS_MANUAL_OVERIDE,
        heard.SPEED_FACTOR,
        heard.PID_VERBOSE,
    )
    subscribes = SUBSCRIBED
    parameters = LegacyPidOptions.parameters()

    def configure(self) -> None:
        """Read the parameters; the gains of every loop in use are required."""
        config = self.config
        options = LegacyPidOptions.read(config)
        _require(config, SURFACE_NEEDS)
        for loop in ("yaw_pid", "speed_pid"):
            if f"{loop}_ki_limit" not in config:
                _require(config, (f"{loop}_integral_limit",))
        if options.depth_control:
            _require(config, DEPTH_NEEDS)
        self._dives = options.depth_control
        parameters = options.controller(depth_control=options.depth_control)
        self.engine: LegacyPidEngine = LegacyPidEngine(parameters, options.resets)
        self.engine.overridden = not options.active_start
        self.ignores_yaw = options.ignore_nav_yaw
        self._verbosity = options.verbose
        self._watched = options.watched
        self._stopped = self._steered = False
        self._tardy_input = ""

    def obey(self, name: str, text: str) -> None:
        """Take an override or a verbosity."""
        word = text.strip().lower()
        if name in OVERRIDES:
            if word in ("true", "false"):
                self._give_control(word == "true", f"{name} = {text}")
        else:
            self._verbosity = word if word in VERBOSITIES else "terse"

    def _give_control(self, overridden: bool, order: str) -> None:
        """Take or release control; on first taking it, report commands that are already too old."""
        engine = self.engine
        gained = engine.overridden and not overridden
        engine.overridden = overridden
        age = self.time - max(engine.desired_heading.time, engine.desired_speed.time)
        if gained and not self._steered and engine.parameters.tardy_helm < age < inf:
            self.tell_forgotten(f"{self.orders()}: too old, as it came {age:.3g} s before {order}")

    def iterate(self) -> None:
        """Step the controller; zeros once without control, thrust 0 while input is tardy."""
        output = self.engine.step(self.time)
        if not output.in_control:
            if not self._stopped:
                self._post_outputs(output)
            self._stopped = True
            return
        if output.stale:
            self._note_tardiness(output.stale[0][0])
            self.post("DESIRED_THRUST", 0.0)
            return
        self._note_tardiness("")
        self._post_outputs(output)
        self.take_back_forgotten()
        self._stopped, self._steered = False, True
        if self._watched or self._verbosity == "verbose":
            self._post_narration(output)

    def on_stop(self) -> None:
        """Report what kept it from steering."""
        if self._tardy_input and not self.engine.overridden and not self._steered:
            lacking = {"HELM": "DESIRED_HEADING, DESIRED_SPEED", "NAV": "NAV_HEADING, NAV_SPEED"}
            self.run_warning(
                f"never steered: in control, it heard no fresh {lacking[self._tardy_input]}"
            )

    def _post_outputs(self, output: Output) -> None:
        self.post("DESIRED_RUDDER", output.rudder)
        self.post("DESIRED_THRUST", output.thrust)
        if self._dives:
            self.post("DESIRED_ELEVATOR", output.elevator)

    def _note_tardiness(self, source: str) -> None:
        if source and not self._tardy_input:
            self.event(f"Paused Due To Tardy {source} Input: THRUST=0")
        self._tardy_input = source

    def _post_narration(self, output: Output) -> None:
        engine = self.engine
        if self._verbosity == "verbose":
            lines = [course_line(engine, output), speed_line(engine, output)]
            if self._dives:
                lines.append(depth_line(engine, output))
            for line in lines:
                self.post("PID_REPORT", f"{self.iteration}:{line}")
        for loop in self._watched:
            for pid in self._loops(loop):
                if pid.saturated:
                    self.post(f"PID_MAX_SAT_{loop}", "true")
                    self.post(f"PID_MAX_SAT_{loop}_DEBUG", loop_line(pid))

    def _loops(self, name: str) -> tuple[ResettingPid, ...]:
        engine = self.engine
        if name == "HDG":
            return (engine.yaw_pid,)
        if name == "SPD":
            return (engine.speed_pid,)
        return (engine.z_to_pitch_pid, engine.pitch_pid)

    def report(self) -> Iterable[str]:
        """Yield who has control and, unless quiet, the desired values and the limits."""
        engine = self.engine
        p = engine.parameters
        yield f"Overridden: {str(engine.overridden).lower()}"
        yield f"Waiting for: {self._tardy_input or 'nothing'}"
        if self._verbosity == "quiet":
            return
        yield f"Desired heading: {trimmed360(engine.desired_heading.value, 1)}"
        yield f"Desired speed: {trimmed(engine.desired_speed.value, 1)}"
        yield f"Desired depth: {trimmed(engine.desired_depth.value, 1)}"
        yield f"Rudder up to {trimmed(p.max_rudder)}, thrust up to {trimmed(p.max_thrust)}"


def _require(config: Config, names: tuple[str, ...]) -> None:
    for name in names:
        if name not in config:
            raise ConfigError(config.where, name, "", "is missing; pMarinePID needs it")
