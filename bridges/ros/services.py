"""Services of ROS 2 by which other programs control the run: reset, pause, resume, step, warp."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rosbags.interfaces import Nodetype

from steerageway.bridges.intake import Intake
from steerageway.bridges.ros.messages import STORE, message

TRIGGER = "std_srvs/srv/Trigger"
PARAMETERS = "rcl_interfaces/srv/SetParameters"
_INTEGER, _DOUBLE = 2, 3  # of ParameterValue
_BASE, _NAME, _SEQUENCE = Nodetype.BASE, Nodetype.NAME, Nodetype.SEQUENCE

Fields = list[tuple[str, Any]]
Answer = Callable[[Any], Any]


def register(kind: str, request: Fields, response: Fields) -> None:
    """Add a service's types to the store: request, response, and their event, for its hash."""
    parts = {f"{kind}_Request": request, f"{kind}_Response": response}
    event: Fields = [("info", (_NAME, "service_msgs/msg/ServiceEventInfo"))]
    event += [
        (key, (_SEQUENCE, ((_NAME, f"{kind}_{key.capitalize()}"), 1)))
        for key in ("request", "response")
    ]
    whole: Fields = [
        (f"{key}_message", (_NAME, f"{kind}_{key.capitalize()}"))
        for key in ("request", "response", "event")
    ]
    for name, fields in {**parts, f"{kind}_Event": event, kind: whole}.items():
        STORE.register({name: ([], fields)})


register(
    TRIGGER,
    [("structure_needs_at_least_one_member", (_BASE, ("uint8", 0)))],
    [("success", (_BASE, ("bool", 0))), ("message", (_BASE, ("string", 0)))],
)
register(
    PARAMETERS,
    [("parameters", (_SEQUENCE, ((_NAME, "rcl_interfaces/msg/Parameter"), 0)))],
    [("results", (_SEQUENCE, ((_NAME, "rcl_interfaces/msg/SetParametersResult"), 0)))],
)


def of(intake: Intake, start: str) -> Mapping[str, tuple[str, Answer]]:
    """Return the services by name: their type, and what answers a request.

    Args:
        intake: by which they act.
        start: the vessel's state after a reset, as ``USM_RESET``.
    """

    def controls(verb: str) -> Answer:
        def answer(_: Any) -> Any:
            refused = intake.control(verb)
            members = {"success": not refused, "message": refused}
            return message(f"{TRIGGER}_Response", members)

        return answer

    def reset(_: Any) -> Any:
        intake.post("USM_RESET", start)
        return message(f"{TRIGGER}_Response", {"success": True})

    def set_warp(asked: Any) -> Any:
        results = [_set_warp(intake, one) for one in asked.parameters]
        return message(f"{PARAMETERS}_Response", {"results": results})

    simple = {verb: (TRIGGER, controls(verb)) for verb in ("pause", "resume", "step")}
    return {"reset": (TRIGGER, reset), **simple, "set_warp": (PARAMETERS, set_warp)}


def _set_warp(intake: Intake, parameter: Any) -> Mapping[str, Any]:
    given = parameter.value
    numbers = {_DOUBLE: given.double_value, _INTEGER: float(given.integer_value)}
    if parameter.name != "warp" or given.type not in numbers:
        return {"successful": False, "reason": "expected one number, warp"}
    refused = intake.control("warp", numbers[given.type])
    return {"successful": not refused, "reason": refused}
