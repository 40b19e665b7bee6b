"""``VesselSlave``: a vessel of a folder inside an FMU, stepped by the importing tool.

``export`` writes a script with a class of it and of ``pythonfmu``'s or ``pythonfmu3``'s slave.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from ctypes import py_object, pythonapi
from math import isfinite
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple
from xml.etree.ElementTree import Element, SubElement

from steerageway.vessel.craft import Craft
from steerageway.vessel.drift import Drift
from steerageway.vessel.errors import VesselError
from steerageway.vessel.fossen.commands import ORDERS, Commands
from steerageway.vessel.fossen.craft import FossenModel
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.state import ACTUATORS, STATE_NAMES, shown
from steerageway.vessel.polar import Wind

SETTINGS, FILES = "vessel.json", "vessel"
"""In the FMU's resources: how the vessel is built, and the folder of its files."""
POSE = ("x", "y", "heading", "speed", "depth")
POSE_UNITS = ("m east", "m north", "deg clockwise from north", "m/s through the water", "m")
ATTITUDE = dict(zip(("roll", "pitch", "yaw"), (3, 4, 5), strict=True))
AROUND = {
    "current_x": "velocity of the water to the east [m/s]",
    "current_y": "velocity of the water to the north [m/s]",
    "wind_speed": "speed of the wind [m/s]",
    "wind_direction": "where the wind comes from [deg]",
}
ORDER_UNITS = ("% to starboard", "% ahead", "deg of planes, bow down; else %", "% ahead", "% ahead")
CLOSE = 1e-6  # tools add steps up, and so differ from the clock [s]


class Kit(NamedTuple):
    """What the package of a version of FMI calls things.

    Attributes:
        real: class of a real variable.
        causality, variability: enumerations.
        independent: whether time is a variable, too, as FMI 3.0 demands.
    """

    real: Any
    causality: Any
    variability: Any
    independent: bool


def keep(module: dict[str, Any]) -> None:
    """Add a reference to a script's variables.

    The library of ``pythonfmu`` 0.7 executes the script for each instance and then releases a
    reference to its variables that it does not own; without another they would be freed in use.
    """
    pythonapi.Py_IncRef(py_object(module))


class VesselSlave:
    """A vessel with orders, or commands of its actuators, as inputs, and its state as outputs.

    A base class before ``Fmi2Slave`` or ``Fmi3Slave``. The outputs are those of the exact end of
    each step; between two of the vessel's own time steps by a shorter one.
    """

    kit: ClassVar[Kit]
    resources: str
    _lost = ""  # why the vessel cannot go on
    register_variable: Callable[[Any], None]

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        resources = Path(self.resources)
        settings = json.loads((resources / SETTINGS).read_text())
        places = {name: resources / path for name, path in settings["elsewhere"].items()}
        peer, overrides = settings["peer_compat"], settings["overrides"]
        vessel = load(resources / FILES, peer, overrides, places)
        mapping = orders_of(vessel)
        model = FossenModel(vessel, settings["time_step"], mapping)
        self.description = settings["description"]
        self._channels = {one.name: shown(one) for one in vessel.actuators}
        self._craft = Craft(model, model.start)
        self._commands = Commands(vessel, mapping)
        self._values = dict.fromkeys(AROUND, 0.0)
        commanded = {one.name: f"command [{shown(one)[1]}]" for one in vessel.commands}
        served = {
            name: f"order [{unit}]"
            for name, unit in zip(ORDERS, ORDER_UNITS, strict=True)
            if mapping.serves(name)
        }
        self._by_actuator = settings["by_actuator"]
        self._ordered = commanded if self._by_actuator else served
        self._values |= dict.fromkeys(self._ordered, 0.0)
        # rounded as the description of the FMU has them, from which tools set them again
        start = self._craft.motion
        self._start = {key: float(f"{getattr(start, key):.16g}") for key in POSE}
        self._values |= {f"start_{key}": value for key, value in self._start.items()}
        for args in self._declared():
            self._declare(*args)

    def _declare(
        self, name: str, causality: str, description: str, get: Any, settable: Any
    ) -> None:
        kit = self.kit
        steady = "fixed" if causality == "parameter" else "continuous"
        self.register_variable(
            kit.real(
                name,
                causality=kit.causality[causality],
                variability=kit.variability[steady],
                description=description,
                getter=get,
                setter=settable,
            )
        )

    def _declared(self) -> Iterator[tuple[str, str, str, Any, Any]]:
        """Yield name, causality, description, getter and setter of each variable."""
        craft = self._craft
        if self.kit.independent:
            yield "time", "independent", "time [s]", lambda: craft.clock, None
        for name, text in (self._ordered | AROUND).items():
            yield name, "input", text, *self._accessors(name)
        for key, unit in zip(POSE, POSE_UNITS, strict=True):
            text = f"{key} at the start [{unit}]"
            yield f"start_{key}", "parameter", text, *self._accessors(f"start_{key}")
        for key, unit in zip(POSE, POSE_UNITS, strict=True):
            yield key, "output", f"{key} [{unit}]", self._moved(key), None
        for key, place in ATTITUDE.items():
            yield key, "output", f"{key} [rad], zyx Euler angles", self._seen(place), None
        for place, key in enumerate(STATE_NAMES[6:], 6):
            unit = "m/s" if place < 9 else "rad/s"
            yield key, "output", f"{key} over ground, in BODY [{unit}]", self._seen(place), None
        for place, (name, (factor, unit)) in enumerate(self._channels.items(), ACTUATORS):
            get = self._seen(place, factor)
            yield f"{name}_actual", "output", f"actual position or rate [{unit}]", get, None

    def to_xml(self, model_options: Mapping[str, str] = MappingProxyType({})) -> Element:
        """Return the description, with the initial unknowns, which the package for 2.0 omits."""
        described: Any = super()
        root: Element = described.to_xml(model_options)
        structure, outputs = root.find("ModelStructure"), root.find("ModelStructure/Outputs")
        if structure is not None and outputs is not None:
            SubElement(structure, "InitialUnknowns").extend(outputs)
        return root

    def _accessors(self, name: str) -> tuple[Callable[[], float], Callable[[float], None]]:
        values = self._values
        return lambda: values[name], lambda value: values.update({name: value})

    def _moved(self, key: str) -> Callable[[], float]:
        return lambda: float(getattr(self._craft.motion, key))

    def _seen(self, place: int, factor: float = 1.0) -> Callable[[], float]:
        return lambda: float(self._craft.truth.seen[place]) * factor

    def exit_initialization_mode(self) -> None:
        """Place the vessel, where its start was set to another pose."""
        pose = {key: self._values[f"start_{key}"] for key in POSE}
        changed = {key: value for key, value in pose.items() if value != self._start[key]}
        self._craft.place(**changed)

    def setup_experiment(self, start_time: float, *rest: Any) -> None:
        """Begin at another time than 0 [s]."""
        self._craft.wait(start_time)

    def do_step(self, current_time: float, step_size: float) -> bool:
        """Move the vessel by a step [s] under the present inputs.

        An exception would end the instance in the library, which later calls would crash.

        Returns: False, which the tool gets as an error, and the reason as a message, if one of
            these is not finite or time would go backwards, when nothing moves; and from where the
            vessel cannot go on until a reset.
        """
        craft, values = self._craft, self._values
        taken = {**values, "current time": current_time, "step size": step_size}
        if wrong := [name for name, value in taken.items() if not isfinite(value)]:
            return self._refuse(f"{', '.join(wrong)}: expected finite numbers")
        if step_size < 0.0 or current_time < craft.clock - CLOSE:
            return self._refuse(
                f"current time {current_time:g} s, step size {step_size:g} s: expected a step of "
                f"0 s or more from {craft.clock:g} s"
            )
        if self._lost:
            return self._refuse(self._lost)
        try:
            self._move(current_time + step_size)
        except VesselError as error:
            self._lost = str(error)
            return self._refuse(self._lost)
        return True

    def _refuse(self, reason: str) -> bool:
        told: Any = super()
        told.log(f"{reason}; the vessel was not moved")
        return False

    def _move(self, end: float) -> None:
        craft, values = self._craft, self._values
        inputs, ordered = craft.inputs, {name: values[name] for name in self._ordered}
        craft.drift = Drift(values["current_x"], values["current_y"])
        blows = Wind(values["wind_speed"], values["wind_direction"])
        inputs.wind = blows if blows.speed > 0.0 else None
        if self._by_actuator:
            self._commands.tell(ordered, craft.clock)
        else:
            self._commands.order([ordered.get(name, 0.0) for name in ORDERS], craft.clock)
        for until, changes in self._commands.spans(inputs, craft.clock, end):
            craft.advance(until)
            if changes:
                craft.settle()
        craft.settle()
