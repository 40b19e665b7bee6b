"""``uSimMarine``: the older simulator, for missions that name it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from steerageway.apps.shared.generation import LEGACY
from steerageway.apps.vessels.usim_marine.app import USimMarine
from steerageway.apps.vessels.usim_marine.parameters import PARAMETERS
from steerageway.apps.vessels.usim_marine.variables import OF_OLDER
from steerageway.bus import Parameter
from steerageway.peers.older.simulators import OLDER

DEFAULTS = {"model": LEGACY, "max_acceleration": "0"}


class USimMarineLegacy(USimMarine):
    """Simulates a vessel as the older uSimMarine; ``uSimMarineV22`` supersedes it."""

    last_wins = False
    default_model = LEGACY
    peer_lines: ClassVar[Mapping[str, str]] = MappingProxyType({})
    superseded_by = "uSimMarineV22"
    publications = (*USimMarine.publications, *OF_OLDER)
    publishes = USimMarine.publishes
    parameters = (
        *(
            Parameter(p.name, DEFAULTS.get(p.name, p.default), p.help)
            for p in PARAMETERS
            if p.name not in OLDER[LEGACY].without_effect
        ),
        *(Parameter(old, "", f"old name of {new}") for old, new in OLDER[LEGACY].old_names.items()),
    )
