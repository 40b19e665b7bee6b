"""``pMarinePID``: the older marine PID, for the missions that still name it."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from steerageway.apps.control.marine_pid.base import OVERRIDES, SUBSCRIBED, PidApp
from steerageway.apps.control.marine_pid.legacy_variables import PUBLICATIONS, SUBSCRIPTIONS
from steerageway.apps.control.pid_config import LIMITS, OTHER_GAINS, YAW_GAINS, read_controller
from steerageway.apps.control.pid_posts import course_line, depth_line, loop_line, speed_line
from steerageway.bus import NANO, AtLaunch, Config, ConfigError, Parameter, variables
from steerageway.moos.values import trimmed
from steerageway.vessel.compat.pid import LegacyPidEngine, Reset, Resets, ResettingPid
from steerageway.vessel.pid import Output

SUCCESSOR = "pMarinePIDV22"
VERBOSITIES = ("verbose", "terse", "quiet")
YES, NO = ("true", "1", "yes", "on"), ("false", "0", "no", "off")
LOOPS = {"HDG": "heading", "SPD": "speed", "DEP": "depth"}
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


def _reset_parameters() -> list[Parameter]:
    parameters = []
    for loop in ("HEADING", "SPEED", "DEPTH", "PITCH"):
        for when, text in (
            ("AT_ZERO_ERROR", "its error changes sign"),
            ("AT_NEW_DESIRED", "its desired value changes"),
        ):
            meaning = f"true: the {loop.lower()} loop's integral restarts when {text}"
            parameters.append(Parameter(f"RESET_{loop}_I_{when}", "false", meaning))
    return parameters


class MarinePidLegacy(PidApp):
    """The older controller; ``pMarinePIDV22`` supersedes it.

    It starts a millisecond late, so that its ticks do not coincide with the simulator's: in the
    field they never do, and the loop for dives with its gains would run away (docs/pid.md).
    """

    at_launch = AtLaunch(start_lag=NANO // 1000)

    publications = PUBLICATIONS
    publishes = variables.names(publications)
    subscriptions = SUBSCRIPTIONS
    subscribes = SUBSCRIBED
    parameters = (
        *YAW_GAINS,
        *OTHER_GAINS,
        *LIMITS,
        Parameter("depth_control", "false", "whether the elevator is driven"),
        Parameter("active_start", "false", "true: in control from the start"),
        Parameter("ignore_nav_yaw", "false", "true: the heading comes from NAV_HEADING alone"),
        Parameter("verbose", "terse", "verbose: PID_REPORT is posted; terse; quiet: short appcast"),
        Parameter("max_sat_hdg_debug", "false", "true: say when the heading loop meets its limit"),
        Parameter("max_sat_spd_debug", "false", "true: say when the speed loop meets its limit"),
        Parameter("max_sat_dep_debug", "false", "true: say when a depth loop meets its limit"),
        *_reset_parameters(),
    )

    def configure(self) -> None:
        """Read the block; the gains of every loop in use must be there."""
        config = self.config
        depth_control = config.choice("depth_control", default="false", among=YES + NO) in YES
        _require(config, SURFACE_NEEDS)
        for loop in ("yaw_pid", "speed_pid"):
            if f"{loop}_ki_limit" not in config:
                _require(config, (f"{loop}_integral_limit",))
        if depth_control:
            _require(config, DEPTH_NEEDS)
        self._dives = depth_control
        parameters = read_controller(config, depth_control=depth_control)
        self.engine: LegacyPidEngine = LegacyPidEngine(parameters, _read_resets(config))
        self.engine.overridden = not config.flag("active_start", default=False)
        self._read_speech(config)
        if not config.flag("DEPRECATED_OK", default=False):
            self.config_warning(f"pMarinePID is deprecated; use {SUCCESSOR}")

    def _read_speech(self, config: Config) -> None:
        config.flag("ignore_nav_yaw", default=False)
        words = {"true": "verbose", "false": "terse"}
        word = config.choice("verbose", default="terse", among=(*VERBOSITIES, *words))
        self._verbosity = words.get(word, word)
        self._watched = [
            loop for loop in LOOPS if config.flag(f"max_sat_{loop}_debug", default=False)
        ]
        self._stopped = self._steered = False
        self._tardy = ""

    def obey(self, name: str, text: str) -> None:
        """Take an override, or how much to say."""
        word = text.strip().lower()
        if name in OVERRIDES:
            if word in ("true", "false"):
                self._give_control(word == "true", f"{name} = {text}")
        else:
            self._verbosity = word if word in VERBOSITIES else "terse"

    def _give_control(self, overridden: bool, order: str) -> None:
        """Take control, or leave it; on first taking it, tell of orders that are too old by now."""
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
            self._narrate(output)

    def on_stop(self) -> None:
        """Say what kept it from ever steering."""
        if self._tardy and not self.engine.overridden and not self._steered:
            lacking = {"HELM": "DESIRED_HEADING, DESIRED_SPEED", "NAV": "NAV_HEADING, NAV_SPEED"}
            self.run_warning(f"never steered: in control, it heard no fresh {lacking[self._tardy]}")

    def _post_outputs(self, output: Output) -> None:
        self.post("DESIRED_RUDDER", output.rudder)
        self.post("DESIRED_THRUST", output.thrust)
        if self._dives:
            self.post("DESIRED_ELEVATOR", output.elevator)

    def _note_tardiness(self, whose: str) -> None:
        if whose and not self._tardy:
            self.event(f"Paused Due To Tardy {whose} Input: THRUST=0")
        self._tardy = whose

    def _narrate(self, output: Output) -> None:
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
        """Give who has control and, unless quiet, what is wanted and the limits."""
        engine = self.engine
        p = engine.parameters
        yield f"Overridden: {str(engine.overridden).lower()}"
        yield f"Waiting for: {self._tardy or 'nothing'}"
        if self._verbosity == "quiet":
            return
        yield f"Desired heading: {trimmed(engine.desired_heading.value, 1)}"
        yield f"Desired speed: {trimmed(engine.desired_speed.value, 1)}"
        yield f"Desired depth: {trimmed(engine.desired_depth.value, 1)}"
        yield f"Rudder up to {trimmed(p.max_rudder)}, thrust up to {trimmed(p.max_thrust)}"


def _require(config: Config, names: tuple[str, ...]) -> None:
    for name in names:
        if name not in config:
            raise ConfigError(config.where, name, "", "is missing; pMarinePID needs it")


def _read_resets(config: Config) -> Resets:
    def reset(loop: str) -> Reset:
        return Reset(
            config.flag(f"reset_{loop}_i_at_zero_error", default=False),
            config.flag(f"reset_{loop}_i_at_new_desired", default=False),
        )

    return Resets(reset("heading"), reset("speed"), reset("depth"), reset("pitch"))
