"""What the helm hears: it registers, refuses mail with a wrong stamp, and hands the rest on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from steerageway.apps.helm.world import World
from steerageway.bus import App, Message
from steerageway.moos.values import fixed

INITIAL = "HELM_VAR_INIT"  # the remark on posts of initial values
_UNCHECKED = ("HELM_MAP_CLEAR",)

Handler = Callable[[Message], None]


class Inbox:
    """Takes the helm's mail.

    Args:
        ok_skew: how far stamps may be off [s]; None: any.
        handlers: what is to be done with mail of some variables; the world notes all other.
    """

    def __init__(
        self, app: App, world: World, ok_skew: float | None, handlers: Mapping[str, Handler]
    ) -> None:
        self._app = app
        self._world = world
        self._skew = ok_skew
        self._handlers = handlers
        self._since: dict[str, float] = {}  # variable -> when it was registered for [s]

    def listen(self, names: Iterable[str]) -> None:
        """Register for the variables that were not registered for yet."""
        new = [name for name in dict.fromkeys(names) if name not in self._since]
        if new:
            self._since.update(dict.fromkeys(new, self._app.time))
            self._app.register(*new)
            self._app.post("IVPHELM_REGISTER", ",".join(new))

    def take(self, mail: Sequence[Message]) -> None:
        """Take the mail of an iteration."""
        handlers, world, skew, now = self._handlers, self._world, self._skew, self._app.time
        own = self._app.name
        for message in mail:
            name, value, time, source, aux, _, _ = message
            if skew is not None and abs(now - time) > skew and self._is_off(message, skew):
                self._refuse(message)
                continue
            handler = handlers.get(name)
            if handler is not None:
                handler(message)
                continue
            if isinstance(value, bytes) or (aux == INITIAL and source == own):
                continue
            world.take(name, value)

    def _is_off(self, message: Message, skew: float) -> bool:
        """Whether a wrong stamp counts: not that of a value which registering has brought."""
        if message.source == self._app.name or message.name in _UNCHECKED:
            return False
        now = self._app.time
        return message.time > now or now - self._since.get(message.name, 0.0) > skew

    def _refuse(self, message: Message) -> None:
        skew = self._app.time - message.time
        self._app.post("IVPHELM_SKEW", f"{message.name}={fixed(skew, 2)}")
        self._app.run_warning(
            f"{message.name} of {message.source}: stamp is {skew:.2f} s off, not taken"
        )
