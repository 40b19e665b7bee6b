"""The publish-subscribe bus and simulated time. Knows no boats and no file formats.

This is its public interface: code of other packages imports from here only. What needs sockets or
a broker is loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from steerageway import lazily, refuse_bare_import
from steerageway.bus.core import declare
from steerageway.bus.core.app import APPCAST_SEPARATOR, App, AtLaunch
from steerageway.bus.core.appcasts import ANSWER as APPCAST
from steerageway.bus.core.cases import CASE_RESET, Case, Order
from steerageway.bus.core.clock import WARP, Pacer, Share, sleep, stopwatch, wall
from steerageway.bus.core.common_options import CommonOptions, read_app_tick
from steerageway.bus.core.config import Config, Entry, at_line, parsed
from steerageway.bus.core.declare import Options
from steerageway.bus.core.errors import (
    BackPressure,
    BusError,
    CannotGoOn,
    ConfigError,
    ConfigErrors,
    ControlError,
    NoAnswer,
    PortInUse,
    PostRefused,
    Refused,
    RegistrationRefused,
    ServerError,
    ValueRefused,
    WireError,
)
from steerageway.bus.core.inputs import INPUTS_FILE, dump_input, dump_order, load_inputs
from steerageway.bus.core.interrupts import Interrupts
from steerageway.bus.core.message import (
    NANO,
    Message,
    Post,
    Row,
    as_value,
    is_name,
    is_postable,
    nanoseconds,
)
from steerageway.bus.core.plan import (
    AppOutcome,
    AppPlan,
    Condition,
    Failure,
    Input,
    Outcome,
    Phase,
    Placement,
    Progress,
    RunPlan,
)
from steerageway.bus.core.runner import Answer, Kind, Runner, failure_of, trouble
from steerageway.bus.core.runtime import (
    allow_files,
    borrowed,
    is_there,
    new_token,
    runtime_folder,
    shut,
)
from steerageway.bus.core.setting import Setting
from steerageway.bus.core.shares import Inlet, Outlet
from steerageway.bus.core.sharing_app import SharingApp
from steerageway.bus.core.stamps import (
    AFTER,
    INPUT,
    ITERATE,
    NEVER,
    instant_of,
    nth,
    stamp,
    start_place,
    tick_period,
)
from steerageway.declarations import Parameter, variables
from steerageway.declarations.patterns import any_matches, is_pattern, matches, may_meet
from steerageway.declarations.posted import Value
from steerageway.declarations.variables import Publication, Subscription
from steerageway.diagnostics.error_text import error_text

refuse_bare_import(__name__)


if TYPE_CHECKING:
    from steerageway.bus.database.database import Database
    from steerageway.bus.database.ending import Goal
    from steerageway.bus.database.posted import HEARD_BY_EVERY_APP, OF_DATABASE, OF_EVERY_APP
    from steerageway.bus.lockstep.slot import Slot
    from steerageway.bus.observers.run_file import RUN_FILE, this_host
    from steerageway.bus.processes.children import DIED, cores, fork, how_it_ended
    from steerageway.bus.processes.run import run
    from steerageway.bus.processes.standalone import ask_who, serve_app
    from steerageway.bus.processes.stepped import Stepped
    from steerageway.bus.transport.client import Client
    from steerageway.bus.transport.keys import add_client, make_server

__getattr__ = lazily(
    __name__,
    {
        "bus.database.database": "Database",
        "bus.database.ending": "Goal",
        "bus.lockstep.slot": "Slot",
        "bus.observers.run_file": "RUN_FILE this_host",
        "bus.processes.children": "DIED cores fork how_it_ended",
        "bus.processes.run": "run",
        "bus.processes.group_host": "run_remote_host",
        "bus.processes.standalone": "ask_who serve_app",
        "bus.processes.stepped": "Stepped",
        "bus.database.posted": "HEARD_BY_EVERY_APP OF_DATABASE OF_EVERY_APP",
        "bus.transport.client": "Client",
        "bus.transport.keys": "add_client make_server",
    },
)

__all__ = [
    "AFTER", "APPCAST", "APPCAST_SEPARATOR", "CASE_RESET", "DIED", "HEARD_BY_EVERY_APP",
    "INPUT", "INPUTS_FILE", "ITERATE", "NANO", "NEVER", "OF_DATABASE", "OF_EVERY_APP",
    "RUN_FILE", "WARP", "Answer", "App", "AppOutcome", "AppPlan", "AtLaunch", "BackPressure",
    "BusError", "CannotGoOn", "Case", "Client", "CommonOptions", "Condition", "Config",
    "ConfigError", "ConfigErrors", "ControlError", "Database", "Entry", "Failure", "Goal", "Inlet",
    "Input", "Interrupts", "Kind", "Message", "NoAnswer", "Options", "Order", "Outcome", "Outlet",
    "Pacer", "Parameter", "Phase", "Placement", "PortInUse", "Post", "PostRefused", "Progress",
    "Publication", "Refused", "RegistrationRefused", "Row", "RunPlan", "Runner", "ServerError",
    "Setting", "Share", "SharingApp", "Slot", "Stepped", "Subscription", "Value", "ValueRefused",
    "WireError", "add_client", "allow_files", "any_matches", "as_value", "ask_who", "at_line",
    "borrowed", "cores", "declare", "dump_input", "dump_order", "error_text", "failure_of", "fork",
    "how_it_ended", "instant_of", "is_name", "is_pattern", "is_postable", "is_there", "load_inputs",
    "make_server", "matches", "may_meet", "nanoseconds", "new_token", "nth", "parsed",
    "read_app_tick", "run", "run_remote_host", "runtime_folder", "serve_app", "shut", "sleep",
    "stamp", "start_place", "stopwatch", "this_host", "tick_period", "trouble", "variables", "wall",
]  # fmt: skip
