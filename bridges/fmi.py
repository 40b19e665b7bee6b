"""``pFmu``: runs an FMU of another program as an app, such as a controller or an actuator.

Its inputs and outputs are variables of the community. It is stepped from iteration to iteration.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from steerageway.apps.shared.fmu_lines import read_file, read_parameters, terms
from steerageway.bus import App, CannotGoOn, Entry, Message, Options, at_line, declare
from steerageway.vessel.fmi.importer import Fmu, FmuFailed, Term


@dataclass(frozen=True)
class FmuAppOptions(Options):
    """Parameters of the configuration block."""

    fmu: Entry | None = declare.line("file of the FMU: see steerageway help fmi")
    input: tuple[Entry, ...] = declare.entries(
        "an input of the FMU and a variable, as delta = DESIRED_RUDDER * 0.0061"
    )
    output: tuple[Entry, ...] = declare.entries(
        "a variable and one of the FMU, as DESIRED_THRUST = u * 100"
    )
    parameter: tuple[Entry, ...] = declare.entries("a parameter of the FMU, as kp = 0.8")
    reset: tuple[str, ...] = declare.words(
        "", "variables at whose posts the FMU starts again, as USM_RESET"
    )


class FmuApp(App):
    """Steps an FMU between variables of the community."""

    publishes: Sequence[str] = ()
    subscribes = ("the variables of input and reset",)
    parameters = FmuAppOptions.parameters()

    def configure(self) -> None:
        """Read the parameters, and check them against the FMU's description.

        Raises:
            ConfigError: a line is wrong, or the FMU cannot be run.
        """
        options = FmuAppOptions.read(self.config)
        self._fmu: Fmu | None = None
        self._inputs: dict[str, list[Term]] = {}  # variable -> inputs it sets, with factors
        self._outputs: dict[str, Term] = {}
        self._resets = options.reset
        self._values: dict[str, float] = {}
        if options.fmu is None or not options.output:
            self.config_warning("it has no effect without fmu and output")
            return
        self._fmu = fmu = read_file(options.fmu, self.setting.places)
        for line, name, term in terms(options.input):
            with at_line(line):
                fmu.check(name, "input", "parameter")
            self._inputs.setdefault(term.name, []).append(Term(name, term.factor))
        for line, variable, term in terms(options.output):
            with at_line(line):
                fmu.check(term.name)
            self._outputs[variable] = term
        self._parameters = read_parameters(fmu, options.parameter)
        self.publishes = tuple(self._outputs)

    def on_start(self) -> None:
        """Start the FMU, and register."""
        if self._fmu is not None:
            self._begin(self._fmu)
            self.register(*self._inputs, *self._resets)

    def _begin(self, fmu: Fmu) -> None:
        try:
            fmu.begin(self._parameters)
            fmu.set(self._values)
        except FmuFailed as error:
            raise CannotGoOn(str(error)) from error
        self._begun = self.time

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Note the latest inputs; start again at a reset."""
        for message in mail:
            if message.name in self._inputs:
                if isinstance(message.value, float):
                    value = message.value
                    terms_of = self._inputs[message.name]
                    self._values |= {term.name: term.factor * value for term in terms_of}
                else:
                    self.run_warning(f"{message.name}: expected a number")
            if message.name in self._resets and self._fmu is not None:
                self._begin(self._fmu)

    def iterate(self) -> None:
        """Step the FMU up to now with the latest inputs, and post its outputs."""
        fmu, outputs = self._fmu, self._outputs
        if fmu is None:
            return
        try:
            fmu.set(self._values)
            fmu.step(self.time - self._begun - fmu.time)
            values = fmu.get(term.name for term in outputs.values())
        except FmuFailed as error:
            raise CannotGoOn(str(error)) from error
        for (variable, term), value in zip(outputs.items(), values, strict=True):
            self.post(variable, term.factor * value)

    def on_stop(self) -> None:
        """End the FMU's simulation."""
        if self._fmu is not None:
            self._fmu.end()

    def report(self) -> Iterable[str]:
        """Yield the FMU, its inputs, and its latest messages."""
        fmu = self._fmu
        if fmu is None:
            return
        yield f"{fmu.path.name}: FMI {fmu.description.fmiVersion}, at its time {fmu.time:g} s"
        yield from (f"{name} = {value:g}" for name, value in self._values.items())
        yield from fmu.messages
