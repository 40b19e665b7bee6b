"""A simulated vessel: its model, state and inputs, advanced in time."""

from __future__ import annotations

from dataclasses import replace
from typing import Generic

from steerageway.vessel.drift import Drift
from steerageway.vessel.model import Inputs, Motion, State, VesselModel
from steerageway.world.current_field import CurrentField


class Craft(Generic[State]):
    """One vessel, advanced from instant to instant.

    With a dual state there are two records: the truth, and one without drift, as a dead-reckoning
    navigation system would have it.

    Attributes:
        model: of the vessel; may be replaced by one with other parameters at any time.
        state: the model's state; with a dual state, that of the record without drift.
        truth: the state with drift; equals ``state`` without a dual state.
        inputs: commands and environment; ``inputs.drift`` is set by ``advance``.
        drift: the drift set by configuration and mail.
        field: a current by place and time; applied while ``field_active``.
        paused: time passes, but the vessel does not move.
        clock: the time of its state [s].
    """

    def __init__(
        self, model: VesselModel[State], state: State, *, dual_state: bool = False
    ) -> None:
        self.model = model
        self.state = self.truth = state
        self.dual_state = dual_state
        self.inputs = Inputs()
        self.drift = Drift()
        self.field: CurrentField | None = None
        self.field_active = False
        self.paused = False
        self.clock = 0.0
        self._last_order = 0.0

    @property
    def motion(self) -> Motion:
        """Motion of the navigation record."""
        return self.model.motion(self.state)

    @property
    def true_motion(self) -> Motion:
        """True motion."""
        return self.model.motion(self.truth)

    def advance(self, now: float) -> None:
        """Advance the vessel to a time [s]; a paused one does not move.

        Raises:
            NotFinite: the vessel's state is not finite.
        """
        dt, self.clock = now - self.clock, now
        if self.paused:
            return
        inputs = self.inputs
        inputs.time = now
        inputs.drift = self.total_drift()
        self.truth = after = self.model.step(self.truth, inputs, dt)
        self.state = self.model.step(self.state, self._seen(), dt) if self.dual_state else after

    def settle(self) -> None:
        """Integrate up to the clock with the present inputs, which are about to change."""
        inputs = self.inputs
        inputs.time = self.clock
        inputs.drift = self.total_drift()
        self.truth = after = self.model.settled(self.truth, inputs)
        self.state = self.model.settled(self.state, self._seen()) if self.dual_state else after

    def _seen(self) -> Inputs:
        """Return the inputs of the record without drift, which stands where the truth does."""
        aground = self.true_motion.aground
        return replace(self.inputs, drift=Drift(), bottom=None, stands=aground)

    def wait(self, now: float) -> None:
        """Set the clock without moving the vessel."""
        self.clock = now

    def total_drift(self) -> Drift:
        """Return the present drift: the one set, plus that of the current field."""
        if self.field is None or not self.field_active:
            return self.drift
        here = self.true_motion
        return self.drift.plus(Drift(*self.field.at(here.x, here.y, here.depth, self.clock)))

    def order(self, name: str, value: float, now: float) -> None:
        """Set an order, named as in ``Inputs``; see ``order_rudder``."""
        if name == "rudder":
            self.order_rudder(value, now)
        else:
            setattr(self.inputs, name, value)

    def order_rudder(self, desired: float, now: float) -> None:
        """Command a rudder angle [%]; the model decides how fast the rudder follows."""
        elapsed, self._last_order = now - self._last_order, now
        self.inputs.rudder = self.model.order_rudder(self.inputs.rudder, desired, elapsed)

    def place(self, **pose: float) -> None:
        """Set any of x, y, heading, speed and depth in both records."""
        self.state = self.model.placed(self.state, **pose)
        self.truth = self.model.placed(self.truth, **pose)

    def carry(self, x: float, y: float) -> None:
        """Move the vessel to a place; the record without drift moves alike and keeps its error."""
        here, record = self.true_motion, self.motion
        self.truth = self.model.placed(self.truth, x=x, y=y)
        if self.dual_state:
            there = {"x": record.x + x - here.x, "y": record.y + y - here.y}
            self.state = self.model.placed(self.state, **there)
        else:
            self.state = self.truth

    def fix(self) -> None:
        """Set the navigation record to the truth, as a position fix does."""
        self.state = self.truth
