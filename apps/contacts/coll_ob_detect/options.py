"""Parameters of ``uFldCollObDetect``: distances of encounters, flags, histogram."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.contacts.ranks import KindFlags
from steerageway.bus import Options, declare


@dataclass(frozen=True)
class DetectOptions(Options):
    """Parameters of the app's configuration block."""

    encounter_dist: float = declare.number(
        15, "range within which an encounter occurs", unit="m", low=0
    )
    near_miss_dist: float = declare.number(
        5, "range within which an encounter is a near miss", unit="m", low=0
    )
    collision_dist: float = declare.number(
        1, "range within which an encounter is a collision", unit="m", low=0
    )
    flags: KindFlags = declare.group(KindFlags)
    bin_min_val: float = declare.number(
        -1, "least distance in the appcast's histogram; -1: no histogram", unit="m", low=-1
    )
    bin_delta: float = declare.number(
        -1, "width of the histogram's bins; -1: no histogram", unit="m", low=-1
    )
