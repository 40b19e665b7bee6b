"""The marine PID embedded in the simulator: it acts in the same iteration, without bus delay.

Without fresh input its orders end in ``vessel.pid``, those of other apps in ``fossen.commands``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from steerageway.apps.shared.pid_config import PidOptions
from steerageway.apps.shared.pid_posts import Debug, narration, override
from steerageway.apps.vessels.usim_marine.publisher import stern_first
from steerageway.bus import Config, Message
from steerageway.vessel.craft import Craft
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.pid import Output, PidEngine

OVERRIDES = ("MOOS_MANUAL_OVERRIDE", "MOOS_MANUAL_OVERIDE")
OLDEST_MAIL = 1360.0
"""Age [s] from which mail for the PID is rejected."""

PostFunction = Callable[[str, object], None]
Overridden = Callable[[Output], Output]


class Pilot:
    """A PID that reads a craft's motion and sets its actuators.

    Attributes:
        engine: the controller.
        subscribed: the variables it subscribes to.
    """

    def __init__(
        self, engine: PidEngine, debug: Debug, *, overridden: Overridden, post: PostFunction
    ) -> None:
        self.engine = engine
        self._debug = debug
        self._explains = any(debug)
        self._overridden = overridden
        self._post = post
        self._tell = {
            "DESIRED_HEADING": engine.desired_heading.tell,
            "DESIRED_SPEED": engine.desired_speed.tell,
            "DESIRED_DEPTH": engine.desired_depth.tell,
            "SPEED_FACTOR": self._take_factor,
        }
        self.subscribed = (*self._tell, *OVERRIDES)

    @classmethod
    def from_config(cls, config: Config, *, overridden: Overridden, post: PostFunction) -> Pilot:
        """Return the pilot of a block.

        Raises:
            ConfigError: a line is invalid.
        """
        options = PidOptions.read(config)
        return cls(PidEngine(options.pid), options.debug, overridden=overridden, post=post)

    def take(self, message: Message, now: float) -> None:
        """Take mail, one of ``subscribed``; mail that is too old is answered with USM_NOGO.

        Raises:
            InvalidValue: a text instead of a number.
        """
        age = now - message.time
        if age >= OLDEST_MAIL:
            self._post("USM_NOGO", age)
        elif message.name in OVERRIDES:
            answer = override(self.engine, str(message.value))
            if answer is not None:
                self._post("PID_HAS_CONTROL", answer)
        elif isinstance(message.value, float):
            self._tell[message.name](message.value, now)
        else:
            raise InvalidValue("expected a number")

    def steer(self, craft: Craft[Any], now: float) -> Output:
        """Read the vessel's motion, and set its actuators; return their commands."""
        engine = self.engine
        motion = stern_first(craft.motion) if craft.inputs.reverse else craft.motion
        engine.heading.tell(motion.heading, now)
        engine.speed.tell(motion.speed, now)
        engine.depth.tell(motion.depth, now)
        engine.pitch.tell(motion.pitch, now)
        output = engine.step(now)
        if output.stale or self._explains:
            for name, text in narration(engine, output, self._debug):
                self._post(name, text)
        if engine.overridden:
            output = self._overridden(output)
        craft.order_rudder(output.rudder, now)
        craft.inputs.thrust = output.thrust
        craft.inputs.elevator = output.elevator
        return output

    def _take_factor(self, factor: float, _now: float) -> None:
        self.engine.speed_factor = factor
