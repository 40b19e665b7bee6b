"""Vessel folders defined by a few lines in tests."""

from __future__ import annotations

from pathlib import Path

SHIP = {
    "geometry": "length: 160\nbreadth: 23\ndraft: 8.2\ngyration: [8, 40, 40]\n",
    "inertia": "mass: 18.5e+6\n",
    "hydrodynamics": "X_ud: -0.9e+6\nX_u_au: -1.2e+4\n",
    "vessel": "active_dof: [1, 0, 0, 0, 0, 0]\n",
    "thrusters": "thrusters:\n- {thruster_location: [-75, 0, 4], T_prop: 8, D_prop: 6.3, tp: 0.18,"
    " wake: 0.25, n_max: 105, KT_at_J0: 0.43, KQ_at_J0: 0.06, PROPELLER}\n",
}
"""A cargo ship of 160 m, held to surge; PROPELLER stands for what its propeller is."""


def written(folder: Path, files: dict[str, str], **changes: str) -> Path:
    """Write the files of a vessel, some of them changed or added, and return the folder."""
    for name, text in (files | changes).items():
        (folder / f"{name}.yml").write_text(text)
    return folder


def ship(folder: Path, propeller: str, **changes: str) -> Path:
    """Write the cargo ship with some propeller."""
    thrusters = SHIP["thrusters"].replace("PROPELLER", propeller)
    return written(folder, SHIP | {"thrusters": thrusters}, **changes)
