"""Modes of ArduPilot's Rover, and the posts that they stand for.

mode = AUTO # DEPLOY=true # RETURN=false
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from steerageway.bus import Config, Value
from steerageway.diagnostics.nearest import hint
from steerageway.moos.values import auto_value, split_first

ARM, DISARM, MANUAL, AUTO, GUIDED = "ARM", "DISARM", "MANUAL", "AUTO", "GUIDED"
HOLD, RETURN = "HOLD", "RTL"
NUMBERS = {
    MANUAL: 0,
    "ACRO": 1,
    "STEERING": 3,
    HOLD: 4,
    "LOITER": 5,
    "FOLLOW": 6,
    "SIMPLE": 7,
    AUTO: 10,
    RETURN: 11,
    "SMART_RTL": 12,
    GUIDED: 15,
}
"""Rover's modes; source: ArduPilot, Rover/mode.h."""

Posts = tuple[tuple[str, Value], ...]
Modes = Mapping[str, Posts]

USUAL: Modes = {
    ARM: (("MOOS_MANUAL_OVERRIDE", "false"),),
    DISARM: (("MOOS_MANUAL_OVERRIDE", "true"),),
    MANUAL: (("MOOS_MANUAL_OVERRIDE", "true"),),
    HOLD: (("DEPLOY", "false"),),
    RETURN: (("DEPLOY", "true"), ("RETURN", "true")),
    AUTO: (("DEPLOY", "true"), ("RETURN", "false")),
    GUIDED: (("DEPLOY", "true"), ("RETURN", "false")),
}


def read_modes(config: Config, names: Sequence[str]) -> Modes:
    """Read lines ``NAME # VARIABLE=VALUE # ...``; other modes keep their usual posts.

    Raises:
        ConfigError: the name is no mode, or a part no post.
    """
    modes = dict(USUAL)
    for entry in config.all(*names):
        name, *parts = (part.strip() for part in entry.value.split("#"))
        known = (*NUMBERS, ARM, DISARM)
        if name.upper() not in known:
            expected = f"{name}: expected {', '.join(known)}{hint(name, known)}"
            raise Config.error(entry, expected)
        posts = []
        for part in parts:
            variable, value = split_first(part, "=")
            if len(variable.split()) != 1 or "=" not in part:
                raise Config.error(entry, f"{part}: expected VARIABLE=VALUE")
            posts.append((variable, auto_value(value)))
        if not posts:
            raise Config.error(entry, f"expected posts, as {name} # DEPLOY=true # RETURN=false")
        modes[name.upper()] = tuple(posts)
    return modes


class ModeOf:
    """The mode of a vessel: the one commanded last, as long as its posts hold.

    Args:
        modes: of the block.
    """

    def __init__(self, modes: Modes) -> None:
        self._modes = modes
        self.variables = tuple(dict.fromkeys(n for posts in modes.values() for n, _ in posts))
        self._values: dict[str, Value] = {}
        self._commanded, self._armed = "", True

    def take(self, name: str, value: Value) -> None:
        """Note a variable's value."""
        self._values[name] = value

    def command(self, name: str) -> Posts:
        """Note a command, and return its posts; a mode commanded when armed takes control."""
        if name in (ARM, DISARM):
            self._armed = name == ARM
            held = self._commanded == MANUAL and name == ARM
            return self._modes[MANUAL] if held else self._modes[name]
        self._commanded = name
        taking = self._modes[ARM] if self._armed and name != MANUAL else ()
        return (*self._modes[name], *taking)

    def has(self, name: str) -> bool:
        """Whether the block gives posts for a mode."""
        return name in self._modes

    @property
    def armed(self) -> bool:
        """Whether helm and controller, or in MANUAL the ground station, may steer."""
        if self._commanded == MANUAL:
            return self._armed
        return not self._holds(DISARM)

    @property
    def name(self) -> str:
        """The mode that is shown."""
        if self._commanded and self._holds(self._commanded):
            return self._commanded
        others = (name for name in self._modes if name in NUMBERS and name != MANUAL)
        return next((name for name in others if self._holds(name)), HOLD)

    def _holds(self, name: str) -> bool:
        posts = self._modes[name]
        return all(_same(self._values.get(variable), value) for variable, value in posts)


def _same(first: Value | None, second: Value) -> bool:
    if isinstance(first, str) and isinstance(second, str):
        return first.strip().lower() == second.lower()
    return first == second
