"""``pThrustAllocation``: desired forces in, actuator commands and unmet forces out.

It subscribes to TAU_X, TAU_Y, TAU_Z [N], TAU_K, TAU_M, TAU_N [N m], forces and moments about CO in
BODY, and commands the vessel's thrusters by ACTUATOR_CMD.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

import numpy as np

from steerageway.apps.control.thrust_allocation.options import (
    AllocationOptions,
    read_forbidden,
    read_weights,
    settings,
)
from steerageway.apps.control.thrust_allocation.variables import PUBLICATIONS, SUBSCRIPTIONS
from steerageway.bus import App, Config, Message, variables
from steerageway.moos.values import trimmed
from steerageway.vessel.control_allocation import (
    AXES,
    HAS_QP,
    Allocation,
    Allocator,
    Layout,
    Slot,
    layout_of,
)
from steerageway.vessel.errors import InvalidValue

TAU = ("TAU_X", "TAU_Y", "TAU_Z", "TAU_K", "TAU_M", "TAU_N")
COMMAND = "ACTUATOR_CMD"
VESSEL = ("vessel", "vessel_file", "vessel_override", "peer_compat")
UNMET = tuple(f"{name}_UNMET" for name in TAU)


class ThrustAllocation(App):
    """Allocates desired forces to fixed, tunnel and azimuth thrusters."""

    last_wins = True
    publications = PUBLICATIONS
    publishes: Sequence[str] = variables.names(publications)
    subscriptions = SUBSCRIPTIONS
    subscribes = TAU
    parameters = AllocationOptions.parameters()

    def configure(self) -> None:
        """Read the configuration block and the vessel's thrusters."""
        config = self.config
        block = AllocationOptions.read(config)
        options, axes = settings(block), block.axes or ()
        self._timeout = block.tau_timeout
        self._desired = np.zeros(6)
        self._received = np.full(6, -inf)
        self._last: Allocation | None = None
        self._warned: set[str] = set()
        self._since = 0.0
        self._allocator: Allocator | None = None
        self._axes: tuple[int, ...] = ()
        if options.method == "qp" and not HAS_QP:
            what = "method = qp needs daqp (pip install steerageway[allocation])"
            self.config_warning(f"{what}: the weighted pseudoinverse stands in")
        given = read_weights(block.weights), read_forbidden(block.forbidden), block.fixed or ()
        if config.all(*VESSEL):
            self._allocator = Allocator(self._layout(axes, *given), options)
            self._axes = self._allocator.layout.axes
        else:
            self.config_warning("vessel is not set: no thruster will be commanded")
        self.publishes = (COMMAND, *(UNMET[axis] for axis in self._axes))

    def _layout(
        self,
        axes: tuple[int, ...],
        costs: dict[str, float],
        forbidden: dict[str, list[tuple[float, float]]],
        fixed: Sequence[str],
    ) -> Layout:
        """Load the vessel and return the layout of its thrusters."""
        from steerageway.apps.vessels.vessel_block import read_vessel
        from steerageway.vessel.fossen.commands import shown

        config = self.config
        vessel = read_vessel(config, self.setting.places, "expected the simulated one's folder")
        try:
            layout, self._curves = layout_of(vessel, axes, costs, forbidden, fixed)
        except InvalidValue as error:
            offending = config.entry("axes") or config.all("vessel")[0]
            raise Config.error(offending, str(error)) from None
        self._units = {c.name: shown(c)[0] for c in vessel.commands}
        self._name = vessel.name
        return layout

    def on_start(self) -> None:
        """Register the subscriptions."""
        self._since = self.time
        self.register(*TAU)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Store the desired forces."""
        for message in mail:
            axis = TAU.index(message.name)
            if not isinstance(message.value, float):
                self.run_warning(f"{message.name} = {message.value!r}: expected a number")
                continue
            self._desired[axis], self._received[axis] = message.value, self.time
            if (
                self._axes
                and axis not in self._axes
                and message.value != 0.0
                and message.name not in self._warned
            ):
                self._warned.add(message.name)
                able = ", ".join(AXES[i] for i in self._axes)
                self.run_warning(f"{message.name}: no {AXES[axis]} here; {self._name} has {able}")

    def iterate(self) -> None:
        """Allocate the desired forces that are not timed out, after the first."""
        now, dt = self.time, self.time - self._since
        self._since = now
        if self._allocator is None or self._received.max() == -inf:
            return
        fresh = now - self._received < self._timeout
        tau = np.where(fresh, self._desired, 0.0)[list(self._axes)]
        self._last = allocation = self._allocator.step(tau, dt)
        slots = self._allocator.layout.slots
        commands = (f"{name}={value:.6f}" for name, value in self._commands(slots, allocation))
        self.post(COMMAND, ",".join(commands))
        for axis, missed in zip(self._axes, allocation.unmet.tolist(), strict=True):
            self.post(UNMET[axis], missed)

    def _commands(
        self, slots: Sequence[Slot], allocation: Allocation
    ) -> Iterable[tuple[str, float]]:
        """Yield each actuator's name and command in the unit of ACTUATOR_CMD."""
        rows = zip(slots, allocation.thrusts.tolist(), allocation.angles.tolist(), strict=True)
        for slot, thrust, angle in rows:
            yield slot.name, self._units[slot.name] * self._curves[slot.name].command(thrust)
            if slot.azimuth:
                yield slot.azimuth, self._units[slot.azimuth] * angle

    def report(self) -> Iterable[str]:
        """Return the method, the thrusters, and the last forces made and unmet."""
        if self._allocator is None:
            yield "No vessel"
            return
        layout = self._allocator.layout
        yield f"{self._allocator.method} of {len(layout.slots)} thrusters of {self._name}"
        for slot in layout.slots:
            turns = f", turns by {slot.azimuth}" if slot.azimuth else ""
            yield f"  {slot.name}: {trimmed(slot.low, 1)} to {trimmed(slot.high, 1)} N{turns}"
        if self._last is None:
            yield f"waiting for one of {', '.join(TAU[axis] for axis in self._axes)}"
            return
        for axis, made, unmet in zip(self._axes, self._last.made, self._last.unmet, strict=True):
            yield f"  {TAU[axis]}: {trimmed(made, 2)} made, {trimmed(unmet, 2)} unmet"
