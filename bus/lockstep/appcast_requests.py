"""``AppcastRequests``: requests of observers for appcasts, answered in a share of the time."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from steerageway.bus.core.clock import Share
from steerageway.bus.core.errors import ControlError

MOST_ASKED = 64  # requests that may be waiting
REST = 4  # durations of an appcast for which its process makes no other

AppName = tuple[str, str]  # community, name
Then = Callable[[str], None]


class AppcastRequests:
    """What observers have asked of which apps.

    An app makes one appcast at a time, for all who have asked for it by then.
    """

    def __init__(self) -> None:
        self._waiting: dict[AppName, list[Then]] = {}
        self._under_way: dict[AppName, tuple[Hashable, list[Then]]] = {}
        self._shares: dict[Hashable, Share] = {}

    def add(self, app: AppName, then: Then) -> None:
        """Note a request; ``then`` is called with the appcast.

        Raises:
            ControlError: too many are waiting.
        """
        asked = (*self._waiting.values(), *(then for _, then in self._under_way.values()))
        if sum(map(len, asked)) >= MOST_ASKED:
            raise ControlError(f"appcast {app[1]}: {MOST_ASKED} other requests are waiting")
        self._waiting.setdefault(app, []).append(then)

    def take(self, process_of: Callable[[AppName], Hashable]) -> list[AppName]:
        """Return the apps that are to make an appcast now.

        Args:
            process_of: returns the process of an app; None if it has none, and will not answer.
        """
        taken = []
        for app in list(self._waiting):
            process = process_of(app)
            if process != self._under_way.get(app, (None,))[0]:
                self._under_way.pop(app, None)  # of an earlier process: it will not answer
            if process is None:
                del self._waiting[app]
            elif app not in self._under_way and not self._share_of(process).rests:
                self._under_way[app] = process, self._waiting.pop(app)
                taken.append(app)
        return taken

    def answer(self, app: AppName, text: str, process: Hashable, seconds: float) -> None:
        """Give an appcast, which took its process wall seconds, to those who asked for it."""
        self._share_of(process).take(seconds, REST)
        for then in self._under_way.pop(app, (None, []))[1]:
            then(text)

    def _share_of(self, process: Hashable) -> Share:
        return self._shares.setdefault(process, Share())
