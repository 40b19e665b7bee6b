"""A log as an MCAP file: each variable a topic in JSON, and Foxglove's messages; and back.

A message has the number of its line in the log, and comments are kept, so that the log can be
written again byte for byte.
"""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mcap.reader import make_reader

from steerageway.apps.shared import foxglove
from steerageway.apps.shared.mcap_topics import McapTopics, messages_in
from steerageway.bridges.scene import Out, Scene, time_of
from steerageway.bus import nanoseconds
from steerageway.declarations import replacing
from steerageway.diagnostics.diagnostic import reason
from steerageway.moos.alog import (
    COMMENT,
    Entry,
    EntryFormat,
    community_of,
    parse_entry,
    posted_value,
    read_banner,
    whole_lines,
)
from steerageway.moos.errors import FormatError

VARIABLE = "steerageway.Variable"
SCHEMA = json.dumps(
    {
        "title": VARIABLE,
        "type": "object",
        "properties": {
            "time": {"type": "number", "description": "simulated time [s]"},
            "value": {"description": "a number or a text"},
            "source": {"type": "string"},
        },
    }
).encode()
LOG = "log"  # name of the metadata of a log
COMMENTS = 10_000  # most comment lines of a log that are kept
_encode = json.JSONEncoder(separators=(",", ":")).encode


def write(logs: list[Path], output: Path) -> int:
    """Write the logs of a run as one MCAP file; return the number of messages.

    Raises:
        FormatError: a log is damaged, or the file cannot be written.
    """
    try:
        with replacing(output) as fresh, fresh.open("wb") as file:
            topics = McapTopics(file, "zstd")
            for log in logs:
                banner = read_banner(log)
                lines = LogLines(topics, log, community_of(log), banner.start, marks=banner.marks)
                for raw in whole_lines(log):
                    lines.take(raw.decode("utf-8", "surrogateescape"))
                lines.end()
            topics.close()
            return topics.count
    except OSError as error:
        raise FormatError(str(output), "", "", reason(error)) from error


class LogLines:
    """Writes the lines of one log.

    Args:
        topics: of the file.
        log: the log, for errors; binary values lie beside it.
        community: its community.
        start: UTC of its time zero [s].
        marks: whether its values have type marks.
    """

    def __init__(
        self, topics: McapTopics, log: Path, community: str, start: float, *, marks: bool
    ) -> None:
        self._topics, self._log, self._community, self._marks = (
            topics,
            log,
            _plain(community),
            marks,
        )
        self._start = nanoseconds(start)
        self._form = EntryFormat(0.0, aux=True, marks=marks, home="")
        self._scene = Scene(community)
        self._comments: list[tuple[int, str]] = []
        self._number = 0

    def take(self, line: str) -> None:
        """Write a line, with its line end.

        Raises:
            FormatError: it is no entry.
        """
        self._number += 1
        if line.startswith(COMMENT) or line.isspace():
            if len(self._comments) < COMMENTS:
                self._comments.append((self._number, line))
            return
        entry = parse_entry(line, f"{self._log}:{self._number}", marks=self._marks)
        at = self._start + nanoseconds(entry.time)
        name = _plain(entry.name)
        message = _described(entry, line, self._form)
        data = _bytes(message if name == entry.name else {**message, "line": line})
        topic = f"/{self._community}/{name}"
        self._topics.add(topic, VARIABLE, SCHEMA, data, max(at, 0), self._number)
        value = posted_value(self._log, entry.value)
        self._add(self._scene.take(entry.name, value, at))

    def end(self) -> None:
        """Write the last pose, and what is needed to write the log again."""
        self._add(self._scene.poses())
        comments = json.dumps(self._comments)
        file = _plain(self._log.name)
        about = {"community": self._community, "file": file, "comments": comments}
        self._topics.writer.add_metadata(LOG, about)

    def _add(self, made: Iterator[Out]) -> None:
        for topic, schema, message in made:
            text, at = foxglove.schema_text(schema), max(time_of(message), 0)
            self._topics.add(topic, schema, text, _bytes(message), at)


class LogCopy:
    """An MCAP file that is written along with a log.

    Args:
        path: of the file.
        log, community, start, marks: see ``LogLines``.
    Raises:
        OSError: it cannot be created.
    """

    def __init__(self, path: Path, log: Path, community: str, start: float, *, marks: bool) -> None:
        self._file = path.open("xb")
        self._topics = McapTopics(self._file, "zstd")
        self._lines = LogLines(self._topics, log, community, start, marks=marks)

    def take(self, text: str) -> None:
        """Write whole lines."""
        for line in text.encode("utf-8", "backslashreplace").decode().splitlines(keepends=True):
            self._lines.take(line)

    def close(self) -> None:
        """Write the summary, and close the file."""
        self._lines.end()
        self._topics.close()
        self._file.close()


def _described(entry: Entry, line: str, form: EntryFormat) -> dict[str, Any]:
    """Return the members of a message, with the line if they do not determine it."""
    time, name, value, source, aux, community = entry
    message = {"time": time, "value": value, "source": source}
    message |= {k: v for k, v in (("aux", aux), ("community", community)) if v}
    if form.line(name, value, time, source, aux, community) != line:
        message["line"] = line
    return message


def _plain(name: str) -> str:
    """Return a name in which "?" stands for bytes that are no UTF-8."""
    return name.encode("utf-8", "replace").decode()


def _bytes(message: Any) -> bytes:
    return _encode(message).encode()


def unpacked(path: Path) -> Path:
    """Write the logs of an MCAP file again, in a temporary folder, and return that.

    Raises:
        FormatError: the file is damaged, or contains no log.
    """
    folder = Path(tempfile.mkdtemp(prefix="steerageway-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    try:
        with path.open("rb") as file:
            logs = list(_logs_in(file, folder))
    except OSError as error:
        raise FormatError(str(path), "", "", reason(error)) from error
    except Exception as error:  # of the reader, and of two libraries for compressed chunks
        raise FormatError(str(path), "", "", f"expected an MCAP file of a run: {error}") from error
    if not logs:
        raise FormatError(str(path), "", "", "expected a file of alog mcap: there is no log in it")
    return folder


def _logs_in(file: Any, folder: Path) -> Iterator[Path]:
    reader = make_reader(file)
    for record in reader.iter_metadata():
        if record.name != LOG:
            continue
        community, name = record.metadata["community"], Path(record.metadata["file"]).name
        lines = {int(number): str(text) for number, text in json.loads(record.metadata["comments"])}
        marks = any(text.startswith("%% DATATYPE MARKING ON") for text in lines.values())
        form = EntryFormat(0.0, aux=True, marks=marks, home="")
        for schema, channel, message in messages_in(file):
            prefix = f"/{community}/"
            if schema is None or schema.name != VARIABLE or not channel.topic.startswith(prefix):
                continue
            one = json.loads(message.data)
            variable = channel.topic.removeprefix(prefix)
            lines[message.sequence] = one.get("line") or form.line(
                variable,
                one["value"] if isinstance(one["value"], str) else float(one["value"]),
                float(one["time"]),
                one["source"],
                one.get("aux", ""),
                one.get("community", ""),
            )
        name = name.removesuffix(".gz")
        log = folder / Path(community).name / name.removesuffix(".alog") / name
        if ".." in log.parts:
            raise ValueError(f"a log named {name} of {community}")
        log.parent.mkdir(parents=True)
        with log.open("w", encoding="utf-8", errors="surrogateescape", newline="") as text:
            text.writelines(lines[number] for number in sorted(lines))
        yield log
