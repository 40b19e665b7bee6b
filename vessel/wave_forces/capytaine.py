"""Capytaine's netCDF files (HDF5): added mass, damping and excitation, read with h5py.

In the file x is forward, y to port, z up; the time factor is e^{-iwt}: values are conjugated here.
Dimensions are identified by name, as their order varies. h5py is installed by the extra ``waves``.

Source: Ancellin & Dias (2019), Journal of Open Source Software 4(36), 1341, and Capytaine's
documentation of its datasets.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.wave_forces.table import TO_FRD, ForceRao, around
from steerageway.world.arrays import Floats

NEEDED = ("omega", "wave_direction", "added_mass", "radiation_damping", "diffraction_force")
LARGEST = 1 << 28  # bytes of a dataset


@dataclass(frozen=True, eq=False)
class Hydrodynamics:
    """Contents of a file, in BODY about its origin.

    Attributes:
        omega: (n,) frequencies, including 0 and inf if present [rad/s].
        A, B: (n, 6, 6) added mass and radiation damping.
        excitation: at finite frequencies above zero.
    """

    omega: Floats
    A: Floats
    B: Floats
    excitation: ForceRao


def read(path: Path) -> Hydrodynamics:
    """Read a file.

    Raises:
        InvalidValue: h5py is not installed, or required data are missing.
    """
    try:
        import h5py
    except ImportError:
        raise InvalidValue(
            f"{path}: Capytaine's files need h5py: install steerageway[waves]"
        ) from None
    try:
        with h5py.File(path) as file:
            if missing := [name for name in NEEDED if name not in file]:
                raise InvalidValue(f"expected a dataset {missing[0]}", str(path))
            found = _read(file)
    except InvalidValue:
        raise
    except Exception as error:  # h5py has those of a damaged file in many kinds
        raise InvalidValue(f"expected a netCDF-4 file ({error})", str(path)) from None
    for name, values in (("mass or damping", (found.A, found.B)), ("force", found.excitation.X)):
        if not np.isfinite(values).all():
            raise InvalidValue(f"expected finite numbers: a {name} is not", str(path))
    return found


def _read(file: Any) -> Hydrodynamics:
    omega, directions = _values(file["omega"]), _values(file["wave_direction"])
    square = ("omega", "influenced_dof", "radiating_dof")
    sides = TO_FRD[:, None] * TO_FRD
    A, B = (_ordered(file[name], square) * sides for name in ("added_mass", "radiation_damping"))
    order = ("complex", "omega", "wave_direction", "influenced_dof")
    if "excitation_force" in file:
        parts = _ordered(file["excitation_force"], order)
    else:
        names = ("Froude_Krylov_force", "diffraction_force")
        parts = np.sum([_ordered(file[name], order) for name in names], axis=0)
    finite = (omega > 0) & np.isfinite(omega)
    X = (parts[0] - 1j * parts[1])[finite] * TO_FRD
    return Hydrodynamics(omega, A, B, around(omega[finite], -directions, X))


def _ordered(dataset: Any, names: tuple[str, ...]) -> Floats:
    """Return a dataset with its dimensions in the order of ``names``."""
    scales = [dimension[0].name.rpartition("/")[2] for dimension in dataset.dims]
    return _values(dataset).transpose([scales.index(name) for name in names])


def _values(dataset: Any) -> Floats:
    """Return a dataset's values, which may take more memory than the file."""
    if dataset.nbytes > LARGEST:
        raise ValueError(f"{dataset.name} of {dataset.nbytes} bytes; at most {LARGEST} are read")
    return np.array(dataset)
