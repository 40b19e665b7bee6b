"""Parameters of ``uFldCollObDetect``: distances of encounters, flags, histogram."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.contacts.ranks import KindFlags
from steerageway.bus import Options, declare


@dataclass(frozen=True)
class DetectOptions(Options):
    """Parameters of the app's configuration block."""

    encounter_dist: float = declare.number(
        15, "an encounter is coming nearer than this", unit="m", low=0
    )
    near_miss_dist: float = declare.number(
        5, "a near miss is coming nearer than this", unit="m", low=0
    )
    collision_dist: float = declare.number(
        1, "a collision is coming nearer than this", unit="m", low=0
    )
    flags: KindFlags = declare.group(KindFlags)
    bin_min_val: float = declare.number(
        -1, "least distance in the appcast's histogram; -1: none", unit="m", low=-1
    )
    bin_delta: float = declare.number(-1, "width of its bins; -1: none", unit="m", low=-1)
