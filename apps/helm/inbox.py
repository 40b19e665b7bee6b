"""The helm's mail: registers for variables, rejects skewed messages, calls the handlers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from steerageway.bus import App, Message
from steerageway.helm.world import World
from steerageway.moos.values import fixed

INITIAL = "HELM_VAR_INIT"  # aux of posts of initial values
_UNCHECKED = ("HELM_MAP_CLEAR",)

Handler = Callable[[Message], None]


class Inbox:
    """Takes the helm's mail.

    Args:
        ok_skew: permitted difference between stamps and the present time [s]; None: any.
        handlers: of mail, by variable; other mail goes to the world.
    """

    def __init__(
        self, app: App, world: World, ok_skew: float | None, handlers: Mapping[str, Handler]
    ) -> None:
        self._app = app
        self._world = world
        self._skew = ok_skew
        self._handlers = handlers
        self._since: dict[str, float] = {}  # variable -> when it was registered for [s]

    def register(self, names: Iterable[str]) -> None:
        """Register for those variables that are not registered yet."""
        new = [name for name in dict.fromkeys(names) if name not in self._since]
        if new:
            self._since.update(dict.fromkeys(new, self._app.time))
            self._app.register(*new)
            self._app.post("IVPHELM_REGISTER", ",".join(new))

    def take(self, mail: Sequence[Message]) -> None:
        """Process the mail of an iteration."""
        handlers, world, skew, now = self._handlers, self._world, self._skew, self._app.time
        own = self._app.name
        for message in mail:
            name, value, time, source, aux, _, _ = message
            if skew is not None and abs(now - time) > skew and self._is_skewed(message, skew):
                self._reject(message)
                continue
            handler = handlers.get(name)
            if handler is not None:
                handler(message)
                continue
            # the helm's own initial values are in the world already, and may be outdated
            if isinstance(value, bytes) or (aux == INITIAL and source == own):
                continue
            world.take(name, value)

    def _is_skewed(self, message: Message, skew: float) -> bool:
        """Whether a skewed stamp is an error; the old value sent upon registering has none."""
        if message.source == self._app.name or message.name in _UNCHECKED:
            return False
        now = self._app.time
        return message.time > now or now - self._since.get(message.name, 0.0) > skew

    def _reject(self, message: Message) -> None:
        skew = self._app.time - message.time
        self._app.post("IVPHELM_SKEW", f"{message.name}={fixed(skew, 2)}")
        self._app.run_warning(
            f"{message.name} of {message.source}: stamp is {skew:.2f} s off, not taken"
        )
