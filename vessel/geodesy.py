"""``geometry.geodesy``, by the name that scripts of this library import it by."""

from __future__ import annotations

from steerageway.geometry.geodesy import (
    BEYOND,
    ECC2,
    FARTHEST,
    FLATTENING,
    SEMI_MAJOR,
    TOO_FAR,
    Datum,
    Matrix,
    Projection,
    Triple,
    check_local,
    check_origin,
    ecef_to_llh,
    flat_to_llh,
    llh_to_ecef,
    llh_to_flat,
    llh_to_ned,
    ned_to_llh,
    rotm_ned_to_ecef,
)

__all__ = [
    "BEYOND", "ECC2", "FARTHEST", "FLATTENING", "SEMI_MAJOR", "TOO_FAR", "Datum", "Matrix",
    "Projection", "Triple", "check_local", "check_origin", "ecef_to_llh", "flat_to_llh",
    "llh_to_ecef", "llh_to_flat", "llh_to_ned", "ned_to_llh", "rotm_ned_to_ecef",
]  # fmt: skip
