"""Linear models of a vessel about a trim: A, B, C, D with names and units."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import radians
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.io import savemat  # type: ignore[import-untyped]

from steerageway.control.libraries import control
from steerageway.control.plant import STATE_UNITS, check_vessel, lagging, slopes
from steerageway.control.trim import Trim
from steerageway.diagnostics.nearest import did_you_mean
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.commands import ELEVATOR, FULL, ORDERS
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.state import ACTUATORS
from steerageway.world.arrays import Floats

DISTURBANCES = ("current_n", "current_e", "current_d", "wind_n", "wind_e")  # of surroundings
STILL = 1e-9  # slope that is rounding alone
ORDER_UNITS = tuple("deg" if i == ELEVATOR else "%" for i in range(len(ORDERS)))


@dataclass(frozen=True)
class LinearModel:
    """dx/dt = A x + B u, y = C x + D u, for deviations from ``x0`` and ``u0``.

    Attributes:
        A, B, C, D: (n, n), (n, m), (p, n), (p, m).
        states, inputs, outputs: their names. state_units, input_units, output_units: theirs.
        x0: (n,) states of the trim. u0: (m,) inputs of the trim; of an order, 0: its deviation.
        name: of the vessel.
    """

    A: Floats
    B: Floats
    C: Floats
    D: Floats
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    state_units: tuple[str, ...]
    input_units: tuple[str, ...]
    output_units: tuple[str, ...]
    x0: Floats
    u0: Floats
    name: str

    @property
    def poles(self) -> NDArray[np.complex128]:
        """Return the eigenvalues of A [1/s], the slowest first."""
        values: NDArray[np.complex128] = np.linalg.eigvals(self.A).astype(np.complex128)
        return values[np.lexsort((values.imag, -values.real))]

    def gain(self, omega: Floats) -> NDArray[np.complex128]:
        """Return C (j omega - A)^-1 B + D at frequencies (k,) [rad/s]: (k, p, m)."""
        s = 1j * np.asarray(omega, np.float64)[:, np.newaxis, np.newaxis]
        inner = np.linalg.solve(s * np.eye(len(self.A)) - self.A, self.B.astype(complex))
        found: NDArray[np.complex128] = np.asarray(self.C @ inner + self.D, np.complex128)
        return found

    def state_space(self) -> Any:
        """Return it as a ``control.StateSpace`` with its names.

        Raises:
            LibraryMissing: python-control is not installed.
        """
        names = {"states": self.states, "inputs": self.inputs, "outputs": self.outputs}
        lists = {key: list(value) for key, value in names.items()}
        return control().ss(self.A, self.B, self.C, self.D, **lists)

    def save_mat(self, path: str | Path) -> None:
        """Write matrices, names and units as a .mat file of MATLAB 5, which scipy reads, too.

        Raises:
            InvalidValue: it cannot be written there.
        """
        data: dict[str, Any] = {key: getattr(self, key) for key in ("A", "B", "C", "D", "x0", "u0")}
        for kind in ("state", "input", "output"):
            data[f"{kind}s"] = np.array(getattr(self, f"{kind}s"), object)
            data[f"{kind}_units"] = np.array(getattr(self, f"{kind}_units"), object)
        try:
            savemat(path, {**data, "name": self.name}, appendmat=False)
        except OSError as error:
            raise InvalidValue(f"expected a file to write: {error.strerror}", str(path)) from error

    def __str__(self) -> str:
        lines = [f"{self.name}, linearised"]
        for what, rows, columns in (
            ("A", self.states, self.states),
            ("B", self.states, self.inputs),
        ):
            width = max(11, *(len(name) + 1 for name in (*rows, *columns)))
            lines.append(
                f"{what}{'':{width - 1}}" + "".join(f"{name:>{width}}" for name in columns)
            )
            lines += [
                f"{name:{width}}" + "".join(f"{value:>{width}.4g}" for value in row)
                for name, row in zip(rows, getattr(self, what), strict=True)
            ]
        return "\n".join(lines)


def linearise(
    vessel: Dynamics,
    at: Trim,
    *,
    states: Sequence[str] = (),
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
) -> LinearModel:
    """Return the linear model of a vessel about a trim.

    Args:
        vessel: of any model. at: its trim, see ``trim``.
        states: names of ``vessel.state_names``. Actuators that are left out follow their commands
            at once, other states that are left out are held. Default: all that anything moves, but
            actuators without dynamics of their own, which are their commands.
        inputs: names of commands, of orders of the helm (``rudder``, ``thrust`` [%]) or of the
            surroundings (``current_n``, ``wind_e`` [m/s]); default: the commands.
        outputs: names of states; default: the states.

    Raises:
        InvalidValue: there is no such state or input.
    """
    check_vessel(vessel, "linearise")
    names, lags = vessel.state_names, np.append(np.ones(ACTUATORS, bool), lagging(vessel))
    point = np.concatenate((at.x, at.command, at.surroundings[: len(DISTURBANCES)]))
    A, B = np.hsplit(slopes(_rates(vessel, lags), point), [len(names)])
    dynamic = [names[i] for i in np.flatnonzero(lags)]
    chosen = _chosen("state", states or [names[i] for i in _moving(A, B, lags)], dynamic)
    seen = _chosen("output", outputs or chosen, chosen)
    offered = _inputs(vessel, at)
    commands = [channel.name for channel in vessel.commands]
    driven = _chosen("input", inputs or commands, list(offered))
    rows = [names.index(name) for name in chosen]
    fast = [i for i in np.flatnonzero(lags).tolist() if i >= ACTUATORS and i not in rows]
    B = B @ np.array([offered[name].direction for name in driven]).reshape(-1, B.shape[1]).T
    quick = -np.linalg.solve(A[np.ix_(fast, fast)], B[fast])
    units = (*STATE_UNITS, *(channel.unit for channel in vessel.actuators))
    return LinearModel(
        A=A[np.ix_(rows, rows)],
        B=B[rows] + A[np.ix_(rows, fast)] @ quick,
        C=np.array([[float(a == b) for b in chosen] for a in seen]),
        D=np.zeros((len(seen), len(driven))),
        states=chosen,
        inputs=driven,
        outputs=seen,
        state_units=tuple(units[i] for i in rows),
        input_units=tuple(offered[name].unit for name in driven),
        output_units=tuple(units[names.index(name)] for name in seen),
        x0=at.x[rows],
        u0=np.array([offered[name].start for name in driven]),
        name=vessel.name,
    )


class _Input(NamedTuple):
    """An input: unit, value at the trim, and what it changes of commands and surroundings."""

    unit: str
    start: float
    direction: Floats


def _inputs(vessel: Dynamics, at: Trim) -> dict[str, _Input]:
    """Return all inputs by name: commands, orders that move any, water and air velocities.

    About commands ahead of zero an order counts on the range ahead, about others on that astern.
    """
    m, mapping = len(vessel.commands), orders_of(vessel)
    each = np.eye(m + len(DISTURBANCES))
    found = {
        channel.name: _Input(channel.unit, float(at.command[i]), each[i])
        for i, channel in enumerate(vessel.commands)
    }
    reach = np.where(at.command >= 0.0, mapping.high, -mapping.low)
    planes = np.array([channel.unit == "rad" for channel in vessel.commands], bool)
    for k, order in enumerate(ORDERS):
        weights = mapping.weights[:, k]
        if k == ELEVATOR:
            moved = np.where(planes, radians(1.0) * weights, weights * reach / FULL)
        else:
            moved = weights * reach / FULL
        if mapping.serves(order):
            found[order] = _Input(ORDER_UNITS[k], 0.0, moved @ each[:m])
    for i, name in enumerate(DISTURBANCES):
        found[name] = _Input("m/s", float(at.surroundings[i]), each[m + i])
    return found


def _moving(A: Floats, B: Floats, lags: NDArray[np.bool_]) -> list[int]:
    """Return the states that anything moves: another one, or an input."""
    moving = lags.copy()
    while True:
        felt = (abs(A[:, moving]) > STILL).any(axis=1) | (abs(B) > STILL).any(axis=1)
        if not (moving & ~felt).any():
            return [int(i) for i in np.flatnonzero(moving)]
        moving &= felt


def _chosen(what: str, asked: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    for name in asked:
        if name not in known:
            raise InvalidValue(f"{name}: no such {what}; {did_you_mean(name, list(known))}")
    return tuple(asked)


def _rates(vessel: Dynamics, lags: NDArray[np.bool_]) -> Callable[[Floats], Floats]:
    """Return the rates of all states by states, commands and water and air velocities, in one."""
    count, m = len(lags), len(vessel.commands)
    around = vessel.surroundings()
    follow = np.flatnonzero(~lags)

    def rates(point: Floats) -> Floats:
        x, command, here = point[:count].copy(), point[count : count + m], around.copy()
        x[follow] = command[follow - ACTUATORS]
        here[: len(DISTURBANCES)] = point[count + m :]
        return vessel.derivative(x, command, here)

    return rates
