"""``pNmea``: speaks NMEA 0183 and AIS with chart plotters and autopilots, by UDP, TCP or serial."""

from steerageway.bridges.nmea.app import Nmea

__all__ = ["Nmea"]
