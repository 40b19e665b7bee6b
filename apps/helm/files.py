"""Reads the helm's behavior files, and Python files with user-defined behaviors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from steerageway.apps.helm.options import HelmOptions
from steerageway.bus import Config, ConfigError, ConfigErrors, at_line
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.source_map import NOWHERE, SourceMap
from steerageway.helm.kinds import Kinds
from steerageway.moos.bhv import BehaviorFile, read_behaviors
from steerageway.moos.errors import FormatError, FormatErrors, all_of


def read_files(
    options: HelmOptions, config: Config, folder: Path, sources: SourceMap = NOWHERE
) -> BehaviorFile:
    """Read the behavior files.

    Args:
        sources: names of the folder's files in messages.
    Raises:
        ConfigErrors: files cannot be read, or lines of them are invalid.
    """
    whole = BehaviorFile()
    errors: list[FormatError] = []
    missing = []
    for name in options.files:
        path = folder / name
        try:
            whole += read_behaviors(path, sources.of(path))
        except FormatError as error:
            errors += (_with_line(one, name, config) for one in all_of(error))
            missing += [] if path.exists() else [name]
    if errors:
        config_error = as_config_error(FormatErrors(errors))
        config_error.missing = tuple(missing)
        raise config_error
    return whole


def read_kinds(
    options: HelmOptions,
    folder: Path,
    warn: Callable[[Diagnostic], None],
    *,
    skip_missing: bool = False,
) -> Kinds:
    """Return the types of behaviors, user-defined ones included.

    Args:
        options: contain the files and folders of user-defined behaviors.
        folder: of the mission.
        warn: receives warnings about MOOS-IvP's folders that are missing or contain only C++ code.
        skip_missing: whether behaviors of missing types are left out.
    Raises:
        ConfigError: a ``behavior_path`` is missing or contains no behavior, or a file fails.
    """
    kinds = Kinds(skip_missing=skip_missing)
    for entry in options.behavior_path:
        place = folder / entry.value.strip()
        files = [place] if place.is_file() else sorted(place.glob("*.py"))
        if not files and not options.bhv_dir_not_found_ok:
            expected = "expected a Python file, or a folder of them (C++ behaviors do not run here)"
            error = Config.error(entry, f"{expected}; bhv_dir_not_found_ok = true does without")
            if entry.key.lower() == "behavior_path":
                raise error
            warn(*error.diagnostics)
        with at_line(entry):
            kinds.load(files)
    return kinds


def as_config_error(error: FormatError) -> ConfigError:
    """Return errors of behavior files as errors of the configuration."""
    return ConfigErrors(error.diagnostics)


def _with_line(error: FormatError, file: str, config: Config) -> FormatError:
    """Return an error about a whole file with the place of the line that names the file."""
    for entry in config.all("behaviors"):
        if not error.key and entry.value.strip() == file:
            return FormatError(entry.where, entry.key, entry.value, error.expected)
    return error
