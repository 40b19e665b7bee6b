"""Full-screen view of the scope, with its keys."""

from __future__ import annotations

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.output import ColorDepth

from steerageway.apps.consoles.scope.scoping import Scope
from steerageway.apps.consoles.scope.view import Mode
from steerageway.apps.shared.board import ending
from steerageway.apps.shared.display import cut, state_text
from steerageway.bus import BusError

POLL_INTERVAL = 0.1  # maximum interval between updates [wall s]
HELP = """\
s t c x   source, time, community, auxiliary source: wide or narrow
v         show or hide variables that were never posted
/         filter names by a text or a pattern; Enter keeps it, Esc removes it
up down   choose a variable (PageUp, PageDown: by screens)
w Enter   its history, and back
e r p     update at every event, periodically, or not
space u   update once, then not
h         this help; q leaves"""
_COLUMNS = {"s": "source", "t": "time", "c": "community", "x": "aux", "v": "virgins"}
_MODES = {"e": Mode.EVENTS, "r": Mode.STREAMING, "p": Mode.PAUSED}


class Screen:
    """A scope that is redrawn in place."""

    def __init__(self, scope: Scope, *, colors: bool) -> None:
        self._scope, self._colors = scope, colors
        self._at = 0  # the selected row
        self._top = 0  # the first visible row
        self._typing = self._helping = False
        self._app: Application[str] = Application(
            layout=Layout(Window(FormattedTextControl(self._text), wrap_lines=False)),
            key_bindings=self._bindings(),
            full_screen=True,
            refresh_interval=min(POLL_INTERVAL, scope.view.interval),
            before_render=self._look,
            color_depth=ColorDepth.DEPTH_4_BIT if colors else ColorDepth.DEPTH_1_BIT,
        )

    def run(self) -> str:
        """Show the scope until the user leaves; return why the run ended, "" if it is running."""
        return self._app.run()

    def _look(self, app: Application[str]) -> None:
        board = self._scope.board
        try:
            self._scope.look()
            over = ending(board) if board.ended else ""
        except BusError as error:
            over = str(error)
        if over and not app.is_done:
            app.exit(result=over)

    def _text(self) -> StyleAndTextTuples:
        size = self._app.output.get_size()
        heading, *rows = HELP.splitlines() if self._helping else self._scope.lines
        room = max(1, size.rows - 2)
        self._scroll(len(rows), room)
        text: StyleAndTextTuples = [("reverse", self._title(size.columns) + "\n")]
        text.append(("bold", cut(heading, size.columns)))
        for number, row in enumerate(rows[self._top : self._top + room], self._top):
            text.append((self._style(number), "\n" + cut(row, size.columns)))
        return text

    def _style(self, number: int) -> str:
        """Return the style of a row."""
        if self._helping or not self._scope.chosen:
            return ""
        style = self._scope.styles[number] if self._colors else ""
        return f"{style} reverse" if number == self._at else style

    def _title(self, columns: int) -> str:
        view, status = self._scope.view, self._scope.board.status
        parts = [state_text(status), f"shows {view.mode}"]
        if self._scope.board.silent:
            parts.append("no answer")
        if thinned := self._scope.board.thinned:
            parts.append(f"{thinned} left out")
        if view.filter or self._typing:
            parts.append(f"/{view.filter}{'_' if self._typing else ''}")
        shown = f"{', '.join(self._scope.board.communities)}  {'  '.join(parts)}  (h: keys)"
        return cut(shown, columns).ljust(columns)

    def _scroll(self, rows: int, room: int) -> None:
        """Keep the selection within the rows and visible; a history shows its end."""
        if self._scope.view.history and not self._helping:
            self._top = max(0, rows - room)
            return
        self._at = max(0, min(self._at, rows - 1))
        self._top = max(0, min(self._top, self._at, rows - room), self._at - room + 1)

    def _bindings(self) -> KeyBindings:
        typing = Condition(lambda: self._typing)
        bindings = KeyBindings()
        for key in _COLUMNS:
            bindings.add(key, filter=~typing)(self._turn_column)
        for key in _MODES:
            bindings.add(key, filter=~typing)(self._change_mode)
        for key in ("up", "down", "pageup", "pagedown"):
            bindings.add(key)(self._move)
        for key in (" ", "u"):
            bindings.add(key, filter=~typing)(self._show_once)
        for key in ("w", "enter"):
            bindings.add(key, filter=~typing)(self._turn_history)
        for key in ("h", "?"):
            bindings.add(key, filter=~typing)(self._turn_help)
        bindings.add("/", filter=~typing)(self._begin_filter)
        bindings.add(Keys.Any, filter=typing)(self._type)
        for key in ("enter", "backspace"):
            bindings.add(key, filter=typing)(self._edit)
        bindings.add("escape", eager=True)(self._edit)
        bindings.add("q", filter=~typing)(_leave)
        for key in ("c-c", "c-d"):
            bindings.add(key)(_leave)
        return bindings

    def _turn_column(self, event: KeyPressEvent) -> None:
        column = _COLUMNS[event.data]
        setattr(self._scope.view, column, not getattr(self._scope.view, column))
        self._scope.show()

    def _change_mode(self, event: KeyPressEvent) -> None:
        self._scope.view.mode = _MODES[event.data]

    def _move(self, event: KeyPressEvent) -> None:
        page = max(1, self._app.output.get_size().rows - 3)
        steps = {Keys.Up: -1, Keys.Down: 1, Keys.PageUp: -page, Keys.PageDown: page}
        self._at += steps[Keys(event.key_sequence[0].key)]

    def _show_once(self, event: KeyPressEvent) -> None:
        self._scope.view.mode = Mode.PAUSED
        self._scope.show()

    def _turn_history(self, event: KeyPressEvent) -> None:
        view, chosen = self._scope.view, self._scope.chosen
        view.history = "" if view.history or not chosen else chosen[self._at]
        self._scope.show()

    def _turn_help(self, event: KeyPressEvent) -> None:
        self._helping = not self._helping

    def _begin_filter(self, event: KeyPressEvent) -> None:
        self._typing = True

    def _type(self, event: KeyPressEvent) -> None:
        self._scope.view.filter += event.data if event.data.isprintable() else ""
        self._scope.show()

    def _edit(self, event: KeyPressEvent) -> None:
        key, view = event.key_sequence[0].key, self._scope.view
        if key == Keys.Backspace:
            view.filter = view.filter[:-1]
        else:
            self._typing = False
        if key == Keys.Escape:
            view.filter = ""
        self._scope.show()


def _leave(event: KeyPressEvent) -> None:
    event.app.exit(result="")
