"""Loops of the marine PID on a linear vessel: loop gain, margins, steps, Bode and Nyquist.

The loops are those of the app, in discrete time: the vessel's model with the orders held over a
tick, and the PID's law, whose derivative is the mean of the last nine differences,
(e - e_9) / (9 T).
"""

from __future__ import annotations

from cmath import phase
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import degrees, inf, nan, pi, radians
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq  # type: ignore[import-untyped]

from steerageway.control.libraries import control
from steerageway.control.linear import LinearModel
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.pid import RATES_REMEMBERED, Gains
from steerageway.world import pictures
from steerageway.world.arrays import Floats

DRAWN = 400  # frequencies of a plot
SEARCHED = 2000  # frequencies between which crossings are looked for
LOWEST = 1e-4  # of them, as a fraction of the highest, that of half the tick rate


@dataclass(frozen=True)
class Loop:
    """An open loop from the error of a quantity to it, and what becomes of it when closed.

    Attributes:
        transfer: a ``control.StateSpace`` in discrete time. tick: [s].
        gain_margin: factor on the gain at which it oscillates; inf: none.
        phase_margin: [deg]. crossover: where the loop gain is 1 [rad/s]; nan: nowhere.
        delay_margin: dead time at which it oscillates [s].
    """

    transfer: Any
    tick: float
    gain_margin: float
    phase_margin: float
    crossover: float
    delay_margin: float

    @property
    def poles(self) -> NDArray[np.complex128]:
        """Return the poles (n,) of the closed loop in z; it is stable if all are inside 1."""
        found: NDArray[np.complex128] = control().feedback(self.transfer, 1).poles()
        return found

    @property
    def stable(self) -> bool:
        """Whether the closed loop is stable."""
        return bool((abs(self.poles) < 1.0).all())

    def step(self, count: int) -> Floats:
        """Return the quantity (count,) at each tick after a step of its desired value by 1."""
        closed = control().feedback(self.transfer, 1)
        times = self.tick * np.arange(count)
        return np.asarray(control().step_response(closed, times).outputs, np.float64)

    def gain(self, omega: Floats) -> NDArray[np.complex128]:
        """Return the loop gain at frequencies (k,) [rad/s]."""
        z = np.exp(1j * np.asarray(omega, np.float64) * self.tick)
        found: NDArray[np.complex128] = np.atleast_1d(self.transfer(z))
        return found

    def bode(self, path: str | Path) -> None:
        """Write the Bode plot of the loop gain."""
        omega = self._frequencies()
        L = self.gain(omega)
        figure, axes = pictures.panels(2, 1)
        axes[0, 0].loglog(omega, abs(L), color=pictures.BLUE)
        axes[1, 0].semilogx(omega, np.degrees(np.unwrap(np.angle(L))), color=pictures.BLUE)
        axes[0, 0].set_ylabel("loop gain")
        axes[1, 0].set_ylabel("phase [deg]")
        axes[1, 0].set_xlabel("frequency [rad/s]")
        for row in axes[:, 0]:
            row.grid(visible=True, alpha=0.25)
        pictures.write(figure, Path(path))

    def nyquist(self, path: str | Path) -> None:
        """Write the Nyquist plot of the loop gain, with the point -1."""
        L = self.gain(self._frequencies())
        L = L[abs(L) < 4.0]
        figure, axes = pictures.panels()
        axes[0, 0].plot(L.real, L.imag, color=pictures.BLUE)
        axes[0, 0].plot([-1.0], [0.0], "+", color="#c0392b")
        axes[0, 0].set_xlabel("real part of the loop gain")
        axes[0, 0].set_ylabel("imaginary part")
        axes[0, 0].grid(visible=True, alpha=0.25)
        axes[0, 0].set_aspect("equal", "datalim")
        pictures.write(figure, Path(path))

    def _frequencies(self) -> Floats:
        highest = pi / self.tick
        return np.geomspace(LOWEST * highest, 0.999 * highest, DRAWN)


def heading_loop(model: LinearModel, gains: Gains, tick: float) -> Loop:
    """Return the heading loop of a marine PID.

    Args:
        model: with the input ``rudder`` [%] and the output ``psi`` [rad], see ``linearise``.
        gains: of heading, ``yaw_pid_*``: [%] per degree. tick: of the PID [s].

    Raises:
        InvalidValue: the model has no such input or output, or the tick is not positive.
        LibraryMissing: python-control is not installed.
    """
    return _loop(_held(model, "rudder", ("psi",), tick) * degrees(1.0), _pid(gains, tick), tick)


def speed_loop(model: LinearModel, gains: Gains, tick: float) -> Loop:
    """Return the speed loop of a marine PID, which has no ``speed_factor``.

    The law's output is a change of the last thrust.

    Args:
        model: with the input ``thrust`` [%] and the output ``u`` [m/s].
        gains: of speed, ``speed_pid_*``: [%] per m/s. tick: of the PID [s].

    Raises: as ``heading_loop``.
    """
    summed = control().tf([1.0, 0.0], [1.0, -1.0], tick)
    return _loop(_held(model, "thrust", ("u",), tick), _pid(gains, tick) * summed, tick)


def pitch_loop(model: LinearModel, gains: Gains, tick: float) -> Loop:
    """Return the inner loop of a diving marine PID, from pitch error to pitch.

    Args:
        model: with the input ``elevator`` [deg], bow down, and the output ``theta`` [rad].
        gains: of pitch, ``pitch_pid_*``. tick: of the PID [s].

    Raises: as ``heading_loop``.
    """
    plant = _held(model, "elevator", ("theta",), tick) * -degrees(1.0)
    return _loop(plant, _pid(gains, tick), tick)


def depth_loop(model: LinearModel, depth: Gains, pitch: Gains, tick: float) -> Loop:
    """Return the depth loop of a marine PID, with its pitch loop closed.

    Args:
        model: with the input ``elevator`` [deg] and the outputs ``theta`` [rad] and ``z`` [m].
        depth: gains ``z_to_pitch_pid_*`` [rad] per m. pitch: gains ``pitch_pid_*``.
        tick: of the PID [s].

    Raises: as ``heading_loop``.
    """
    library = control()
    plant = _held(model, "elevator", ("theta", "z"), tick) * -degrees(1.0)
    angle = library.ss([], [], [], [[1.0, 0.0]], tick)
    diving = library.feedback(plant * library.ss(_pid(pitch, tick)), angle)
    return _loop(diving[1, 0] * -1.0, _pid(depth, tick), tick)


def _held(model: LinearModel, order: str, outputs: tuple[str, ...], tick: float) -> Any:
    """Return the model in discrete time, from one order held over each tick to some outputs.

    Without the states that no output feels, such as the position in the loop of the heading.
    """
    if order not in model.inputs or not set(outputs) <= set(model.outputs):
        raise InvalidValue(
            f"{model.name}: a model from {', '.join(model.inputs)} to {', '.join(model.outputs)}: "
            f"expected the input {order} and the output {' and '.join(outputs)}"
        )
    if not 0.0 < tick < np.inf:
        raise InvalidValue(f"tick = {tick:g}: expected seconds above 0")
    j, rows = model.inputs.index(order), [model.outputs.index(name) for name in outputs]
    felt = model.C[rows].any(axis=0)
    for _ in model.states:
        felt |= model.A[felt].any(axis=0)
    A, B, C = model.A[np.ix_(felt, felt)], model.B[felt][:, [j]], model.C[rows][:, felt]
    plant = control().ss(A, B, C, np.zeros((len(rows), 1)))
    return control().c2d(plant, tick, "zoh")


def _pid(gains: Gains, tick: float) -> Any:
    """Return the law of one loop of the PID as a transfer function in discrete time."""
    library, n = control(), RATES_REMEMBERED
    law = np.zeros(n + 1)
    law[0] = gains.kp + gains.kd / (n * tick)
    law[-1] = -gains.kd / (n * tick)
    pid = library.tf(law, np.append(1.0, np.zeros(n)), tick)
    if gains.ki > 0.0:
        pid = pid + library.tf([gains.ki * tick, 0.0], [1.0, -1.0], tick)
    return pid


def _loop(plant: Any, law: Any, tick: float) -> Loop:
    transfer = plant * control().ss(law)
    return Loop(transfer, tick, *_margins(transfer, tick))


def _margins(transfer: Any, tick: float) -> tuple[float, float, float, float]:
    """Return gain margin, phase margin [deg], its frequency [rad/s] and the delay margin [s].

    Crossings are bracketed on a grid and refined: python-control's polynomials lose digits here.
    """

    def at(omega: float) -> complex:
        return complex(transfer(np.exp(1j * omega * tick)))

    def crossings(function: Callable[[complex], float]) -> Iterator[tuple[float, complex]]:
        values = np.array([function(value) for value in grid])
        for k in np.flatnonzero(values[:-1] * values[1:] < 0.0).tolist():
            root = brentq(lambda w: function(at(w)), omega[k], omega[k + 1], xtol=1e-14)
            yield float(root), at(float(root))

    omega = np.geomspace(LOWEST, 0.9999, SEARCHED) * pi / tick
    grid = np.atleast_1d(transfer(np.exp(1j * omega * tick))).tolist()
    real = [L for _, L in crossings(lambda L: L.imag) if L.real < 0.0]
    gain = min((1.0 / abs(L) for L in real if abs(L) < 1.0), default=inf)
    unit = [(degrees(phase(-L)), w) for w, L in crossings(lambda L: abs(L) - 1.0)]
    margin, crossover = min(unit, key=lambda pair: abs(pair[0]), default=(inf, nan))
    late = min((radians(p % 360.0) / w for p, w in unit), default=inf)
    return gain, margin, crossover, late
