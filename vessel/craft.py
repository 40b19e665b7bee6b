"""A simulated vessel at sea: a model, its state, and what acts on it as time goes on."""

from __future__ import annotations

from typing import Generic

from steerageway.vessel.drift import Drift
from steerageway.vessel.model import Inputs, Motion, State, VesselModel
from steerageway.world.current_field import CurrentField


class Craft(Generic[State]):
    """One vessel, moved from instant to instant.

    With a dual state there are two records: one that feels no drift, as a navigation system
    without a fix would have it, and the truth.

    Attributes:
        model: what moves it; may be replaced by one with other parameters at any time.
        state: the model's state; of the record without drift, with a dual state.
        truth: the state with drift; only with a dual state, else it equals ``state``.
        inputs: what acts on it; ``inputs.drift`` is set by ``advance``.
        drift: the drift that configuration and mail ask for.
        field: a current that depends on place and time; felt while ``field_active``.
        paused: time passes and the vessel stays.
        clock: the instant its state belongs to [s].
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
        """What the navigation record says."""
        return self.model.motion(self.state)

    @property
    def true_motion(self) -> Motion:
        """Where the vessel really is."""
        return self.model.motion(self.truth)

    def advance(self, now: float) -> None:
        """Move the vessel to an instant [s]; a paused one only grows older.

        Raises:
            NotFinite: the vessel's state is no longer made of numbers.
        """
        dt, self.clock = now - self.clock, now
        if self.paused:
            return
        inputs = self.inputs
        inputs.time = now
        inputs.drift = self.total_drift()
        self.truth = self.model.step(self.truth, inputs, dt)
        if self.dual_state:
            inputs.drift = Drift()
            self.state = self.model.step(self.state, inputs, dt)
        else:
            self.state = self.truth

    def settle(self) -> None:
        """Integrate up to the clock: what acts on the vessel is about to change."""
        inputs = self.inputs
        inputs.time = self.clock
        inputs.drift = self.total_drift()
        self.truth = self.model.settled(self.truth, inputs)
        if self.dual_state:
            inputs.drift = Drift()
            self.state = self.model.settled(self.state, inputs)
        else:
            self.state = self.truth

    def wait(self, now: float) -> None:
        """Let time pass without moving the vessel."""
        self.clock = now

    def total_drift(self) -> Drift:
        """Return the drift that is felt now: the one asked for, and the current field's."""
        if self.field is None or not self.field_active:
            return self.drift
        here = self.true_motion
        return self.drift.plus(Drift(*self.field.at(here.x, here.y, here.depth, self.clock)))

    def order_rudder(self, desired: float, now: float) -> None:
        """Order a rudder angle [per cent]; what comes of it is the model's affair."""
        elapsed, self._last_order = now - self._last_order, now
        self.inputs.rudder = self.model.order_rudder(self.inputs.rudder, desired, elapsed)

    def place(self, **pose: float) -> None:
        """Put both records somewhere else: any of x, y, heading, speed and depth."""
        self.state = self.model.placed(self.state, **pose)
        self.truth = self.model.placed(self.truth, **pose)

    def carry(self, x: float, y: float) -> None:
        """Put the vessel at a place; the record without drift moves as far, and keeps its error."""
        here, told = self.true_motion, self.motion
        self.truth = self.model.placed(self.truth, x=x, y=y)
        if self.dual_state:
            there = {"x": told.x + x - here.x, "y": told.y + y - here.y}
            self.state = self.model.placed(self.state, **there)
        else:
            self.state = self.truth

    def fix(self) -> None:
        """Make the navigation record agree with the truth, as a position fix does."""
        self.state = self.truth
