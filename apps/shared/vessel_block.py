"""Reader of the vessel that a block names, for every app that needs it. Loads numba; compiles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from steerageway.apps.shared.user_code import program
from steerageway.apps.shared.vessel_options import (
    OTHER_FILE,
    OVERRIDE,
    VesselFilesOptions,
    assignments,
)
from steerageway.bus import Config, ConfigError, Entry
from steerageway.diagnostics.diagnostic import Diagnostic, diagnostics_of
from steerageway.vessel.errors import VesselError
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import (
    FILES,
    Choice,
    OverrideValue,
    load,
    mistakes_of,
    read_folder,
)
from steerageway.vessel.fossen.keys.vessel import ACTUATOR_MAP
from steerageway.vessel.fossen.warm import ready
from steerageway.vessel.tools.place import file_of, folder_of

WARM = "steerageway.vessel.tools.warm"


def read_vessel(
    config: Config,
    places: Sequence[Path],
    needed: str = "model = fossen needs it: inputs/otter",
    mapped: Entry | None = None,
) -> Dynamics:
    """Load the vessel named by a block, ready to be stepped.

    Args: as of ``read_choice``.

    Raises:
        ConfigError: a line, or a file it names, is invalid.
    """
    choice = read_choice(config, places, needed, mapped)
    options = VesselFilesOptions.read(config)
    try:
        return ready(load(*choice), tuple(program(WARM)))
    except VesselError as error:
        entry = config.all("vessel")[0]
        lines = [*options.vessel_override, *([] if mapped is None else [mapped])]
        found = _mistakes(choice, diagnostics_of(error))
        raise config.together([_located(one, entry, lines) for one in found]) from None


def read_choice(
    config: Config, places: Sequence[Path], needed: str = "", mapped: Entry | None = None
) -> Choice:
    """Return the vessel named by a block, with the block's changes to its files.

    Args:
        config: the block.
        places: folders searched for the vessel before the shipped ones.
        needed: the error text if no vessel is named.
        mapped: the block's line that maps orders to actuators, instead of the files' map for those
            that it names.

    Raises:
        ConfigError: a line is invalid, or a file that it names does not exist.
    """
    options = VesselFilesOptions.read(config)
    entry, peer = options.vessel, options.peer_compat
    if entry is None:
        raise ConfigError(config.where, "vessel", "", needed)
    overrides: dict[str, object] = {
        key: OverrideValue(value, line.where)
        for line, key, value in assignments(options.vessel_override, OVERRIDE)
    }
    elsewhere = {}
    for line, key, value in assignments(options.vessel_file, OTHER_FILE):
        elsewhere[key] = file_of(value, places)
        if key not in FILES:
            raise Config.error(line, f"expected one of {', '.join(FILES)}")
        if not elsewhere[key].is_file():
            raise Config.error(line, f"no such file as {elsewhere[key]}")
    try:
        folder = folder_of(entry.value.strip(), places)
        peer_compat = "" if peer is None else peer.value.strip()
        found = Choice(folder, peer_compat, overrides, elsewhere)
        if mapped is not None:
            own = read_folder(*found)["vessel"].text(ACTUATOR_MAP)
            maps = ", ".join(filter(None, (own, mapped.value)))
            overrides[f"vessel.{ACTUATOR_MAP}"] = OverrideValue(maps, mapped.where)
    except VesselError as error:
        (one,) = diagnostics_of(error)
        raise _located(one, entry, options.vessel_override) from None
    return found


def _mistakes(choice: Choice, first: tuple[Diagnostic, ...]) -> Sequence[Diagnostic]:
    """Return all mistakes of a vessel's files; the first alone if they cannot be read further."""
    try:
        found = mistakes_of(choice.folder, choice.overrides, choice.elsewhere)
    except VesselError:
        return first
    return found if {*first} <= {*found} and not choice.peer_compat else first


def _located(one: Diagnostic, vessel: Entry, overrides: Sequence[Entry]) -> ConfigError:
    """Return the error at the override that caused it, else at the line of the vessel."""
    for line in overrides:
        if one.where == line.where:
            return Config.error(line, one.text_at(line.where))
    return Config.error(vessel, str(one))
