"""Errors of instruments that last: bias, drift and error of scale, as states of the filter.

An error that is the same in many measurements is no noise: averaged over them it stays, and a
filter that takes it for noise believes to know better than it does. Each is a first-order
Gauss-Markov process of its declared standard deviation, constant or with the declared time
constant, in the state after the 17 entries of the motion.

Source: Bar-Shalom, Li and Kirubarajan (2001), Estimation with Applications to Tracking and
Navigation, section 8.2; Farrell (2008), Aided Navigation, section 4.6.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, pi
from typing import NamedTuple

import numpy as np

from steerageway.vessel.navigation.estimate import Array
from steerageway.vessel.navigation.instruments import Instrument

NONE: Array = np.zeros(0)

TURNS = {"heading": 360.0, "orientation": pi}
"""Greatest value of an angle: where it begins again, the error of its scale jumps by that."""
TURNING = 30.0
"""Time constant of such an error, a drift that follows the vessel's turning [s]."""


class Process(NamedTuple):
    """An error of one part of an instrument.

    Attributes: columns: of it among all errors. scaled: the part's values are a factor.
    """

    columns: slice
    scaled: bool


@dataclass(frozen=True)
class LastingErrors:
    """The lasting errors of all instruments, m numbers.

    Attributes:
        rms: (m,) standard deviations. time: (m,) time constants [s]; inf: constant.
        processes: name of an instrument and its part -> its errors.
    """

    rms: Array = field(default_factory=lambda: NONE)
    time: Array = field(default_factory=lambda: NONE)
    processes: Mapping[tuple[str, str], Sequence[Process]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, measured: Iterable[tuple[Instrument, str]], sensed: Iterable[tuple[Instrument, str]]
    ) -> LastingErrors:
        """Return the errors of instruments and their parts.

        Args:
            measured: those that the filter updates by.
            sensed: those that it predicts by, whose biases are states of the motion.
        """
        rms: list[float] = []
        time: list[float] = []
        processes: dict[tuple[str, str], list[Process]] = {}
        biased = [(*one, True) for one in measured]
        for instrument, part, with_biases in (*biased, *((*one, False) for one in sensed)):
            errors = instrument.parts[part]
            drift, lasting = errors.drift.T
            constant, turn = np.full(len(drift), inf), TURNS.get(part)
            scale = (errors.scale, constant, True)
            if turn is not None:
                scale = (errors.scale * turn, np.full(len(drift), TURNING), False)
            for spread, memory, scaled in (
                (errors.bias, constant, False),
                (drift, np.where(lasting > 0, lasting, inf), False),
                scale,
            ):
                if spread.any() and (with_biases or scaled):
                    columns = slice(len(rms), len(rms) + len(spread))
                    rms += spread.tolist()
                    time += memory.tolist()
                    processes.setdefault((instrument.name, part), []).append(
                        Process(columns, scaled)
                    )
        return cls(np.array(rms), np.array(time), processes)

    @property
    def covariance(self) -> Array:
        """The covariance (m, m) before any measurement."""
        return np.diag(self.rms**2)

    def effect(self, instrument: Instrument, part: str, turn: Array, values: Array) -> Array:
        """Return the Jacobian (k, m) of a residual by the errors.

        Args:
            instrument, part: what is measured.
            turn: (k, n) Jacobian of the residual by the part's own error.
            values: (n,) measured.
        """
        H = np.zeros((len(turn), len(self.rms)))
        for columns, scaled in self.processes.get((instrument.name, part), ()):
            H[:, columns] = turn * values if scaled else turn
        return H

    def over(self, seconds: float) -> tuple[Array, Array]:
        """Return the shares (m,) that remain after a time [s], and the variances (m,) added."""
        memory = np.exp(-seconds / self.time)
        return memory, self.rms**2 * (1.0 - memory**2)
