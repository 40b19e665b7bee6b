"""``pArduPilot``: ArduPilot's firmware (SITL) steers a vessel, in lockstep with the run.

At each iteration with a new state of the vessel, the firmware gets a frame, and time stands until
its servo outputs are there. They are the app's own posts of that instant: with a firmware that
answers alike, the log is the same at every speed. What it has answered is recorded, so that
``--inputs`` repeats the run without it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from steerageway.bridges.ardupilot.link import FirmwareLink
from steerageway.bridges.ardupilot.options import ArduPilotOptions, FrameTiming
from steerageway.bridges.ardupilot.record import Answer, Recorder, Repeater
from steerageway.bridges.ardupilot.servos import USUAL
from steerageway.bridges.ardupilot.state import QUANTITIES, STATE, Motion, VesselState
from steerageway.bridges.links import Told
from steerageway.bus import App, CannotGoOn, Message, variables
from steerageway.geometry.marine import heading_of

RESET, DIFFERENTIAL = "USM_RESET", "THRUST_MODE_DIFFERENTIAL"
SIDES = ("DESIRED_THRUST_L", "DESIRED_THRUST_R")
PUBLICATIONS = (
    variables.number(
        USUAL[0].order,
        "rudder",
        unit="%, positive to starboard",
        range="[-100, 100]",
        when="on change of a servo output",
    ),
    variables.number(
        USUAL[1].order,
        "thrust",
        unit="%, ahead",
        range="[-100, 100]",
        when="on change of a servo output",
    ),
    *variables.published(f"""
        {RESET} | text | m, deg, m/s | | when the firmware is started again, with `on_restart =
            reset` | `x=1,y=2,heading=90,speed=0,depth=0`: the vessel's new state; users may post
            it, too
        {DIFFERENTIAL} | text | | `true` | once, with a `servo` of these orders | the vessel follows
            `DESIRED_THRUST_L` and `DESIRED_THRUST_R`
    """),
)
LARGEST_STEP = 0.1  # s; with longer ones the firmware's clock does not follow
UNKNOWN = 3.0  # s without a state of the vessel, before a run warning


class ArduPilot(App):
    """Exchanges the vessel's state for the firmware's servo outputs."""

    publications = PUBLICATIONS
    subscribes = (STATE, *filter(None, QUANTITIES.values()), "the variables of source")
    parameters = ArduPilotOptions.parameters()
    common = FrameTiming
    observes_case_reset = True

    def configure(self) -> None:
        """Read the parameters."""
        self._options = options = ArduPilotOptions.read(self.config)
        self.publishes = (*(servo.order for servo in options.servos), RESET, DIFFERENTIAL)
        self._link: FirmwareLink | None = None
        self._recorder: Recorder | None = None
        self._repeater: Repeater | None = None
        self._case = 0
        self._rate = self._frames = self._restarts = 0
        self._told = Told()
        self._begin()

    def _begin(self) -> None:
        self._state = VesselState(self._options.sources)
        self._zero: float | None = None  # time of the firmware's first frame
        self._latest: float | None = None
        self._home = ""
        self._posted: dict[str, float] = {}

    def on_start(self) -> None:
        """Wait for the firmware, and register."""
        name, setting = f"{self.community}.{self.name}.servos", self.setting
        if setting.replays is not None:
            self._repeater = Repeater(setting.replays / name)
        else:
            options = self._options
            try:
                self._link = FirmwareLink(options.listen, options.patience)
            except (OSError, OverflowError) as error:
                host, port = options.listen
                raise CannotGoOn(f"udp {host}:{port} cannot be opened: {error}") from error
            if setting.log_folder is not None:
                self._recorder = Recorder(setting.log_folder / name)
            with self._closing():
                first = self._link.await_first()
            self._rate = first.rate
            self.event(f"firmware at {self._link.peer}, {len(first.pwm)} outputs")
        if any(servo.order in SIDES for servo in self._options.servos):
            self.post(DIFFERENTIAL, "true")
        self.register(*self._state.subscriptions)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Note the vessel's state."""
        for message in mail:
            self._state.take(message)

    def iterate(self) -> None:
        """Exchange a frame for the servo outputs, if there is a new state."""
        try:
            found = self._frame()
        except (ValueError, KeyError) as error:
            self.run_warning(f"no frame: the vessel's state ({STATE} or NAV_*) is none: {error}")
            found = None
        if found is not None:
            self._exchange(*found)
        if not self._frames and self.time > UNKNOWN:
            self.run_warning(
                f"the vessel's state is not known: expected {STATE}, or NAV_X, NAV_Y, .. "
                "(prefix = NAV of its simulator), or lines of source"
            )
        if self._link is not None:
            for what in self._told.new("link", self._link.troubles):
                self.run_warning(what)

    def _frame(self) -> tuple[Motion, bytes] | None:
        """Return the latest motion and its frame; None without a new one."""
        motion = self._state.motion()
        if motion is None:
            return None
        zero = motion.time if self._zero is None else self._zero
        frame = self._state.frame(motion, motion.time - zero)
        self._zero = zero
        return motion, frame

    def _exchange(self, motion: Motion, frame: bytes) -> None:
        self._home = self._home or _pose(motion)
        pwm, restarted = self._answer(frame)
        self._frames += 1
        step = motion.time - (motion.time if self._latest is None else self._latest)
        self._latest = motion.time
        if step >= LARGEST_STEP:
            self.run_warning(
                f"frames are {step:g} s apart, and the firmware's clock does not follow: expected "
                f"less than {LARGEST_STEP:g} s; raise AppTick of the simulator and of {self.name}"
            )
        if restarted:
            self._note_restart()
        self._post_orders(pwm)

    def _answer(self, frame: bytes) -> Answer:
        if self._repeater is not None:
            return self._repeater.at(self._case, self.instant)
        assert self._link is not None
        with self._closing():
            packet, restarted = self._link.exchange(frame)
        self._rate = packet.rate
        answer = packet.pwm, restarted
        if self._recorder is not None:
            self._recorder.write(self._case, self.instant, answer)
        return answer

    def _note_restart(self) -> None:
        """Begin the firmware's time anew, and put the vessel to where it began."""
        self._restarts += 1
        self.event("the firmware was started again")
        self._state.forget(self.time)
        self._zero = None
        self._latest = None
        if self._options.on_restart == "reset":
            self.post(RESET, self._home)

    def _post_orders(self, pwm: Sequence[int]) -> None:
        for servo in self._options.servos:
            if servo.channel > len(pwm):
                self.run_warning(
                    f"{servo.order}: the firmware has {len(pwm)} outputs, none on channel "
                    f"{servo.channel}: expected its parameter SERVO_32_ENABLE to be 1"
                )
                continue
            width = pwm[servo.channel - 1]
            if not servo.is_within(width):
                self.run_warning(
                    f"{servo.order}: {width} us on channel {servo.channel} is taken as the nearest "
                    f"of {servo.least} to {servo.greatest}: expected min and max to be those of "
                    "the firmware (SERVOn_MIN, SERVOn_MAX)"
                )
            value = servo.value(width)
            if self._posted.get(servo.order) != value:
                self._posted[servo.order] = value
                self.post(servo.order, value)

    @contextmanager
    def _closing(self) -> Iterator[None]:
        """Close the link if the app cannot go on."""
        try:
            yield
        except CannotGoOn:
            self.on_stop()
            raise

    def on_case(self, number: int, seed: int) -> None:
        """Begin anew; the firmware sees its time go back, and goes on."""
        self._case = number
        self._begin()

    def on_stop(self) -> None:
        """Close the link."""
        if self._link is not None:
            self._link.close()
        if self._recorder is not None:
            self._recorder.close()

    def report(self) -> Iterable[str]:
        """Yield the firmware's address, rates and counts."""
        if self._link is not None:
            yield f"Firmware: {self._link.peer}, asks for {self._rate} frames a second"
        yield f"Frames:   {self._frames}, {self._restarts} restarts"
        for what, count in (self._link.troubles if self._link else Counter[str]()).items():
            yield f"{what}: {count}"


def _pose(motion: Motion) -> str:
    """Return the value of a reset to a motion's place, at rest."""
    north, east, down = motion.position
    heading = heading_of(motion.attitude[2])
    return f"x={east:.6g},y={north:.6g},heading={heading:.6g},speed=0,depth={max(0.0, down):.6g}"
