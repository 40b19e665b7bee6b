"""User-defined Python: the keys that name it, and what keeps it from being loaded unasked."""

from __future__ import annotations

import sys
from pathlib import Path

import steerageway
from steerageway.bus import ConfigError, Setting

CODE_KEYS = ("behavior_path", "ivp_behavior_dir", "ivp_behavior_dirs")  # of a helm
FUNCTION_KEY = "policy"  # of pPolicy: module:function
FMU_KEY = "fmu"  # of a vessel, and of an app that is one
NO_CODE = "Python of the mission's own; --no-code refuses it"
NO_FMU = "machine code of the mission's own; --no-code refuses it"
_IN = str(Path(steerageway.__file__).parents[1])


def program(module: str) -> list[str]:
    """Return the command that runs one of our modules as a program, in any folder.

    ``python -m`` would load modules from the current folder first, which may be a mission's.
    """
    find = f"import runpy, sys; sys.path.append({_IN!r})"
    run = f"runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
    return [sys.executable, "-P", "-c", f"{find}; {run}"]


def check_no_code(setting: Setting, problem: str = NO_CODE) -> None:
    """Check that a block names no Python files or functions, and no FMU.

    Raises:
        ConfigError: the first line that does.
    """
    for entry in setting.config.entries:
        place = setting.folder / entry.value.strip()
        named = entry.key.lower() in CODE_KEYS and (place.is_file() or any(place.glob("*.py")))
        if named or (entry.key.lower() == FUNCTION_KEY and ":" in entry.value):
            raise ConfigError(entry.where, entry.key, entry.value, problem)
        if entry.key.lower() == FMU_KEY and place.is_file():
            raise ConfigError(entry.where, entry.key, entry.value, NO_FMU)
