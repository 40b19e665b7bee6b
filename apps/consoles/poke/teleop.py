"""Teleoperation: steering by the arrow keys, with a dead-man timeout."""

from __future__ import annotations

from functools import partial

from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl

from steerageway.apps.consoles.poke.joystick import DEAD_MAN, Joystick
from steerageway.apps.shared.board import Board, ending
from steerageway.apps.shared.display import state_text
from steerageway.bus import BusError, Value, wall
from steerageway.moos.values import trimmed

OVERRIDE, HELM_STATE = "MOOS_MANUAL_OVERRIDE", "IVPHELM_STATE"
HELM_OWNS = "DESIRED_"
REFRESH = 0.1  # interval between updates [wall s]
SEEN = ("NAV_X", "NAV_Y", "NAV_SPEED", "NAV_HEADING", "NAV_DEPTH")
KEYS = f"arrows steer, space stops, q leaves; without a key for {DEAD_MAN:g} s commands are zeroed"


class Teleop:
    """Steers a vessel by the keyboard.

    While it controls DESIRED_ variables, MOOS_MANUAL_OVERRIDE is true: the helm is parked and the
    PID
    silent. Afterwards its previous value is restored. If it was never posted, it becomes false if
    the
    helm was in DRIVE, else it stays true, so that no app starts to steer.
    """

    def __init__(self, board: Board, community: str, joystick: Joystick) -> None:
        self._board, self._community, self._joystick = board, community, joystick
        self._client = board.clients[community]
        self._note = ""
        self._client.register(OVERRIDE, HELM_STATE, *SEEN)
        board.sync()
        self._overrides = any(axis.name.startswith(HELM_OWNS) for axis in joystick.axes)
        self._afterwards = self._override_afterwards()

    def _override_afterwards(self) -> Value:
        before = self._board.last.get((self._community, OVERRIDE))
        if before is not None:
            return before.value
        helm = self._board.last.get((self._community, HELM_STATE))
        drives = helm is not None and str(helm.value).startswith("DRIVE")
        return "false" if drives else "true"

    def run(self) -> str:
        """Steer until the user leaves or the run ends; return the reason."""
        if self._overrides:
            self._client.post(OVERRIDE, "true")
        app: Application[str] = Application(
            layout=Layout(Window(FormattedTextControl(self._view), wrap_lines=True)),
            key_bindings=self._bindings(),
            refresh_interval=REFRESH,
            before_render=self._look,
            erase_when_done=True,
        )
        try:
            return app.run()
        finally:
            self._leave()

    def _leave(self) -> None:
        if self._board.ended:
            return
        self._joystick.release()
        self._post()
        if self._overrides:
            self._client.post(OVERRIDE, self._afterwards)
        self._board.sync()

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        for key in ("up", "down", "left", "right"):
            bindings.add(key)(partial(self._moved, key))
        bindings.add(Keys.Any)(partial(self._moved, ""))
        bindings.add(" ")(self._stopped)
        for key in ("q", "c-c", "c-d"):
            bindings.add(key)(lambda event: event.app.exit(result="let go"))
        return bindings

    def _moved(self, key: str, event: KeyPressEvent) -> None:
        self._joystick.press(key, wall())
        self._note = ""
        self._post()

    def _stopped(self, event: KeyPressEvent) -> None:
        self._joystick.release()
        self._note = "stopped"
        self._post()

    def _post(self) -> None:
        for name, level in self._joystick.levels.items():
            self._client.post(name, level)

    def _look(self, app: Application[str]) -> None:
        """Check the dead-man timeout, and process the mail, before each drawing."""
        try:
            if self._joystick.check_timeout(wall()):
                self._note = "no key pressed: stopped"
                self._post()
            self._board.poll()
            over = ending(self._board) if self._board.ended else ""
        except BusError as error:
            over = str(error)
        if self._board.refused:
            over = self._board.refused[0]
        if over and not app.is_done:
            app.exit(result=over)

    def _view(self) -> str:
        last = self._board.last
        levels = [f"{name} {trimmed(level, 2)}" for name, level in self._joystick.levels.items()]
        seen = [(n, last[self._community, n].value) for n in SEEN if (self._community, n) in last]
        return "\n".join(
            [
                f"{self._community}  {state_text(self._board.status)}",
                "  ".join((*levels, self._note)),
                "  ".join(f"{n} {trimmed(v, 2)}" for n, v in seen if isinstance(v, float)),
                KEYS,
            ]
        )
