"""Sources of the viewer, live runs and logs of ended runs, and the indexing of their logs."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from steerageway.apps.shared.runs import Run
from steerageway.bus import BusError, wall
from steerageway.moos.errors import FormatError
from steerageway.web.viewer.charts import Background
from steerageway.web.viewer.live import LiveRun
from steerageway.web.viewer.log_index import PACKED, LogIndex
from steerageway.web.viewer.log_set import (
    LogSet,
    epoch_of,
    folder_of,
    homes_of,
    open_logs,
    read_all,
)
from steerageway.web.viewer.marks import Inputs, Marks, marks_of
from steerageway.web.viewer.mission_facts import MissionFacts, facts_of, files_beside, read_helms
from steerageway.web.viewer.notes import Notes
from steerageway.web.viewer.recomputed import Recomputers

LOGGER = "pLogger"
SMALL = 8 << 20  # size up to which logs are indexed in this process [bytes]
LOOSE = 10  # assumed compression ratio of logs
AGAIN = 0.5  # polling interval of a run's logs [wall s]
_ENOUGH = 40  # polls until the logs of a new run are given up


class Source:
    """A run or its logs, shown by pages.

    Attributes:
        id: its identifier in requests.
        title: its name on the page.
        facts: from the mission's files.
        notes: messages for the user.
        share: indexed fraction of its logs, 0 to 1.
        ready: set once it can be shown, or has failed.
        failed: why it cannot be shown; "" if it can.
        charts: backgrounds that the user has named.
        recomputers: of its apps on its logs.
        notes_revision: counts changes of its notebook.
        logs: its logs as far as they are indexed.
        marks: on its time line; None until they are known.
        notebook: the notes on its time line; None if it has no folder on this machine.
        awaited: whether its logs do not exist yet, but will.
    """

    kind = ""
    logs: LogSet | None = None
    marks: Marks | None = None
    notebook: Notes | None = None
    awaited = False

    def __init__(self, id_: str, title: str) -> None:
        self.id, self.title = id_, title
        self.facts = MissionFacts()
        self.notes: list[str] = []
        self.share = 0.0
        self.ready = asyncio.Event()
        self.failed = ""
        self.charts: Sequence[Background] = ()
        self.recomputers = Recomputers()
        self.notes_revision = 0
        self._task: asyncio.Task[None] | None = None

    @property
    def doing(self) -> str:
        """What it does until it is ready."""
        return f"reading {self.title}"

    @property
    def backgrounds(self) -> list[Background]:
        """The backgrounds of its map."""
        return [*self.facts.backgrounds, *self.charts]

    async def past(self) -> LogSet | None:
        """Wait until it is ready; return its logs, read as far as they are written.

        Returns: None if there are none, or none yet, or they cannot be shown.
        Raises:
            FormatError: one cannot be read any further.
        """
        await self.ready.wait()
        return self.logs

    def start(self) -> None:
        """Start the task that makes it ready."""
        self._task = asyncio.create_task(self._prepare())

    async def close(self) -> None:
        """Cancel its task and release its resources."""
        await asyncio.to_thread(self.recomputers.close)
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def report(self, share: float) -> None:
        """Record the indexed fraction of its logs."""
        self.share = share

    async def _prepare(self) -> None:
        raise NotImplementedError


class Replay(Source):
    """The logs of a run that has ended."""

    kind = "replay"

    def __init__(self, id_: str, path: Path) -> None:
        """Open a log, or a run's folder.

        Raises:
            FormatError: there is no log, or it cannot be read.
        """
        super().__init__(id_, path.name or str(path))
        self.path = path
        self._scratch = TemporaryDirectory(prefix="steerageway-viewer-")
        try:
            self.indexes = open_logs(path, Path(self._scratch.name))
        except FormatError:
            self._scratch.cleanup()
            raise
        beside = path if path.is_dir() else path.parent
        self.notebook = Notes(folder_of(path) or beside)

    async def _prepare(self) -> None:
        try:
            self.logs = await indexed(self.path, self.indexes, self.report)
        except (FormatError, OSError) as error:
            self.failed = str(error)
        else:
            logs = {community: index.path for community, index in self.logs.indexes.items()}
            self.facts = facts_of(files_beside(logs), homes_of(self.path))
            self.notes += self.facts.notes
        self.ready.set()
        if self.logs is not None:
            folder = folder_of(self.path)
            self.marks = await asyncio.to_thread(marks_of, self.logs, folder, self.facts.blocks)

    async def close(self) -> None:
        await super().close()
        self._scratch.cleanup()


class Attaching(Source):
    """A running mission that has not answered yet, as a busy one does late.

    Once it is ready, it has failed, or ``attached`` has put the ``Live`` source in its place.
    """

    kind = "live"

    def __init__(
        self, id_: str, address: str, attach: Callable[[], Live], attached: Callable[[Live], None]
    ) -> None:
        super().__init__(id_, f"the run at {address.removeprefix('tcp://')}")
        self._attach, self._attached = attach, attached
        self._began = wall()

    @property
    def doing(self) -> str:
        return f"waiting for the run, which is busy: {wall() - self._began:.0f} s"

    async def _prepare(self) -> None:
        try:
            self._attached(await asyncio.to_thread(self._attach))
        except BusError as error:
            self.failed = str(error)
        self.ready.set()


class Live(Source):
    """A running mission."""

    kind = "live"

    def __init__(self, id_: str, run: Run) -> None:
        """Connect to the run; see ``LiveRun`` for errors."""
        self.live = LiveRun(run)
        about = self.live.about
        homes = {name: Path(file).parent for name, file in about.get("files", {}).items()}
        read = {**about.get("files", {}), **about.get("generated", {})}
        super().__init__(id_, title_of_run(about))
        self._files = {name: Path(file) for name, file in read.items() if Path(file).is_file()}
        self.facts = facts_of(self._files, homes)
        self.notes += self.facts.notes
        self._reading = asyncio.Lock()
        if self.live.folder is not None:
            self.live.inputs = Inputs(self.live.folder, self.facts.blocks)

    @property
    def marks(self) -> Marks:  # type: ignore[override]
        return self.live.feed.marks

    @property
    def notebook(self) -> Notes | None:  # type: ignore[override]
        return None if self.live.folder is None else Notes(self.live.folder)

    @property
    def logs(self) -> LogSet | None:  # type: ignore[override]
        return self.live.logs

    @property
    def awaited(self) -> bool:  # type: ignore[override]
        return self.logs is None and self.loggers > 0 and not self.live.ended

    async def past(self) -> LogSet | None:
        await self.ready.wait()
        async with self._reading:
            if self.live.logs is not None:
                await asyncio.to_thread(self.live.logs.read_on)
            elif self.loggers and len(indexes := self.live.open_logs()) >= self.loggers:
                assert self.live.folder is not None
                self.live.logs = await indexed(self.live.folder, indexes, self.report)
            return self.live.logs

    @property
    def loggers(self) -> int:
        """Number of logs that the run writes on this machine."""
        apps: Mapping[str, list[str]] = self.live.about.get("apps", {})
        return sum(LOGGER in names for names in apps.values()) if self.live.folder else 0

    async def close(self) -> None:
        await super().close()
        await asyncio.to_thread(self.live.close)

    async def _prepare(self) -> None:
        self.live.start()
        try:
            logs: LogSet | None
            if indexes := await self._begun_logs():
                assert self.live.folder is not None
                logs = await indexed(self.live.folder, indexes, self.report)
                await self._join(logs)
                await self._read_helms(logs)
                self.ready.set()
            else:
                await self._read_helms(None)
                self.live.continue_without_logs(note=not self.loggers)
                self.ready.set()
                logs = await self._first_logs()
            if logs is not None:
                await self._keep_joined(logs)
        except (FormatError, OSError) as error:
            self.notes.append(str(error))
            self.live.continue_without_logs()
        self.ready.set()

    async def _begun_logs(self) -> list[LogIndex]:
        """Wait for the logs of all communities with a logger: the run may have just started."""
        found: list[LogIndex] = []
        for _ in range(_ENOUGH if self.loggers else 1):
            found = self.live.open_logs()
            paused = self.live.board.status["paused"]
            if len(found) >= self.loggers or self.live.ended or paused:
                break
            await asyncio.sleep(AGAIN)
        return found

    async def _first_logs(self) -> LogSet | None:
        """Wait for the logs of a run that is paused at its beginning; None if it writes none."""
        while self.awaited:
            await asyncio.sleep(AGAIN)
            await self.past()
        return self.logs

    async def _keep_joined(self, logs: LogSet) -> None:
        """Join logs and mail until no message is missing, and again after each new case."""
        put = 0
        while not self.live.ended:
            await asyncio.sleep(AGAIN)
            if self.live.feed.joined:
                continue
            async with self._reading:
                await asyncio.to_thread(logs.read_on)
                if logs.done > put:
                    put = logs.done
                    await self._join(logs)

    async def _read_helms(self, logs: LogSet | None) -> None:
        """Read the behavior files, and note what cannot be read."""
        indexes = logs.indexes if logs is not None else {}
        copies = files_beside({name: index.path for name, index in indexes.items()})
        before = len(self.facts.notes)
        await asyncio.to_thread(read_helms, self.facts, self._files, copies)
        self.notes += self.facts.notes[before:]

    async def _join(self, logs: LogSet) -> None:
        self.live.join_logs(logs, await asyncio.to_thread(marks_of, logs, None, ()))


async def indexed(path: Path, indexes: list[LogIndex], report: Callable[[float], None]) -> LogSet:
    """Index logs; large ones in a separate process, so that pages are served meanwhile.

    Raises:
        FormatError: one cannot be read.
    """
    if sum(_size(index.path) for index in indexes) <= SMALL:
        for index in indexes:
            await asyncio.to_thread(index.read_on)
        report(1.0)
        return LogSet(indexes, epoch_of(path, indexes))
    context = multiprocessing.get_context("spawn")
    mine, other = context.Pipe(duplex=False)
    worker = context.Process(target=_index, args=(path, indexes, other), daemon=True)
    worker.start()
    other.close()
    try:
        while True:
            message = await asyncio.to_thread(mine.recv)
            if isinstance(message, float):
                report(message)
            elif isinstance(message, LogSet):
                return message
            else:
                raise FormatError(str(path), "", "", f"expected a log: {message}")
    except EOFError:
        raise FormatError(str(path), "", "", "the process that indexed it died") from None
    finally:
        worker.terminate()
        await asyncio.to_thread(worker.join)


def _size(log: Path) -> int:
    """Return the size of a log [bytes]; of a compressed one an estimate of its unpacked size."""
    return log.stat().st_size * (LOOSE if log.suffix == PACKED else 1)


def _index(path: Path, indexes: list[LogIndex], parent: Connection) -> None:
    """Index logs in a child process; send progress and result to the parent."""
    last = 0.0

    def report(share: float) -> None:
        nonlocal last
        if share - last >= 0.01:
            last = share
            parent.send(share)

    try:
        parent.send(read_all(path, indexes, report))
    except (FormatError, OSError) as error:
        parent.send(str(error))


def title_of_run(about: Mapping[str, Any]) -> str:
    """Return the title of a running mission: its folders, else its communities."""
    files = [Path(file) for file in about.get("files", {}).values()]
    folders = dict.fromkeys(file.parent.name for file in files)
    names = about["communities"]
    return ", ".join(folders) if folders else ", ".join(names)
