"""``uSimMarine``: the older simulator, for missions that name it."""

from __future__ import annotations

from steerageway.apps.compat.simulators import GENERATIONS, LEGACY
from steerageway.apps.vessels.usim_marine.app import USimMarine
from steerageway.apps.vessels.usim_marine.parameters import PARAMETERS
from steerageway.apps.vessels.usim_marine.posted import OF_OLDER
from steerageway.bus import Parameter

SUCCESSOR = "uSimMarineV22"
DEFAULTS = {"model": LEGACY, "max_acceleration": "0"}


class USimMarineLegacy(USimMarine):
    """Simulates a vessel as the older uSimMarine; ``uSimMarineV22`` supersedes it."""

    last_wins = False
    default_model = LEGACY
    publications = (*USimMarine.publications, *OF_OLDER)
    parameters = (
        *(
            Parameter(p.name, DEFAULTS.get(p.name, p.default), p.help)
            for p in PARAMETERS
            if p.name not in GENERATIONS[LEGACY].without_effect
        ),
        *(
            Parameter(old, "", f"old name of {new}")
            for old, new in GENERATIONS[LEGACY].old_names.items()
        ),
    )

    def configure(self) -> None:
        """Read the parameters, and name the successor."""
        super().configure()
        if not self.config.flag("DEPRECATED_OK", default=False):
            self.config_warning(f"uSimMarine is deprecated; use {SUCCESSOR}")
