"""Writes a vessel's folder as an FMU, by ``pythonfmu`` (FMI 2.0) or ``pythonfmu3`` (FMI 3.0)."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import NamedTuple

from steerageway.declarations import replacing
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fmi.slave import FILES, SETTINGS
from steerageway.vessel.fossen.craft import FossenModel
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import Choice, load

NEEDS = "pip install 'steerageway[fmi]'"


class Kit(NamedTuple):
    """The package that writes FMUs of one version of FMI, and its names."""

    package: str
    slave: str
    real: str
    enumerations: str
    independent: bool


KITS = MappingProxyType(
    {
        "2.0": Kit("pythonfmu", "Fmi2Slave", "Real", "Fmi2", False),
        "3.0": Kit("pythonfmu3", "Fmi3Slave", "Float64", "Fmi3", True),
    }
)
SCRIPT = '''"""The vessel {name} as an FMU: it needs Python with steerageway where it runs."""

from {package} import {slave}
from {package}.enums import {enumerations}Causality, {enumerations}Variability
from {package}.variables import {real}
from steerageway.vessel.fmi.slave import Kit, VesselSlave, keep

keep(globals())


class {name}(VesselSlave, {slave}):
    kit = Kit({real}, {enumerations}Causality, {enumerations}Variability, {independent})
'''


def export(
    choice: Choice,
    output: Path,
    *,
    version: str = "2.0",
    time_step: float = 0.02,
    by_actuator: bool = False,
) -> Dynamics:
    """Write a vessel as an FMU for co-simulation, with the files of its folder inside.

    The FMU needs Python with steerageway and the vessel's own extras where it runs.

    Args:
        choice: the vessel.
        output: the file to write.
        version: of FMI, one of ``KITS``.
        time_step: of the vessel's integration [s].
        by_actuator: whether its inputs are the commands of each actuator, instead of orders.

    Returns: the vessel as the FMU has it.
    Raises:
        InvalidValue: the vessel is wrong or needs files outside of its folder, the time step is too
            long, or the package that writes FMUs is not installed.
    """
    kit = KITS[version]
    if find_spec(kit.package) is None:
        raise InvalidValue(f"FMUs are written by {kit.package}, which is not installed: {NEEDS}")
    with TemporaryDirectory() as made:
        place = Path(made) / "resources"
        moved, overrides = _copied(choice, place)
        vessel = load(
            place / FILES,
            choice.peer_compat,
            overrides=choice.overrides,
            elsewhere={name: place / path for name, path in moved.items()},
        )
        FossenModel(vessel, time_step)
        settings = {
            "peer_compat": choice.peer_compat,
            "overrides": overrides,
            "elsewhere": moved,
            "time_step": time_step,
            "by_actuator": by_actuator,
            "description": f"{vessel.name}, of {choice.folder.name}, in calm water",
        }
        (place / SETTINGS).write_text(json.dumps(settings, indent=1))
        name = _identifier(output.stem)
        script = Path(made) / f"{name}_fmi{version[0]}.py"
        script.write_text(SCRIPT.format(name=name, **kit._asdict()))
        written = _build(kit, script, place, Path(made))
        output.parent.mkdir(parents=True, exist_ok=True)
        with replacing(output) as fresh:
            shutil.move(written, fresh)
    return vessel


def _copied(choice: Choice, place: Path) -> tuple[dict[str, str], dict[str, object]]:
    """Copy a vessel's files; return where those of other folders are, and changes of values."""
    try:
        shutil.copytree(choice.folder, place / FILES)
    except shutil.Error as error:  # of each file: what, where to, why
        raise InvalidValue(error.args[0][0][-1], str(place)) from None
    moved = {}
    for name, path in choice.elsewhere.items():
        moved[name] = f"elsewhere/{name}/{path.name}"
        (place / moved[name]).parent.mkdir(parents=True)
        shutil.copy(path, place / moved[name])
    return moved, {key: getattr(value, "value", value) for key, value in choice.overrides.items()}


def _identifier(text: str) -> str:
    """Return a name that is one in C, Python and XML."""
    name = re.sub(r"\W", "_", text, flags=re.ASCII)
    return name if name[:1].isalpha() else f"vessel_{name}"


def _build(kit: Kit, script: Path, resources: Path, place: Path) -> Path:
    builder = import_module(f"{kit.package}.builder").FmuBuilder
    with _unchanged_path():
        return Path(
            builder.build_FMU(
                script,
                dest=place / "built",
                project_files=sorted(resources.iterdir()),
                needsExecutionTool="true",
            )
        )


@contextmanager
def _unchanged_path() -> Iterator[None]:
    """Undo what builders do to the search path of modules."""
    before = list(sys.path)
    try:
        yield
    finally:
        sys.path[:] = before
