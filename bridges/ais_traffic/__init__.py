"""``pAisTraffic``: moves contacts as a recording of AIS tells."""

from steerageway.bridges.ais_traffic.app import AisTraffic

__all__ = ["AisTraffic"]
