"""Posts of behaviors on their way to the bus: renaming, and suppression of unchanged values."""

from __future__ import annotations

from steerageway.bus import App
from steerageway.helm.behaviors.base import AnyBehavior
from steerageway.moos.values import Value, trimmed

_Sent = tuple[Value, str, float, int]  # value, behavior, time, iteration

REFRESH_INTERVAL = 2.0  # least time between two refreshes [s]
MOST_SENT = 10_000  # values remembered: each contact's behavior adds some, and is gone later


class PostFilter:
    """Posts the postings of behaviors.

    A post is suppressed if its value equals the behavior's last one of the same variable and key.
    A refresh clears the last values, so that everything is posted again; above ``MOST_SENT`` the
    one that came first is dropped.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._sent: dict[tuple[str, str, str], Value] = {}
        self._last: dict[str, _Sent] = {}
        self._refresh_due = False
        self._refreshed = 0.0

    def request_refresh(self) -> None:
        """Request a refresh before the next posts; at most one every 2 s is done."""
        self._refresh_due = True

    def begin_iteration(self) -> None:
        """Do a refresh if one is due."""
        now = self._app.time
        if self._refresh_due and now - self._refreshed > REFRESH_INTERVAL:
            self.clear()
            self._refreshed = now

    def clear(self) -> None:
        """Clear the last values, so that everything is posted again."""
        self._sent.clear()
        self._refresh_due = False

    def release(self, behavior: AnyBehavior, aux: str = "") -> None:
        """Post a behavior's postings of this iteration; the world receives them at once.

        Args:
            aux: the aux field of the posts; "": iteration and behavior.
        """
        if not behavior.postings:
            return
        settings, world, sent, post = behavior.settings, behavior.world, self._sent, self._app.post
        name, time, iteration = settings.name, world.time, world.iteration
        renamed = dict(settings.post_mapping)
        aux = aux or f"{iteration}:{name}"
        for given, value, key in behavior.postings:
            variable = renamed.get(given, given) if renamed else given
            if variable.lower() == "silent":
                continue
            # at once, so that behaviors later in this iteration see the value
            world.take(variable, value)
            if key is not None:
                place = (name, variable, key)
                if sent.get(place) == value:
                    continue
                sent[place] = value
                if len(sent) > MOST_SENT:
                    del sent[next(iter(sent))]
            if variable in ("BHV_WARNING", "BHV_ERROR"):
                self._app.run_warning(f"{variable}: {value}")
            post(variable, value, aux=aux)
            self._last[variable] = (value, name, time, iteration)
        behavior.postings.clear()

    def table(self) -> list[str]:
        """Return the last post of each variable, for an appcast."""
        lines = [f"{'Variable':<20} {'Behavior':<16} {'Time':>8} {'Iter':>6}  Value"]
        for variable, (value, behavior, time, iteration) in sorted(self._last.items()):
            text = trimmed(value) if isinstance(value, float) else value[:55]
            lines.append(f"{variable:<20} {behavior:<16} {time:>8.2f} {iteration:>6}  {text}")
        return lines
