"""The pub-sub bus and time. Knows no boats and no file formats."""

from steerageway.bus.app import App
from steerageway.bus.config import Config, Entry, Parameter
from steerageway.bus.errors import BusError, CannotGoOn, ConfigError, Refused, ValueRefused
from steerageway.bus.message import Message, Post, Value
from steerageway.bus.plan import Outcome, Placement, RunPlan
from steerageway.bus.run import run
from steerageway.bus.setting import Setting

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
