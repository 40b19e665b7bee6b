"""Handlers of the simulator's mail: one function for each variable it subscribes to.

Numbers and texts have a table each: variable -> function of (scene, value, source). An invalid
value raises ``ValueError`` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from steerageway.apps.shared.drift_lines import bounded, read_vector
from steerageway.apps.shared.generation import Generation
from steerageway.apps.vessels.usim_marine.handshake import Handshake
from steerageway.apps.vessels.usim_marine.pose import read_place, read_pose
from steerageway.declarations import Number, boolean, truth
from steerageway.geometry.geodesy import check_local
from steerageway.geometry.marine import angle360
from steerageway.vessel.craft import Craft
from steerageway.vessel.drift import Drift
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.polar import Wind

if TYPE_CHECKING:
    from steerageway.vessel.step_orders import StepOrders


@dataclass(slots=True)
class Scene:
    """The vessel and its surroundings, as far as mail may change them.

    Attributes:
        craft, handshake, generation: see there.
        step_orders: orders of a simulator that takes their means; None: they act as they come.
        water_depth: at the vessel's position [m]; 0 or less: dry ground; None: unknown.
        now: simulated time [s].
        heard: commit time of the mail being processed [s].
        enabled: whether this simulator moves the vessel, or another one does.
        blocked: whether the vessel has hit an obstacle.
        resets: number of resets.
        teleports: number of moves to another position without a reset.
        plane: whether there is a datum, near which positions must lie.
        drift_sources: apps that have changed the drift.
        drift_changed: whether the drift summary may have changed.
    """

    craft: Craft[Any]
    handshake: Handshake
    generation: Generation
    step_orders: StepOrders | None = None
    water_depth: float | None = None
    now: float = 0.0
    heard: float = 0.0
    enabled: bool = True
    blocked: bool = False
    resets: int = 0
    teleports: int = 0
    plane: bool = False
    drift_sources: dict[str, None] = field(default_factory=dict)
    drift_changed: bool = True


AT_LEAST_0 = Number(low=0.0)
LARGEST = 1e8  # size of a number of a state or a parameter, which the motion still resolves
TakeNumber = Callable[[Scene, float, str], None]
TakeText = Callable[[Scene, str, str], None]


def check_size(*values: float) -> None:
    """Check that numbers are not so large that a vessel's state cannot take them.

    Raises:
        InvalidValue: one is.
    """
    if not all(abs(value) <= LARGEST for value in values):
        raise InvalidValue(f"expected numbers of at most {LARGEST:g} in size")


def _order(name: str) -> TakeNumber:
    """Return the handler of an order, named as in ``Inputs``."""

    def taken(scene: Scene, value: float, source: str) -> None:
        if scene.step_orders is not None:
            scene.step_orders.give(name, value, scene.heard, scene.craft.clock)
        else:
            scene.craft.order(name, value, scene.now)

    return taken


def _mode(name: str) -> TakeText:
    """Return the handler of a mode of the thrust, named as in ``Inputs``."""

    def taken(scene: Scene, text: str, source: str) -> None:
        word = text.strip().lower()
        if word not in (name, "true", "normal", "false"):
            raise InvalidValue(f"expected {name}, true, normal or false")
        setattr(scene.craft.inputs, name, word in (name, "true"))

    return taken


def _tuned(name: str, limits: Number) -> TakeNumber:
    """Return the handler of a parameter of the model."""

    def taken(scene: Scene, value: float, source: str) -> None:
        scene.craft.model = scene.craft.model.tuned(**{name: limits.check(value)})

    return taken


_BUOYANCY_RATE = _tuned("buoyancy_rate", Number())


def _buoyancy_control(scene: Scene, text: str, source: str) -> None:
    if truth(text):
        _BUOYANCY_RATE(scene, 0.0, source)
        scene.handshake.request_buoyancy(scene.now)


def _trim_control(scene: Scene, text: str, source: str) -> None:
    if truth(text):
        scene.handshake.request_trim(scene.now)


def _drift(changed: Callable[[Drift, Any], Drift]) -> Callable[[Scene, Any, str], None]:
    """Return the handler of a value that changes the drift: to what a function makes of both."""

    def taken(scene: Scene, value: Any, source: str) -> None:
        scene.craft.drift = bounded(changed(scene.craft.drift, value))
        new = source not in scene.drift_sources
        scene.drift_sources[source] = None
        changes = scene.generation.may_change_drift(by_another=new)
        scene.drift_changed = scene.drift_changed or changes

    return taken


_DRIFT_X = _drift(lambda drift, x: Drift(x, drift.y))
_DRIFT_Y = _drift(lambda drift, y: Drift(drift.x, y))


def _rotate_speed(scene: Scene, value: float, source: str) -> None:
    scene.craft.inputs.rotate_speed = value


def _wind(scene: Scene, text: str, source: str) -> None:
    scene.craft.inputs.wind = Wind.read(text)


def _water_depth(scene: Scene, value: float, source: str) -> None:
    scene.water_depth = scene.generation.water_depth(AT_LEAST_0.check(value))


def _current_field(scene: Scene, text: str, source: str) -> None:
    scene.craft.field_active = boolean(text)
    scene.drift_changed = True


def _enabled(scene: Scene, text: str, source: str) -> None:
    scene.enabled = boolean(text)


def _paused(scene: Scene, text: str, source: str) -> None:
    scene.craft.paused = boolean(text)


def _obstacle_hit(scene: Scene, value: float | str, source: str) -> None:
    scene.blocked = boolean(value) if isinstance(value, str) else value != 0


def _check_place(scene: Scene, x: float, y: float) -> None:
    """Check a place that a vessel is to have [m]: raises if it is too far from the datum."""
    if scene.plane:
        check_local(x, y)


def _reset(scene: Scene, text: str, source: str) -> None:
    pose = read_pose(text)
    check_size(*pose.values())
    here = scene.craft.true_motion
    _check_place(scene, pose.get("x", here.x), pose.get("y", here.y))
    scene.craft.place(**pose)
    scene.resets += 1


def _teleport(scene: Scene, text: str, source: str) -> None:
    place = read_place(text)
    check_size(*place)
    _check_place(scene, *place)
    scene.craft.carry(*place)
    scene.teleports += 1


def _reset_nav(scene: Scene, value: float | str, source: str) -> None:
    scene.craft.fix()


def _nav_x(scene: Scene, value: float, source: str) -> None:
    scene.craft.place(x=value)
    scene.craft.inputs.rudder = 0.0


def _nav_y(scene: Scene, value: float, source: str) -> None:
    scene.craft.place(y=value)
    scene.craft.inputs.rudder = 0.0


def _nav_heading(scene: Scene, value: float, source: str) -> None:
    hull = angle360(value + 180) if scene.craft.inputs.reverse else value
    scene.craft.place(heading=hull)
    scene.craft.inputs.rudder = 0.0


ORDERED = {
    "DESIRED_RUDDER": "rudder",
    "DESIRED_THRUST": "thrust",
    "DESIRED_ELEVATOR": "elevator",
    "DESIRED_THRUST_L": "thrust_left",
    "DESIRED_THRUST_R": "thrust_right",
}
"""Variables of orders, and the names of these in ``Inputs``."""
ACTUATORS = {variable: _order(name) for variable, name in ORDERED.items()}
NUMBERS: dict[str, TakeNumber] = {
    "USM_TURN_RATE": _tuned("turn_rate", Number(low=0.0, high=100.0)),
    "USM_TURN_RADIUS": _tuned("turn_radius", AT_LEAST_0),
    "BUOYANCY_RATE": _BUOYANCY_RATE,
    "WATER_DEPTH": _water_depth,
    "CURRENT_X": _DRIFT_X,
    "CURRENT_Y": _DRIFT_Y,
    "DRIFT_X": _DRIFT_X,
    "DRIFT_Y": _DRIFT_Y,
    "DRIFT_VECTOR_MULT": _drift(Drift.times),
    "ROTATE_SPEED": _rotate_speed,
    "OBSTACLE_HIT": _obstacle_hit,
    "USM_RESET_NAV": _reset_nav,
}
TEXTS: dict[str, TakeText] = {
    "DRIFT_VECTOR": _drift(lambda drift, text: read_vector(text)),
    "DRIFT_VECTOR_ADD": _drift(lambda drift, text: drift.plus(read_vector(text))),
    "WIND_CONDITIONS": _wind,
    "THRUST_MODE_DIFFERENTIAL": _mode("differential"),
    "THRUST_MODE_REVERSE": _mode("reverse"),
    "BUOYANCY_CONTROL": _buoyancy_control,
    "TRIM_CONTROL": _trim_control,
    "USM_CURRENT_FIELD": _current_field,
    "USM_ENABLED": _enabled,
    "USM_SIM_PAUSED": _paused,
    "OBSTACLE_HIT": _obstacle_hit,
    "USM_RESET": _reset,
    "USM_RESET_NAV": _reset_nav,
    "USM_TELEPORT": _teleport,
}
ELSEWHERE: dict[str, TakeNumber] = {"NAV_X": _nav_x, "NAV_Y": _nav_y, "NAV_HEADING": _nav_heading}
"""Navigation by another simulator, subscribed to while this one is disabled."""
