"""The interactive console: a prompt with completion, above a pane with the watched variables."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.styles import Style

from steerageway.apps.consoles.poke.interpreter import Interpreter
from steerageway.apps.consoles.poke.lines import COMMANDS, LineError, QuickKey
from steerageway.apps.shared.board import EVERY, ending
from steerageway.apps.shared.display import cut
from steerageway.apps.shared.terminal import say
from steerageway.bus import BusError

REFRESH = 0.2  # interval between updates [wall s]
MENU = 6  # lines reserved for the completion menu
STYLE = Style.from_dict({"bottom-toolbar": "noreverse", "bottom-toolbar.text": "noreverse"})


class LineCompleter(Completer):
    """Offers completions of a console line."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        """Yield the completions of the text before the cursor."""
        text = document.text_before_cursor.lstrip()
        command, space, _ = text.partition(" ")
        if space and command in COMMANDS:
            word = text.rpartition(" ")[2]
            yield from fitting(word, self._arguments(command, word))
        elif "=" in text:
            target, _, value = text.partition("=")
            community, name = self._placed(target.rstrip(": "))
            yield from fitting(value.lstrip(), self._interpreter.seen.values(community, name))
        elif not space:
            yield from self._beginnings(text)

    def _beginnings(self, text: str) -> Iterator[Completion]:
        community, name = self._placed(text)
        names = [f"{variable}=" for variable in self._interpreter.seen.names(community)]
        if ":" not in text:
            communities = self._interpreter.board.communities
            names += [f"{c}:" for c in communities] if len(communities) > 1 else []
            names += COMMANDS
        if name or ":" in text:
            yield from fitting(name, names)

    def _arguments(self, command: str, word: str) -> Iterable[str]:
        interpreter = self._interpreter
        match command:
            case "show" | "watch":
                community, _, _ = word.rpartition(":")
                names = interpreter.seen.names(community or interpreter.current)
                return [f"{community}:{name}" for name in names] if community else names
            case "unwatch":
                return interpreter.watching.patterns
            case "use":
                return interpreter.board.communities
            case "cast":
                return list(interpreter.board.about["apps"][interpreter.current])
            case "warp":
                return ("1", "10", "max")
            case "run":
                return ("until",)
            case "help":
                return COMMANDS
        return ()

    def _placed(self, text: str) -> tuple[str, str]:
        """Split ``NAME:VAR`` into community, by default the current one, and variable."""
        community, _, name = text.rpartition(":")
        return (self._interpreter.current if community in ("", EVERY) else community), name


def fitting(word: str, offered: Iterable[str]) -> Iterator[Completion]:
    """Yield the texts that start with a word, then those that contain it; case is ignored."""
    lowered = word.lower()
    listed = list(offered)
    first = [text for text in listed if text.lower().startswith(lowered)]
    rest = [text for text in listed if lowered in text.lower() and text not in first]
    for text in (*first, *rest):
        yield Completion(text, start_position=-len(word), display=text.rstrip("="))


class RunOver(Exception):
    """The run has ended or does not reply; the text says which."""


class Console:
    """An interpreter in a terminal."""

    def __init__(self, interpreter: Interpreter, quick: Sequence[QuickKey]) -> None:
        self._interpreter = interpreter
        self._quick = quick
        self._session: PromptSession[str] = PromptSession(
            history=_history(),
            completer=LineCompleter(interpreter),
            complete_while_typing=True,
            reserve_space_for_menu=MENU,
            bottom_toolbar=self._pane,
            refresh_interval=REFRESH,
            key_bindings=self._bindings(),
            style=STYLE,
        )
        self._session.app.before_render += self._update

    def run(self) -> None:
        """Execute lines until the user quits.

        The terminal stays in raw mode between two prompts, so that keys typed then are not lost.

        Raises:
            RunOver: the run has ended.
        """
        print(f"{self._interpreter.state_text()}; ? lists the commands")
        with self._session.input.raw_mode():
            self._prompt_lines()

    def _prompt_lines(self) -> None:
        while not self._interpreter.quitting:
            try:
                line = self._session.prompt(lambda: f"{self._interpreter.current}> ")
            except KeyboardInterrupt:  # Ctrl-C discards the line
                continue
            except EOFError:
                return
            say(self._execute(line), end="")

    def _execute(self, line: str) -> str:
        """Return the text to print for a line."""
        try:
            answer = self._interpreter.do(line)
        except (LineError, BusError) as error:
            self._end_if_over()
            done = error.done if isinstance(error, LineError) else ""
            answer = "\n".join(filter(None, (done, str(error))))
        return f"{answer}\n" if answer else ""

    def _end_if_over(self) -> None:
        if self._interpreter.board.ended:
            raise RunOver(ending(self._interpreter.board))

    def _update(self, app: Application[str]) -> None:
        """Process the mail before each drawing; exit when the run has ended."""
        try:
            self._interpreter.update()
            self._end_if_over()
        except (RunOver, BusError) as error:
            if not app.is_done:
                app.exit(exception=RunOver(str(error)))

    def _pane(self) -> StyleAndTextTuples:
        size = self._session.output.get_size()
        lines = self._interpreter.view(size.columns)
        room = max(1, size.rows - MENU - 4)
        if len(lines) > room:
            lines[room - 1 :] = [f"({len(lines) - room + 1} more)"]
        rule = cut(f"-- {self._interpreter.state_text()} ".ljust(size.columns, "-"), size.columns)
        shown = [rule, *(cut(line, size.columns) for line in lines)]
        return [("", "\n".join(shown))]

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        for key in self._quick:
            bindings.add(*key.keys)(self._key_handler(key))
        return bindings

    def _key_handler(self, key: QuickKey) -> Callable[[KeyPressEvent], None]:
        def press(event: KeyPressEvent) -> None:
            # run_in_terminal would switch the terminal to cooked mode, which consumes some keys.
            event.app.renderer.erase()
            try:
                say(f"{key.shown}: {key.line}\n{self._execute(key.line)}", end="")
            except RunOver as over:
                event.app.exit(exception=over)
                return
            event.app.renderer.request_absolute_cursor_position()
            if self._interpreter.quitting:
                event.app.exit(exception=EOFError)

        return press


def _history() -> History:
    """Return the stored history of lines; if it cannot be stored, one in memory."""
    state = os.environ.get("XDG_STATE_HOME")
    folder = (Path(state) if state else Path.home() / ".local" / "state") / "steerageway"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "poke_history").touch()
    except OSError as error:
        print(f"history is not kept: {error}")
        return InMemoryHistory()
    return FileHistory(str(folder / "poke_history"))
