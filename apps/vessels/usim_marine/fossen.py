"""A Fossen vessel in the simulator: its actuator mail, its steps, its posts. Loads numba."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from steerageway.apps.shared.vessel_block import read_vessel
from steerageway.apps.vessels.usim_marine.contacts import ContactMonitor
from steerageway.apps.vessels.usim_marine.fossen_posts import FossenPosts
from steerageway.apps.vessels.usim_marine.fossen_rates import Gate
from steerageway.apps.vessels.usim_marine.limits import AGROUND, ENVELOPE_LEFT
from steerageway.apps.vessels.usim_marine.mail import ORDERED, TEXTS, Scene, TakeNumber, TakeText
from steerageway.apps.vessels.usim_marine.parameters import SimulatorOptions
from steerageway.apps.vessels.usim_marine.simulated_vessel import SimulatedVessel
from steerageway.bus import CannotGoOn, Config, at_line
from steerageway.declarations import finite
from steerageway.moos.values import pairs
from steerageway.vessel.contact import Surfaces
from steerageway.vessel.craft import Craft
from steerageway.vessel.errors import InvalidValue, NotFinite, OutsideEnvelope, VesselError
from steerageway.vessel.fossen.commands import ORDERS, Commands, orders_in
from steerageway.vessel.fossen.craft import FossenModel, FossenState
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.in_sea import in_sea
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.state import ACTUATORS as ACTUATORS_AT
from steerageway.vessel.fossen.warm import warm
from steerageway.vessel.mesh.loads import bound
from steerageway.world.constants import NANO
from steerageway.world.contact import FORCE, Contact
from steerageway.world.sea import Sea

COMMAND, OVERRIDE = "ACTUATOR_CMD", "ACTUATOR_CMD_OVERRIDE"
RELEASE = "release"
EXPECTED = "expected names and values, as cs_1=15,th_1=1200"

PostFunction = Callable[..., None]
Value = TypeVar("Value", float, str)


def read_fossen(
    config: Config, options: SimulatorOptions, places: Sequence[Path]
) -> tuple[FossenModel, Commands]:
    """Return the model of the vessel of a block, and its actuator commands.

    Args:
        config: the block.
        options: its parameters.
        places: folders searched for the vessel before the shipped ones.

    Raises:
        ConfigError: a line, or a file it names, is invalid.
    """
    own = options.by_fossen
    vessel = _integrated(read_vessel(config, places, mapped=own.actuator_map), own.integrator)
    try:
        mapping = orders_of(vessel)
    except VesselError as error:
        line = own.actuator_map or config.all("vessel")[0]
        raise Config.error(line, str(error)) from None
    try:
        model = FossenModel(vessel, own.time_step, mapping)
    except VesselError as error:
        offending_line = config.entry("time_step") or config.all("vessel")[0]
        raise Config.error(offending_line, str(error)) from None
    return model, Commands(vessel, mapping, own.override_timeout)


def _integrated(vessel: Dynamics, integrator: str) -> Dynamics:
    """Return the vessel with the block's integrator, or its own (Panisim's have substeps)."""
    if not integrator:
        return vessel
    found = replace(vessel, adaptive=integrator == "adaptive")
    warm(found)
    return found


class FossenVessel(SimulatedVessel[FossenState]):
    """A Fossen vessel: orders go to its actuators, which can be commanded by name, too.

    Attributes:
        gate: posts variables at their rates.
    """

    model: FossenModel

    def __init__(
        self,
        config: Config,
        options: SimulatorOptions,
        places: Sequence[Path],
        prefix: str,
        *,
        post: PostFunction,
        warn: Callable[[str], None],
    ) -> None:
        model, self._commands = read_fossen(config, options, places)
        own = options.by_fossen
        self.gate = Gate(own.position_rate, own.heading_rate, own.aux_rate, prefix, post)
        windless = ""
        if not model.vessel.feels_wind():
            windless = (
                f"{model.vessel.name} has nothing that the wind moves (wind: in geometry.yml)"
            )
        super().__init__(
            *(model, model.start, options),
            windless=windless,
            post=post,
            post_all=self.gate.post_all,
            warn=warn,
        )
        entry = own.actuator_cmd
        if entry is not None:
            with at_line(entry):
                self._commands.tell(read_commands(entry.value), 0.0)
        self._vessel, self._warn = model.vessel, warn
        self._warned: set[str] = set()  # actuators with a limit warning
        self._post = post
        self._contacts: ContactMonitor | None = None
        self._command_time: float | None = None  # time of commands not passed on yet
        self._posts = FossenPosts(model.vessel, model.period, prefix, post)
        self.names = (*self._posts.names, AGROUND, ENVELOPE_LEFT)
        floats = model.vessel.floating or model.vessel.wave_motion
        if floats is not None:
            self.draught = floats.draught
            self.on_sea = self._meet_sea if self.draught > 0.0 else None

    def _meet_sea(self, sea: Sea) -> None:
        self._vessel = self.model.vessel = in_sea(self._vessel, sea)
        self._posts.sea = sea

    def meet_surfaces(self, contact: Contact) -> str:
        """Enable contact with surfaces; return a warning, or "".

        Raises:
            InvalidValue: contacts of this vessel cannot be computed.
        """
        self.model.surfaces = Surfaces.around(self._vessel, contact)
        self._contacts = ContactMonitor(self.model.surfaces, self._post)
        if contact.at_bottom == FORCE and not self.model.surfaces.heaves:
            return f"at_bottom: force: {self._vessel.name} does not heave: it stands on the bottom"
        return ""

    def report(self) -> Iterator[str]:
        """Yield the error bound of the wave loads, if they are not exact."""
        floating, sea = self._vessel.floating, self._posts.sea
        if floating is None or floating.mesh is None or sea is None or floating.waves != "mesh":
            return
        most = bound(floating.mesh, sea)
        yield f"Loads by the nodal evaluator: at most {most:.3g} N from exact ones"

    def number_handlers(self, *, orders: bool) -> dict[str, TakeNumber]:
        """Return the handlers of numbers: actuators' variables and, with ``orders``, commands."""
        taken: dict[str, TakeNumber] = {
            channel.name: self._actuator_handler(channel.name) for channel in self._vessel.commands
        }
        if orders:
            taken |= {name: self._order_handler(order) for name, order in ORDERED.items()}
        return taken

    def most(self, order: str) -> float:
        """Return the magnitude at which a command, such as ``DESIRED_THRUST``, saturates."""
        return self._commands.mapping.most(order.removeprefix("DESIRED_").lower())

    def text_handlers(self) -> dict[str, TakeText]:
        """Return the handlers of texts: commands by name, faults, and thrust modes."""
        modes = ("THRUST_MODE_DIFFERENTIAL", "THRUST_MODE_REVERSE")
        taken: dict[str, TakeText] = {COMMAND: self._take, OVERRIDE: self._take_override}
        for i, channel in enumerate(self._vessel.commands):
            taken[f"FAULT_{channel.name.upper()}"] = self._fault_handler(
                channel.name, ACTUATORS_AT + i
            )
        if self._contacts is not None:
            taken |= self._contacts.text_handlers()
        return taken | {name: self._deferred(TEXTS[name]) for name in modes}

    def is_past(self, instant: float) -> bool:
        """Whether it need not be moved to the instant of mail: its state may lie before."""
        return False

    def pass_orders(self, now: float) -> None:
        """Pass the commands on to the actuators; warn of a command that no actuator serves."""
        self._command_time = None
        orders = orders_in(self.inputs)
        for name, value in zip(ORDERS, orders, strict=True):
            if value != 0.0 and not self._commands.mapping.serves(name):
                self._warn(f"DESIRED_{name.upper()}: no actuator of {self._vessel.name} serves it")
        self._commands.order(orders, now)

    def advance(self, now: float) -> None:
        """Move the vessel to an instant, and post each of its steps.

        Raises:
            CannotGoOn: the state is not finite, or outside the model's envelope.
        """
        self._pass_commands()
        # Steps end where an override times out, as the commands change there.
        for until, changes in self._commands.spans(self.inputs, self.clock, now):
            with _with_last_state():
                Craft.advance(self, until)  # the limits are looked at after its posts
            self._posts.post_steps(self.truth, round(until * NANO))
            self._watch()
            if changes:
                self.settle()

    def _watch(self) -> None:
        """Warn once per limit of its envelope that the vessel leaves, and post grounding."""
        state, model, aground = self.truth, self.model, ""
        if self._contacts is not None:
            self._contacts.watch(state)
        if state.aground:
            keel = float(state.x[2]) + (self._vessel.envelope.draught or 0.0)
            water = max(0.0, min(model.depth(self.inputs), keel))
            aground = f"aground in {water:.4g} m of water"
        left = dict(model.left(state, self.inputs))
        self._limits.look(self._vessel.name, left, aground, lambda: _state_of(state))

    def settle(self) -> None:
        """Integrate to the present instant, before the forces on the vessel change.

        Raises: as ``advance``.
        """
        with _with_last_state():
            Craft.settle(self)

    def post_rest(self, now: float) -> None:
        """Post the rest of the vessel's state, when it is due."""
        self.gate.look(round(now * NANO))
        if self.gate.aux:
            self._posts.post_rest(self.state)
            self._posts.post_sea(self._vessel, self.truth, self.clock)

    def _fault_handler(self, name: str, place: int) -> TakeText:
        """Return the handler of an actuator's fault; ``place`` is its index in the state."""

        def taken(scene: Scene, text: str, source: str) -> None:
            self._pass_commands()
            position = float(scene.craft.truth.x[place])
            self._commands.fail(name, text, scene.craft.clock, position)

        return taken

    def _actuator_handler(self, name: str) -> TakeNumber:
        return lambda scene, value, source: self._command({name: value}, scene.craft.clock)

    def _order_handler(self, name: str) -> TakeNumber:
        """Return the handler of an order, named as in ``Inputs``."""
        return self._deferred(lambda scene, value, _: self.order(name, value, scene.now))

    def _deferred(
        self, take: Callable[[Scene, Value, str], None]
    ) -> Callable[[Scene, Value, str], None]:
        """Return a handler of a command, which is passed on before any other command."""

        def taken(scene: Scene, value: Value, source: str) -> None:
            take(scene, value, source)
            self._command_time = scene.craft.clock

        return taken

    def _pass_commands(self) -> None:
        if self._command_time is not None:
            self.pass_orders(self._command_time)

    def _command(self, commands: dict[str, float], now: float) -> None:
        """Command actuators by name, after the commands received before: the latest applies."""
        self._pass_commands()
        self._commands.tell(commands, now)
        self._warn_of_limits(commands)

    def _take(self, scene: Scene, text: str, source: str) -> None:
        self._command(read_commands(text), scene.craft.clock)

    def _take_override(self, scene: Scene, text: str, source: str) -> None:
        if text.strip().lower() == RELEASE:
            self._commands.release()
        else:
            commands = read_commands(text)
            self._commands.override(commands, scene.craft.clock)
            self._warn_of_limits(commands)

    def _warn_of_limits(self, commands: dict[str, float]) -> None:
        """Warn once per actuator that a command is beyond its limits."""
        for name, remark in self._commands.beyond(commands):
            if name not in self._warned:
                self._warned.add(name)
                self._warn(remark)


@contextmanager
def _with_last_state() -> Iterator[None]:
    """Add the last valid state to the error of a vessel that cannot continue."""
    try:
        yield
    except (NotFinite, OutsideEnvelope) as error:
        good: Any = error.last_good
        state = ", ".join(f"{value:.6g}" for value in good)
        raise CannotGoOn(
            f"{error.what}: no state; the last good one, eta, nu and actuators: {state}"
        ) from error


def _state_of(state: FossenState) -> str:
    return "eta, nu: " + ", ".join(f"{value:.6g}" for value in state.x[:12])


def _listed(text: str, field: str) -> list[str]:
    """Return the items of a list in the text of a message; [] without it."""
    found = re.search(rf"actuator_{field}[\"']?\s*[:=]\s*(\[[^\]]*\]|(?:- .*\s*)+)", text)
    return re.findall(r"[\w.+-]*\w", found[1]) if found else []


def read_commands(text: str) -> dict[str, float]:
    """Parse ``cs_1=15,th_1=1200``, or the fields of Panisim's Actuator message.

    These are written as ``actuator_names: [cs_1, th_1], actuator_values: [15, 1200]``, or as JSON,
    ``ros2 topic echo`` or Python print the message.

    Raises:
        InvalidValue: the text has another form.
    """
    names, values = (_listed(text, field) for field in ("names", "values"))
    if len(names) != len(values):
        raise InvalidValue("expected as many actuator_values as actuator_names")
    commands = {}
    for name, value in zip(names, values, strict=True) if names else pairs(text):
        if (number := finite(value)) is None:
            raise InvalidValue(f"{EXPECTED}, or {RELEASE} to end an override")
        commands[name] = number
    return commands
