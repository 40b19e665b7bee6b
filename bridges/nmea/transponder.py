"""An AIS transponder and receiver: which reports of which vessels are due."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from steerageway.bridges.nmea.ais import STATIC_INTERVAL, Station, interval, position, static
from steerageway.moos.node_report import NodeRecord

SILENT = 60.0  # s; a vessel whose last report is older is no longer told of
TOLERANCE = 1e-6  # s

Placed = tuple[NodeRecord, int, float, float, bool]


class Transponder:
    """Reports this vessel and others, each at the intervals of its class.

    Args:
        kind: class A or B.
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._positions: dict[int, float] = {}
        self._statics: dict[int, float] = {}

    def due(self, time: float, utc: float, vessels: Iterable[Placed]) -> Iterator[bytes]:
        """Yield the sentences that are due at a time [s].

        Args:
            vessels: report, MMSI, latitude, longitude [deg], whether it is this vessel.
        """
        for record, mmsi, lat, lon, own in vessels:
            if not own and (record.time is None or utc - record.time > SILENT):
                continue
            station = Station.of_report(record, mmsi, lat, lon)
            if self._is_due(self._positions, mmsi, time, interval(station, self._kind)):
                yield from position(station, utc, self._kind, own=own)
            if self._is_due(self._statics, mmsi, time, STATIC_INTERVAL):
                yield from static(station, self._kind, own=own)

    @staticmethod
    def _is_due(last: dict[int, float], mmsi: int, time: float, every: float) -> bool:
        if time < last.get(mmsi, float("-inf")) + every - TOLERANCE:
            return False
        last[mmsi] = time
        return True
