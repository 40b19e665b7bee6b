"""Posts of a mission as results: arrays, a DataFrame, a picture of tracks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from steerageway.apps.logs.alog.plot import tracks_picture
from steerageway.apps.logs.alog.tracks import track_of
from steerageway.bus import Message
from steerageway.launcher.errors import LaunchError
from steerageway.moos.alog import Entry

DRAWN = frozenset(("NAV_X", "NAV_Y", "NAV_HEADING", "VIEW_SEGLIST", "VIEW_POINT", "VIEW_POLYGON"))
"""Variables of the picture of tracks."""


class Series(NamedTuple):
    """Posts of one variable: times (n,) [s] and values (n,), numbers or texts."""

    times: Any
    values: Any


class Posts(list[Message]):
    """Messages in the run's order."""

    def arrays(self) -> dict[str, Series]:
        """Return NumPy arrays by variable; of several communities by ``community:variable``."""
        import numpy as np

        found: dict[str, Series] = {}
        for key, some in self._by_variable().items():
            values = [one.value for one in some]
            kind = np.float64 if isinstance(values[0], float) else np.object_
            found[key] = Series(np.array([one.time for one in some]), np.array(values, kind))
        return found

    def frame(self) -> Any:
        """Return a ``pandas.DataFrame``: a row for each time [s], a column for each variable.

        The last post of a time counts; where a variable was not posted it has no value.

        Raises:
            LaunchError: pandas is not installed.
        """
        try:
            import pandas
        except ImportError:
            raise LaunchError("pandas is missing: pip install pandas") from None
        latest = {
            key: {one.time: one.value for one in some} for key, some in self._by_variable().items()
        }
        return pandas.DataFrame(latest).sort_index().rename_axis("time")

    def show(self) -> Any:
        """Return a picture of the tracks, waypoints and areas, which a notebook draws.

        Raises:
            LaunchError: there is no track in them.
            MatplotlibMissing: it is not installed.
        """
        homes = dict.fromkeys(one.community for one in self)
        found = (track_of(home, _entries(self, home)) for home in homes)
        tracks = [track for track in found if track is not None]
        if not tracks:
            raise LaunchError(
                'show: no track; expected register("NAV_*", "VIEW_*") before the mission runs'
            )
        return tracks_picture(tracks)

    def _by_variable(self) -> dict[str, list[Message]]:
        several = len({one.community for one in self}) > 1
        found: dict[str, list[Message]] = {}
        for one in self:
            key = f"{one.community}:{one.name}" if several else one.name
            found.setdefault(key, []).append(one)
        return found


def _entries(posts: Iterable[Message], home: str) -> Iterable[Entry]:
    return (
        Entry(one.time, one.name, one.value, one.source)
        for one in posts
        if one.community == home and one.name in DRAWN and not isinstance(one.value, bytes)
    )
