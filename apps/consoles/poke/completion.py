"""Completion of console lines: commands, communities, variables and their past values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from steerageway.apps.consoles.poke.interpreter import Interpreter
from steerageway.apps.consoles.poke.lines import COMMANDS
from steerageway.apps.shared.board import EVERY


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
