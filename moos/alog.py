"""MOOS-IvP's log files (``.alog``): reading and writing banner and entries, hash of the data.

    %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
    %% LOG FILE:       ./LOG_ALPHA/LOG_ALPHA.alog
    %% FILE OPENED ON  Tue Jun  2 01:38:39 2026
    %% LOGSTART              1780364318.512
    %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
    0.62500         NAV_X                uSimMarineV22   12.00000

Every byte is as MOOS-IvP writes it, with one exception. MOOS-IvP writes a text with line ends
unchanged, so that its second line looks like an entry, or a comment. Here a line end within a text
is written as the two characters ``\\n`` (a carriage return as ``\\r``), and converted back when
read: one message is one line, whatever an app posts. For the same reason blanks within the names of
variables and sources become ``_``.

Lines that start with ``%%`` are comments, anywhere in the file. A last line without a line end was
not written completely, and is not read.

A log may be in parts: ``LOG.alog`` and, beside it, ``LOG.part0002``, ``LOG.part0003``, ... (of a
``LOG.alog.gz`` with ``.gz``), each with a banner. The functions here read them all as one log.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from itertools import count
from math import fmod
from pathlib import Path
from typing import NamedTuple

from steerageway.declarations import finite
from steerageway.declarations.patterns import any_matches
from steerageway.diagnostics.diagnostic import listed, reason
from steerageway.moos.errors import FormatError
from steerageway.moos.values import number_of

COMMENT = "%%"
FIRST = ".alog"  # ending of a log, or of its first part
DATABASE = "MOOSDB_"  # followed by the community: source of the database's own posts
_RULE = "%" * 59 + "\n"
_MARKING = "%% DATATYPE MARKING ON"
_LINE_ENDS = str.maketrans({"\n": "\\n", "\r": "\\r"})
_HEAD = re.compile(r"[ \t]*(\S+)[ \t]+(\S+)[ \t]+(\S+)")
_BINARY = re.compile(
    r"<MOOS_BINARY>File=([^/\\,\0]+),Offset=(\d{1,15}),Bytes=(\d{1,15})</MOOS_BINARY>"
)
# a further line of a DB_VARSUMMARY of MOOS's own database, whose value has a line for each variable
_ROW = re.compile(rb"[A-Za-z]\S*[ \t]+\d\d:\d\d:\d\d\.\d+[ \t]")
_SOURCE_WIDTH = 15
LONGEST_LINE = 64 << 20  # bytes: far more than a client may post in a value
FASTEST = 100  # warp of a log of MOOS
LATEST = 4.6e9  # [s] of a start or a time: of both, every form has the sum, in ns as 64 bits
_SHOWN = 60  # characters of a line that an error quotes


class Entry(NamedTuple):
    """One message of a log.

    Attributes:
        time: of the message [s since LOGSTART]; may be negative.
        name: the variable.
        value: a number or a text. Without type marks a text that looks like a number is a number.
        source, aux: the app that posted it, and its comment.
        community: where it was posted, if the log marks that; else "".
    """

    time: float
    name: str
    value: float | str
    source: str
    aux: str = ""
    community: str = ""


@dataclass(frozen=True, slots=True)
class Banner:
    """The first lines of a log.

    Attributes:
        file: the log's name when it was written.
        start: UTC [s] of time zero; 0 when the banner does not have it. In a log of MOOS at a warp
            any number, with the right difference to the starts of the run's other logs.
        marks: whether values carry type marks, ``D:`` or ``S:``.
    """

    file: str = ""
    start: float = 0.0
    marks: bool = False


def banner(file: str, opened: float, start: float, *, marks: bool = False) -> str:
    """Return the first lines of a log.

    Args:
        file: the log's name.
        opened: UTC [s] at which the file is opened.
        start: UTC [s] of time zero.
        marks: whether values have type marks.
    """
    return (
        f"{_RULE}"
        f"%% LOG FILE:       {file}\n"
        f"%% FILE OPENED ON  {datetime.fromtimestamp(opened, UTC).ctime()}\n"
        f"%% LOGSTART        {start:20.16g}\n"
        f"{_MARKING + chr(10) if marks else ''}"
        f"{_RULE}"
    )


class EntryFormat:
    """Formats messages as lines of a log.

    Args:
        start: the message time [s] that is the log's time zero.
        precision: decimals of numbers.
        aux: whether ``:`` and the poster's comment follow sources.
        marks: whether values have type marks.
        home: the log's own community: messages of others get ``@`` and theirs; None: no marks.
    """

    __slots__ = (
        *("_aux", "_heads", "_home", "_latest", "_number", "_stamp", "_text", "_time"),
        "start",
    )

    def __init__(
        self,
        start: float,
        *,
        precision: int = 5,
        aux: bool = False,
        marks: bool = False,
        home: str | None = None,
    ) -> None:
        self.start = start
        self._aux = aux
        self._home = home
        self._number = f"%s%s{'D:' if marks else ''}%-12.{precision}f \n"
        self._text = f"%s%s{'S:' if marks else ''}%s \n"
        # Of the last line: often several share a time.
        self._time, self._stamp = start, self._stamped(start)
        self._heads: dict[tuple[str, str, str], str] = {}
        self._latest: dict[str, tuple[str, str, str]] = {}  # source, community and their head

    def line(
        self,
        name: str,
        value: float | str,
        time: float,
        source: str,
        aux: str = "",
        community: str = "",
    ) -> str:
        """Return a message as a line, line end included."""
        if aux and self._aux:
            head = self._head(name, source, aux, community)
        else:
            # Most variables have one source: their formatted head is reused.
            known = self._latest.get(name)
            if known is None or known[0] != source or known[1] != community:
                key = (name, source, community)
                head = self._heads.get(key) or self._head(name, source, "", community)
                self._heads[key], self._latest[name] = head, (source, community, head)
            else:
                head = known[2]
        if time != self._time:
            self._time, self._stamp = time, self._stamped(time)
        if value.__class__ is not float and isinstance(value, str):
            if "\n" in value or "\r" in value:
                value = value.translate(_LINE_ENDS)
            return self._text % (self._stamp, head, value)
        return self._number % (self._stamp, head, value)

    def head(self, name: str, time: float, source: str, aux: str = "", community: str = "") -> str:
        """Return the columns before the value: time, variable and source."""
        return f"{self._stamped(time)}{self._head(name, source, aux, community)}"

    def _stamped(self, time: float) -> str:
        return f"{time - self.start:<15.5f} "

    def _head(self, name: str, source: str, aux: str, community: str) -> str:
        if aux and self._aux:
            source = f"{source}:{aux}"
        if self._home is not None and community not in ("", self._home):
            source = f"{source}@{community}"
        return f"{_one_word(name):<20} {_one_word(source):<{_SOURCE_WIDTH}} "


def binary_reference(file: str, offset: int, size: int) -> str:
    """Return the text that stands for a binary value: its place in another file."""
    return f"<MOOS_BINARY>File={file},Offset={offset},Bytes={size}</MOOS_BINARY>"


def binary_place(text: str) -> tuple[str, int, int] | None:
    """Parse a text of ``binary_reference`` as (file, offset, size); None for any other text."""
    match = _BINARY.fullmatch(text)
    return (match[1], int(match[2]), int(match[3])) if match else None


def posted_value(log: Path, value: float | str) -> float | str | bytes:
    """Return the posted value; a binary one is read from its file.

    Args:
        log: the log; the file lies beside it.
        value: of an entry of the log.
    Raises:
        FormatError: the file cannot be read, or is too short.
    """
    place = binary_place(value) if isinstance(value, str) else None
    if place is None:
        return value
    file, offset, size = place
    blog = log.with_name(file)
    try:
        if blog.stat().st_size < offset + size:  # before memory is taken for them
            expected = f"expected {size} bytes from {offset} on, as {log.name} says"
            raise FormatError(str(blog), "", "", expected)
        with blog.open("rb") as values:
            values.seek(offset)
            return values.read(size)
    except OSError as error:
        reason = f"expected binary values: {error.strerror}"
        raise FormatError(str(blog), "", "", reason) from error


def parse_entry(line: str, where: str = "", *, marks: bool = False) -> Entry:
    """Parse one line of a log, with or without its line end.

    Args:
        line: its columns may be narrower or wider than MOOS-IvP's.
        where: "a.alog:17", for the error.
        marks: whether the log's values carry type marks.
    Raises:
        FormatError: the line is no entry.
    """
    line = line.rstrip("\r\n")
    head = _HEAD.match(line)
    if head is None:
        raise FormatError(where, line[:_SHOWN], "", "expected time, variable, source and value")
    stamp, name, origin = head.groups()
    source, _, rest = origin.partition(":")
    aux, _, community = rest.partition("@")
    if "@" in source:
        source, _, community = source.partition("@")
    time = number_of(stamp)
    if time is None or abs(time) > LATEST:
        raise FormatError(where, line[:_SHOWN], "", "expected a time [s] first")
    try:
        value = _typed(_value_text(line, head.start(3), head.end(3)), marks)
    except ValueError:
        expected = "expected a value that starts with D: or S:, as the banner says"
        raise FormatError(where, line[:_SHOWN], "", expected) from None
    return Entry(time, name, value, source, aux, community)


def read_banner(path: Path) -> Banner:
    """Read a log's first lines.

    Raises:
        FormatError: the file cannot be read, or its start is no number.
    """
    file, start, marks = "", 0.0, False
    for raw in whole_lines(path):
        line = raw.decode("utf-8", "backslashreplace").rstrip()
        if not line.startswith(COMMENT):
            break
        key, _, value = line.removeprefix(COMMENT).strip().partition(" ")
        if line.startswith("%% LOG FILE:"):
            file = value.removeprefix("FILE:").strip()
        elif key == "LOGSTART":
            start = _start(path, value.strip())
        marks = marks or line == _MARKING
    return Banner(file, start, marks)


def read_entries(path: Path) -> Iterator[Entry]:
    """Yield a log's entries in order.

    Raises:
        FormatError: the file cannot be read, or a line is no entry.
    """
    marks = read_banner(path).marks
    for number, raw in enumerate(whole_lines(path), 1):
        line = raw.decode("utf-8", "backslashreplace")
        if not line.startswith(COMMENT) and not line.isspace():
            yield parse_entry(line, f"{path}:{number}", marks=marks)


def messages(
    path: Path, names: Sequence[str], *, without: Collection[str] = ()
) -> Iterator[tuple[Entry, float | str | bytes]]:
    """Yield the messages of a log that can be posted, with values; binary ones from the .blog.

    The database's own posts (DB_TIME, ...) are left out.

    Args:
        path: the log.
        names: variables, or patterns with * and ?.
        without: sources whose messages are left out.
    Raises:
        FormatError: the log, or its .blog, cannot be read.
    """
    for entry in read_entries(path):
        is_own = entry.source.startswith(DATABASE) or entry.source in without
        if any_matches(names, entry.name) and not is_own:
            yield entry, posted_value(path, entry.value)


def part_path(path: Path, number: int) -> Path:
    """Return the path of a part, from the second, of the log whose first part is at ``path``."""
    packed = ".gz" if path.suffix == ".gz" else ""
    stem = path.name.removesuffix(packed).removesuffix(FIRST)
    return path.with_name(f"{stem}.part{number:04}{packed}")


def parts_of(path: Path) -> Iterator[Path]:
    """Yield the files of a log, of which ``path`` is the first or any single one."""
    yield path
    if path.name.removesuffix(".gz").endswith(FIRST):
        for number in count(2):
            if not (part := part_path(path, number)).exists():
                return
            yield part


def logs_in(folder: Path) -> list[Path]:
    """Return all logs below a folder.

    Raises:
        FormatError: there is none.
    """
    logs = sorted(log for log in folder.rglob("*.alog*") if log.suffix in (".alog", ".gz"))
    if not logs:
        raise FormatError(str(folder), "", "", "expected a folder with a log in it, found none")
    return logs


def only_log(logs: Sequence[Path], path: Path) -> Path:
    """Return the only one of the logs at a path.

    Raises:
        FormatError: there are several.
    """
    if len(logs) != 1:
        root = path if path.is_dir() else logs[0].parents[2]
        found = listed([str(log.relative_to(root)) for log in logs])
        expected = f"expected one log, as {path / logs[0].relative_to(root)}"
        raise FormatError(str(path), "", "", f"{expected}; found {found}")
    return logs[0]


def community_of(log: Path) -> str:
    """Return the community of a log: the name of its database, or that of the file."""
    for raw in whole_lines(log):
        parts = raw.split(maxsplit=3)
        if len(parts) > 2 and parts[2].startswith(DATABASE.encode()):
            return parts[2].decode("utf-8", "backslashreplace").removeprefix(DATABASE)
    return log.name.partition(".")[0]


def whole_lines(path: Path) -> Iterator[bytes]:
    """Yield a log's lines with their line ends, comments included, without an unfinished last one.

    Further lines of a ``DB_VARSUMMARY`` are left out.

    Raises:
        FormatError: the file, or a further part of the log, cannot be read.
    """
    for part in parts_of(path):
        lines = _lines_of(part)
        if part != path:
            for _ in range(2):  # its banner, from a rule to the next
                next((line for line in lines if line == _RULE.encode()), None)
        yield from lines


def _lines_of(path: Path) -> Iterator[bytes]:
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            while line := file.readline(LONGEST_LINE):
                if line.endswith(b"\n"):
                    if not (line[:1].isalpha() and _ROW.match(line)):
                        yield line
                elif len(line) == LONGEST_LINE:
                    expected = f"expected a log: a line of it has more than {LONGEST_LINE} bytes"
                    raise FormatError(str(path), "", "", expected)
    except EOFError:
        return  # an unfinished compressed log: everything readable has been read
    except (OSError, zlib.error) as error:
        raise FormatError(str(path), "", "", f"expected a log: {reason(error)}") from error


def data_hash(lines: Iterable[bytes]) -> str:
    """Return the SHA-256 of a log's entries, in hexadecimal: of all lines but comments.

    Args:
        lines: with their line ends, see ``whole_lines``.
    """
    digest = sha256()
    for line in lines:
        if not line.startswith(b"%%"):
            digest.update(line)
    return digest.hexdigest()


def _one_word(text: str) -> str:
    return "_".join(text.split()) or "_"


def _value_text(line: str, start: int, end: int) -> str:
    """Return the value in a line whose source is from ``start`` to ``end``."""
    # MOOS-IvP pads the source to a fixed width, and a value may begin with blanks: only what is in
    # front of the value's column is padding, unless a long source has moved it.
    column = max(end, start + _SOURCE_WIDTH) + 1
    text = line[end:].lstrip(" \t") if line[end:column].strip() else line[column:]
    return text.removesuffix(" ")


def _typed(text: str, marks: bool) -> float | str:
    if not marks or binary_place(text):
        bare = text.rstrip(" ")
        return text if (number := number_of(bare)) is None else number
    mark, value = text[:2], text[2:]
    if mark == "S:":
        return value
    number = finite(value) if mark == "D:" else None
    if number is None:
        raise ValueError(text)
    return number


def _start(path: Path, text: str) -> float:
    seconds = finite(text)
    if seconds is None or not -LATEST <= seconds <= LATEST * FASTEST:
        raise FormatError(str(path), "LOGSTART", text, "expected UTC seconds")
    # MOOS multiplies the UTC by the warp: of such starts only the differences say anything.
    return seconds if abs(seconds) <= LATEST else fmod(seconds, 2.0**31)  # ROS 2 has 31 bits
