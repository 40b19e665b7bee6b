"""Reader of a run's environment from a simulator's block, and of its changes by mail.

It loads NumPy, and numba if there are waves: import it only where there is an environment.
"""

from __future__ import annotations

from pathlib import Path

from steerageway.bus import Config
from steerageway.world.environment import Environment
from steerageway.world.errors import InvalidValue
from steerageway.world.numbers import read_finite
from steerageway.world.reading import load
from steerageway.world.weather import Change

FILE, KEY = "environment", "environment_key"
EXAMPLE = "waves.Hs = 1.2"
CHANGE = "WORLD_CHANGE"


def read_environment(config: Config, folder: Path, seed: int) -> Environment:
    """Read the environment of a block.

    Raises:
        ConfigError: a line, or a file it names, is invalid.
    """
    entry = config.entry(FILE)
    keys: dict[str, tuple[str, str]] = {}
    for line in config.all(KEY):
        key, equals, value = (part.strip() for part in line.value.partition("="))
        if not equals:
            raise Config.error(line, f"expected KEY = VALUE, as {EXAMPLE}")
        keys[key] = value, line.where
    offending_line = entry or config.all(KEY)[0]
    try:
        return load(None if entry is None else folder / entry.value.strip(), seed, keys)
    except InvalidValue as error:
        (one,) = error.diagnostics
        for line in config.all(KEY):
            if one.where == line.where:
                raise Config.error(line, one.text_at(line.where)) from None
        raise Config.error(offending_line, str(error)) from None


def change_of(text: str) -> Change:
    """Parse ``WORLD_CHANGE``: ``number=1,time=42,ramp=10,Hs=1.5,source=``.

    Raises:
        InvalidValue: the text has another form.
    """
    parts = text.split(",")
    begins = next((part.removeprefix("time=") for part in parts if part.startswith("time=")), "")
    if len(parts) < 4:
        raise InvalidValue("expected number=,time=,ramp=, a change and source=")
    return Change(read_finite(begins, repr(text)), parts[3])
