"""The pub-sub bus and time. Knows no boats and no file formats."""

from bus.app import App
from bus.config import Config, Entry, Parameter
from bus.errors import BusError, CannotGoOn, ConfigError, Refused, ValueRefused
from bus.message import Message, Post, Value
from bus.plan import Outcome, Placement, RunPlan
from bus.run import run
from bus.setting import Setting

__all__ = [
    "App",
    "BusError",
    "CannotGoOn",
    "Config",
    "ConfigError",
    "Entry",
    "Message",
    "Outcome",
    "Parameter",
    "Placement",
    "Post",
    "Refused",
    "RunPlan",
    "Setting",
    "Value",
    "ValueRefused",
    "run",
]
