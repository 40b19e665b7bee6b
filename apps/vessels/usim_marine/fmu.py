"""An FMU of another program as the simulator's vessel: its lines, its steps. Loads fmpy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from steerageway.apps.shared.fmu_lines import read_file, read_parameters, terms
from steerageway.apps.shared.vessel_options import FmuOptions
from steerageway.apps.vessels.usim_marine.parameters import SimulatorOptions
from steerageway.apps.vessels.usim_marine.simulated_vessel import Hosts, SimulatedVessel
from steerageway.bus import CannotGoOn, Config, ConfigError, at_line
from steerageway.vessel.errors import NotFinite
from steerageway.vessel.fmi.importer import FmuFailed
from steerageway.vessel.fmi.model import (
    INPUTS,
    OUTPUTS,
    POSE,
    FmuModel,
    FmuState,
    Wiring,
    check_known,
)


class FmuVessel(SimulatedVessel[FmuState]):
    """A vessel that an FMU simulates: orders are its inputs, the motion is its outputs."""

    model: FmuModel

    def __init__(
        self, config: Config, options: SimulatorOptions, places: Sequence[Path], host: Hosts
    ) -> None:
        entry = config.entry("dual_state")
        if entry is not None and options.posts.dual_state:
            raise Config.error(entry, "an FMU has one state: expected no dual_state")
        model = read_fmu(config, options.by_fmu, places, host)
        super().__init__(
            *(model, FmuState(), options),
            windless="" if model.feels_wind else f"{model.fmu.path.name} has no input for wind",
            post=host.post,
            post_all=host.post_all,
            warn=host.run_warning,
        )

    def is_past(self, instant: float) -> bool:
        """Whether it need not be moved to the instant of mail [s]: not with equal steps only."""
        return not self.model.fmu.steps_vary or super().is_past(instant)

    def advance(self, now: float) -> None:
        """Move the vessel to an instant.

        Raises:
            CannotGoOn: the FMU refuses, or its motion is not finite.
        """
        try:
            super().advance(now)
        except (FmuFailed, NotFinite) as error:
            raise CannotGoOn(str(error)) from error

    def end(self) -> None:
        """End the FMU's simulation."""
        self.model.fmu.end()

    def report(self) -> Iterable[str]:
        """Yield the FMU and its latest messages."""
        fmu = self.model.fmu
        yield f"{fmu.path.name}: FMI {fmu.description.fmiVersion}, at its time {fmu.time:g} s"
        yield from fmu.messages


def read_fmu(config: Config, own: FmuOptions, places: Sequence[Path], host: Hosts) -> FmuModel:
    """Return the model of a block's FMU.

    Raises:
        ConfigError: a line is wrong, or the FMU cannot be run.
    """
    if own.fmu is None:
        raise ConfigError(config.where, "fmu", "", "model = fmu needs it: models/ship.fmu")
    fmu = read_file(own.fmu, places)
    inputs, outputs, starts = {}, {}, {}
    for line, name, term in terms(own.fmu_input):
        with at_line(line):
            fmu.check(name, "input", "parameter")
            check_known(term.name, INPUTS, "order or surrounding")
        inputs[name] = term
    for line, name, term in terms(own.fmu_output):
        with at_line(line):
            check_known(name, OUTPUTS, "part of the motion")
            fmu.check(term.name)
        outputs[name] = term
    for line, name, term in terms(own.fmu_start):
        with at_line(line):
            fmu.check(name)
            check_known(term.name, POSE, "part of the pose")
        starts[name] = term
    parameters = read_parameters(fmu, own.fmu_parameter)
    with at_line(own.fmu):
        wiring = Wiring.of(fmu, inputs, outputs, starts, parameters)
    return FmuModel(fmu, wiring, host.run_warning)
