"""Published ship and AUV models other than the coefficient form; see docs/vessels.md.

A vessel's folder names its model in ``vessel.yml``: ``model: mariner``.
"""

MODELS = {
    name: f"steerageway.vessel.fossen.published.{module}"
    for name, module in {
        "clarke83": "clarke",
        "container": "container",
        "dsrv": "dsrv",
        "mariner": "mariner",
        "mmg": "mmg",
        "norrbin": "norrbin",
        "navalvessel": "naval",
        "npsauv": "npsauv",
        "osv": "osv",
        "station_keeping": "station",
        "tanker": "tanker",
    }.items()
}
PANISIM = "steerageway.peers.panisim.equations"
"""Replaces the coefficient form for ``peer_compat: panisim``."""
