"""``Fmu``: an FMU of another program, for co-simulation by FMI 2.0 or 3.0, run by ``fmpy``.

An FMU contains machine code of its author, which runs with the rights of the user.
"""

from __future__ import annotations

import os
import shutil
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple
from xml.etree.ElementTree import iterparse
from zipfile import BadZipFile, ZipFile

from steerageway.diagnostics.nearest import did_you_mean
from steerageway.vessel.errors import InvalidValue, VesselError

VERSIONS = ("2.0", "3.0")
DESCRIPTION = "modelDescription.xml"
MOST_BYTES, MOST_FILES = 2_000_000_000, 20_000  # of an unpacked FMU
WARNING = 1  # FMI's status
KEPT = 20  # messages of an FMU
TEXT, WHOLE = ("String",), ("Int", "UInt", "Enumeration")
UNFIT = ("Binary", "Clock", *TEXT)
NEEDS = "pip install 'steerageway[fmi]'"


class FmuFailed(VesselError):
    """An FMU has refused a call, or cannot be loaded."""


class Term(NamedTuple):
    """A variable with a factor: an operand of an assignment in a configuration."""

    name: str
    factor: float = 1.0

    @classmethod
    def read(cls, text: str) -> Term:
        """Parse ``NAME`` or ``NAME * FACTOR``.

        Raises:
            InvalidValue: the factor is not a finite number.
        """
        name, star, factor = text.rpartition("*")
        if not star:
            return cls(text.strip())
        with suppress(ValueError):
            if abs(number := float(factor)) < float("inf"):
                return cls(name.strip(), number)
        raise InvalidValue(f"{factor.strip()}: expected a finite factor after *")


class Fmu:
    """One instance of an FMU. Its machine code is loaded by the first ``begin``.

    Attributes:
        description: what ``fmpy`` read of it.
        time: since the last ``begin`` [s].
        messages: its latest warnings and errors.
        steps_vary: whether it takes steps of different lengths.
    """

    def __init__(self, path: Path) -> None:
        """Read and check the description.

        Raises:
            InvalidValue: it is no FMU, or none that can be run here.
        """
        try:
            import fmpy
        except ImportError:
            raise InvalidValue(f"FMUs are run by fmpy, which is not installed: {NEEDS}") from None
        self._fmpy, self.path = fmpy, path
        _check_archive(path)
        try:
            self.description = fmpy.read_model_description(str(path), validate=False)
        except Exception as error:  # fmpy raises what its parsers do
            raise InvalidValue(f"{path}: its {DESCRIPTION} is wrong: {error}") from None
        self._check_platform()
        self._variables = {one.name: one for one in self.description.modelVariables}
        self.steps_vary = self.description.coSimulation.canHandleVariableCommunicationStepSize
        self.time = 0.0
        self.messages: deque[str] = deque(maxlen=KEPT)
        self._instance: Any = None
        self._folder = ""

    def _check_platform(self) -> None:
        fmpy, description = self._fmpy, self.description
        if description.coSimulation is None:
            raise InvalidValue(f"{self.path}: for model exchange only; expected co-simulation")
        kind = fmpy.platform if description.fmiVersion == VERSIONS[0] else fmpy.platform_tuple
        name = f"{description.coSimulation.modelIdentifier}{fmpy.sharedLibraryExtension}"
        with ZipFile(self.path) as archive:
            files = [Path(file).parts for file in archive.namelist()]
        if ("binaries", kind, name) in files:
            return
        has = sorted({file[1] for file in files if file[0] == "binaries" and len(file) > 2})
        raise InvalidValue(
            f"{self.path}: no machine code for {kind}; it has {', '.join(has) or 'only sources'}"
        )

    def among(self, *causalities: str) -> list[str]:
        """Return the names of its variables with one of some causalities, as ``input``."""
        return [name for name, one in self._variables.items() if one.causality in causalities]

    def check(self, name: str, *causalities: str, text: bool = False) -> None:
        """Check that a variable can be read or set.

        Args:
            causalities: those allowed; none: any. text: whether a text is one, too.

        Raises:
            InvalidValue: no such variable, with the nearest names; or it is of another kind.
        """
        variable = self._variables.get(name)
        where = self.path.name
        if variable is None:
            known = self.among(*causalities) if causalities else [*self._variables]
            raise InvalidValue(f"{name}: no such variable in {where}; {did_you_mean(name, known)}")
        if causalities and variable.causality not in causalities:
            raise InvalidValue(
                f"{name}: its causality in {where} is {variable.causality}; expected "
                f"{' or '.join(causalities)}"
            )
        unfit = variable.type in UNFIT and not (text and variable.type in TEXT)
        if unfit or variable.dimensions:
            what = "an array" if variable.dimensions else f"of type {variable.type}"
            raise InvalidValue(f"{name}: it is {what} in {where}; expected one number")

    def check_value(self, name: str, value: str) -> None:
        """Check that a variable can be given a value, written as text, before a start.

        Raises:
            InvalidValue: no such variable, or the value is not one of its type.
        """
        self.check(name, text=True)
        kind = self._variables[name].type
        try:
            if kind == "Boolean" and value.lower() not in ("true", "false"):
                raise ValueError
            if kind not in TEXT:
                self._variables[name]._python_type(value)
        except ValueError:
            raise InvalidValue(f"{name} = {value}: expected a value of type {kind}") from None

    def begin(self, start: Mapping[str, float | str]) -> None:
        """Start, or start again from its initial state, at its time 0.

        Args:
            start: variables to set before, and their values.

        Raises:
            FmuFailed: it cannot be loaded, or refuses.
        """
        from fmpy.simulation import apply_start_values

        begun, self.time = self._instance is not None, 0.0
        with _Failing(self):
            if begun:
                self._instance.reset()
            else:
                self._instance = self._instantiated()
            fmu = self._instance
            apply_start_values(fmu, self.description, dict(start))
            if self.description.fmiVersion == VERSIONS[0]:
                fmu.setupExperiment(startTime=0.0)
            fmu.enterInitializationMode()
            fmu.exitInitializationMode()

    def _instantiated(self) -> Any:
        from fmpy.simulation import instantiate_fmu

        self._folder = mkdtemp(prefix="steerageway-fmu-")
        self._fmpy.extract(str(self.path), self._folder)
        return instantiate_fmu(self._folder, self.description, "CoSimulation", logger=self._note)

    def end(self) -> None:
        """End its simulation, and remove what was unpacked.

        Its library stays loaded until the process ends: those of ``pythonfmu`` damage the memory
        of a process when they are unloaded.
        """
        if self._instance is not None:
            with suppress(Exception):  # what an FMU says at its end changes nothing any more
                self._instance.terminate()
            self._instance = None
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _note(self, *given: Any) -> None:
        """Keep a message of the FMU: its status, category and text come last."""
        status, _, text = given[-3:]
        if status >= WARNING and text:
            self.messages.append(text.decode("utf-8", "replace").strip())

    def step(self, length: float) -> None:
        """Step by a length [s]; nothing happens by one that is not positive.

        Raises:
            FmuFailed: it refuses, or ends its simulation.
        """
        if length <= 0.0:
            return
        with _Failing(self):
            told = self._instance.doStep(self.time, length)
        if told is not None and told[1]:
            raise FmuFailed(f"{self.path.name}: it ends its simulation at {self.time:g} s")
        self.time += length

    def get(self, names: Iterable[str]) -> list[float]:
        """Return the values of numeric variables.

        Raises:
            FmuFailed: it refuses.
        """
        with _Failing(self):
            return [float(self._call("get", name)[0]) for name in names]

    def set(self, values: Mapping[str, float]) -> None:
        """Set numeric variables; a whole number is rounded to, and 0 is false.

        Raises:
            FmuFailed: it refuses.
        """
        with _Failing(self):
            for name, value in values.items():
                kind = self._variables[name].type
                whole = kind.startswith(WHOLE)
                self._call("set", name, [round(value) if whole else value])

    def _call(self, verb: str, name: str, *values: Sequence[float]) -> Any:
        variable = self._variables[name]
        kind = variable.type
        if kind == "Enumeration":
            kind = "Integer" if self.description.fmiVersion == VERSIONS[0] else "Int64"
        if kind == "Boolean":
            values = tuple([value != 0.0 for value in one] for one in values)
        return getattr(self._instance, verb + kind)([variable.valueReference], *values)


class _Failing:
    """Makes every error of ``fmpy`` and of the FMU an ``FmuFailed`` with the FMU's last words."""

    def __init__(self, fmu: Fmu) -> None:
        self._fmu, self._folder = fmu, os.getcwd()

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception):
            os.chdir(self._folder)  # fmpy stays in the library's folder when it cannot load it
            said = "; ".join((str(error), *list(self._fmu.messages)[-1:]))
            raise FmuFailed(f"{self._fmu.path.name}: {said}") from error


def _check_archive(path: Path) -> None:
    """Check that a file is an FMU of a version that can be run.

    Raises:
        InvalidValue: it is not.
    """
    if not path.is_file():
        raise InvalidValue(f"{path}: no such file")
    try:
        with ZipFile(path) as archive:
            members = archive.infolist()
            size = sum(member.file_size for member in members)
            if len(members) > MOST_FILES or size > MOST_BYTES:
                raise InvalidValue(f"{path}: too large: {len(members)} files, {size} bytes")
            with archive.open(DESCRIPTION) as description:
                _, root = next(iterparse(description, events=("start",)))
    except BadZipFile:
        raise InvalidValue(f"{path}: not a zip archive, as every FMU is") from None
    except KeyError:
        raise InvalidValue(f"{path}: no FMU: a zip archive without {DESCRIPTION}") from None
    except InvalidValue:
        raise
    except Exception as error:  # the parser, zipfile and its libraries have errors of their own
        raise InvalidValue(f"{path}: its {DESCRIPTION} is wrong: {error}") from None
    version = root.get("fmiVersion", "none")
    if version not in VERSIONS:
        raise InvalidValue(f"{path}: FMI version {version}; expected {' or '.join(VERSIONS)}")
