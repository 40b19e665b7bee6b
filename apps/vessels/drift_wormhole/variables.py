"""Variables that ``uDriftWormhole`` publishes."""

from steerageway.apps.vessels import wormholes
from steerageway.apps.vessels.drift_wormhole import drift, transfer
from steerageway.bus import variables

PUBLICATIONS = (
    *drift.PUBLICATIONS,
    *transfer.PUBLICATIONS,
    *wormholes.PUBLICATIONS,
    variables.text(
        "VIEW_POLYGON",
        "mouths of wormholes, for viewers",
        unit="m",
        when="every ten ticks",
    ),
)
