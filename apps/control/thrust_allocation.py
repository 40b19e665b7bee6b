"""``pThrustAllocation``: desired forces in, actuator commands and unmet forces out.

It subscribes to TAU_X, TAU_Y, TAU_Z [N], TAU_K, TAU_M, TAU_N [N m], forces and moments about CO in
BODY, and commands the vessel's thrusters by ACTUATOR_CMD.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, radians

import numpy as np

from steerageway.apps.shared.vessel_options import FILES_KEYS, VesselFilesOptions
from steerageway.bus import App, Config, Entry, Message, declare, variables
from steerageway.declarations import all_finite, finite
from steerageway.moos.values import trimmed
from steerageway.vessel.control_allocation import (
    AXES,
    HAS_QP,
    Allocation,
    Allocator,
    Layout,
    Slot,
    layout_of,
    qp,
    read_axes,
)
from steerageway.vessel.control_allocation import Options as Settings
from steerageway.vessel.control_allocation.allocator import METHODS
from steerageway.vessel.errors import InvalidValue

TAU = ("TAU_X", "TAU_Y", "TAU_Z", "TAU_K", "TAU_M", "TAU_N")
LARGEST = 1e9  # [N, N m], which no craft has
COMMAND = "ACTUATOR_CMD"
UNMET = tuple(f"{name}_UNMET" for name in TAU)


def _fixed(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


@dataclass(frozen=True)
class AllocationOptions(VesselFilesOptions):
    """Parameters of the configuration block; the vessel's as in the simulator's block."""

    axes: tuple[int, ...] | None = declare.value(
        "", read_axes, "allocated: surge, sway, heave, roll, pitch, yaw; default: all controllable"
    )
    method: str = declare.choice("qp", dict.fromkeys(METHODS, ""))
    weights: tuple[Entry, ...] = declare.entries(
        "weights of squared thrusts, as th_1=2, th_3=1; default 1 each"
    )
    slack: tuple[Entry, ...] = declare.entries(
        "weights of unmet forces, as yaw=10, surge=1; default 1 each"
    )
    regularisation: float = declare.number(
        1e-4, "common weight of the squared thrusts, relative to slack", above=0
    )
    smoothing: float = declare.number(0, "weight of squared changes of thrust", low=0)
    polygon: float = declare.number(
        qp.SIDES, "sides of the polygon that approximates an azimuth's thrust limit", low=4
    )
    forbidden: tuple[Entry, ...] = declare.entries(
        "az_1 = 80:100: forbidden angles of its thrust [deg]"
    )
    fixed: tuple[str, ...] | None = declare.value(
        "", _fixed, "azimuths kept at angle 0, as az_3, az_4"
    )
    avoid_singular: bool = declare.flag(True, "turn idle azimuths out of singular configurations")
    tau_timeout: float = declare.number(2, "age at which a TAU_* is taken as 0", unit="s", above=0)


def settings(options: AllocationOptions) -> Settings:
    """Return the settings of the allocator.

    Raises:
        ConfigError: a line is wrong.
    """
    slack = _pairs(options.slack, "yaw=10, surge=1")
    for entry, name, _ in slack:
        if name not in AXES:
            raise Config.error(entry, f"{name}: expected degrees of freedom: {', '.join(AXES)}")
    given = {name: value for _, name, value in slack}
    try:
        return Settings(
            method=options.method,
            slack=tuple(given.get(name, 1.0) for name in AXES),
            regularisation=options.regularisation,
            smoothing=options.smoothing,
            sides=int(options.polygon),
            avoid_singular=options.avoid_singular,
        )
    except InvalidValue as error:
        raise Config.error(options.slack[0], str(error)) from None


def read_weights(lines: Iterable[Entry]) -> dict[str, float]:
    """Return the weight of each named thruster."""
    return {name: value for _, name, value in _pairs(lines, "th_1=2, th_3=1")}


def read_forbidden(lines: Iterable[Entry]) -> dict[str, list[tuple[float, float]]]:
    """Return the forbidden arcs of each named azimuth [rad]."""
    arcs: dict[str, list[tuple[float, float]]] = {}
    for entry in lines:
        name, _, arc = (part.strip() for part in entry.value.partition("="))
        ends = all_finite(arc.split(":"))
        if ends is None or len(ends) != 2:
            raise Config.error(entry, "expected AZIMUTH = FROM:TO [deg], as az_1 = 80:100")
        low, high = map(radians, ends)
        arcs.setdefault(name, []).append((low, high))
    return arcs


def _pairs(lines: Iterable[Entry], example: str) -> list[tuple[Entry, str, float]]:
    return [pair for entry in lines for pair in _read_pairs(entry, example)]


def _read_pairs(entry: Entry, example: str) -> Iterator[tuple[Entry, str, float]]:
    for part in entry.value.split(","):
        name, _, value = (piece.strip() for piece in part.partition("="))
        number = finite(value)
        if number is None or not number > 0.0:
            raise Config.error(entry, f"expected names and numbers above zero, as {example}")
        yield entry, name, number


class ThrustAllocation(App):
    """Allocates desired forces to fixed, tunnel and azimuth thrusters."""

    last_wins = True
    publications = variables.published("""
        ACTUATOR_CMD | text | deg, rpm or 1 | | tick, after the first `TAU_*` | `th_1=0.5,az_1=-12`:
            command of each actuator
        TAU_X_UNMET | number | N, ahead | | tick, after the first `TAU_*` | part of `TAU_X` that the
            thrusters do not produce
        TAU_Y_UNMET | number | N, to starboard | | tick, as `TAU_X_UNMET` | part of `TAU_Y`
        TAU_Z_UNMET | number | N, down | | tick, after the first `TAU_*` | part of `TAU_Z`
        TAU_K_UNMET | number | N m | | tick, as `TAU_X_UNMET` | part of `TAU_K`
        TAU_M_UNMET | number | N m | | tick, as `TAU_X_UNMET` | part of `TAU_M`
        TAU_N_UNMET | number | N m | | tick, as `TAU_X_UNMET` | part of `TAU_N`
    """)
    subscriptions = variables.subscribed("""
        TAU_X, TAU_Y, TAU_Z, TAU_K, TAU_M, TAU_N | number | N, N m, BODY about CO | | a desired
            force or moment
    """)
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
            what = "method = qp needs daqp (pip install 'steerageway[allocation]')"
            self.config_warning(f"{what}: the weighted pseudoinverse stands in")
        given = read_weights(block.weights), read_forbidden(block.forbidden), block.fixed or ()
        if config.all(*FILES_KEYS):
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
        from steerageway.apps.shared.vessel_block import read_vessel
        from steerageway.vessel.fossen.state import shown

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
        super().on_start()
        self._since = self.time

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Store the desired forces."""
        for message in mail:
            axis = TAU.index(message.name)
            if not isinstance(message.value, float) or abs(message.value) > LARGEST:
                expected = f"expected a number of at most {LARGEST:g} in size"
                self.run_warning(f"{message.name} = {message.value!r}: {expected}")
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
