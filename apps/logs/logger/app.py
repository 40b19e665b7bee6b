"""pLogger: writes the messages of a community to MOOS-IvP's log files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.util import find_spec

from steerageway.apps.logs.logger.copies import Copies, CopyRefused
from steerageway.apps.logs.logger.options import (
    SUMMARY_FILE,
    LoggerOptions,
    inside,
    selection_of,
    sync_period,
)
from steerageway.apps.logs.logger.recorder import Recorder
from steerageway.apps.logs.logger.selection import SYSTEM_VARIABLES, parse_request
from steerageway.apps.logs.logger.session import Session, stamped
from steerageway.bus import NANO, App, Config, Message, nanoseconds, variables
from steerageway.moos.alog import EntryFormat
from steerageway.moos.values import split_first

CHECK_INTERVAL = 10 * NANO
RESTART = "LOGGER_RESTART"
MAX_REQUESTS = 1000  # maximum number of variables logged on request
SHOWN = 200  # maximum length of a command quoted in a warning


class Logger(App):
    """Writes the messages of a community to MOOS-IvP's log files (.alog, .slog, .ylog, .blog).

    With the wildcard it registers for all variables at its start, so no variable's first value is
    missed. (MOOS-IvP's logger learns of new variables once a second.) Log time is zero at that
    start.
    Without a log folder it does nothing.
    """

    publications = variables.published("""
        LOGGER_DIRECTORY | text | | | at the start of each case, each 10 s | folder of the logs
        MOOS_DEBUG | text | | | when it happens | messages about the logger's files
    """)
    subscriptions = (
        variables.heard("LOGGER_RESTART", what="request to begin a new log", kind="any"),
        variables.heard("MOOS_SYSTEM", what="text for the system log (.ylog)"),
    )
    subscribes = ("*", "PLOGGER_CMD", RESTART, *SYSTEM_VARIABLES)
    parameters = LoggerOptions.parameters()
    may_lag = True
    observes_case_reset = True

    def configure(self) -> None:
        self._options = options = LoggerOptions.read(self.config)
        if options.mcap and find_spec("mcap") is None:
            entry = self.config.all("McapLog")[0]
            raise Config.error(entry, "needs mcap: pip install 'steerageway[mcap]'")
        wildcard = options.wildcard or not self.config.entries
        self._selection = selection_of(options, self.config_warning, wildcard=wildcard)
        path = self.setting.globals.entry("GlobalLogPath") or options.path
        self._folder = inside(path, "", self.config_warning)
        self._summary = inside(options.summary, SUMMARY_FILE, self.config_warning)
        self._sync_period = nanoseconds(sync_period(options.sync, self.config_warning))
        self._commands = tuple(dict.fromkeys(("PLOGGER_CMD", f"{self.name.upper()}_CMD")))
        self._command_names = {*self._commands, RESTART}
        self._recorder: Recorder | None = None
        self._stems: dict[str, int] = {}
        self._restarted = -1
        self._next_row = self._next_check = 0

    def on_start(self) -> None:
        if self.setting.log_folder is None:
            self.idles = True
            return
        self._begin()
        if self._selection.wildcard:
            self.register("*")
        else:
            self.register(*SYSTEM_VARIABLES, *self._commands, RESTART)
            for request in self._selection.requests.values():
                self.register(request.name, interval=request.period)
        self._next_check = self.instant + CHECK_INTERVAL
        self._announce()

    def on_mail(self, mail: Sequence[Message]) -> None:
        recorder = self._recorder
        if recorder is None:
            return
        recorder.record(mail)
        orders = self._command_names
        for message in mail:
            if message[0] in orders:
                self._execute(message, recorder)

    def iterate(self) -> None:
        recorder = self._recorder
        if recorder is None:
            return
        if self._sync_period and self.instant >= self._next_row:
            self._next_row = self.instant + self._sync_period
            recorder.write_row(self.time)
        if self.instant >= self._next_check:
            self._next_check = self.instant + CHECK_INTERVAL
            self._announce()
            self._check_monitored(recorder)

    def on_case(self, number: int, seed: int) -> None:
        if self._recorder is not None:
            self._recorder.begin_case(number, seed, self.time)
            self._next_row, self._next_check = self.instant, self.instant + CHECK_INTERVAL
            self._announce()

    def on_stop(self) -> None:
        if self._recorder is not None:
            self._recorder.session.close()
            self._recorder = None

    def report(self) -> Iterable[str]:
        recorder = self._recorder
        if recorder is None:
            return ("Not logging.",)
        left_out = [name for name, lines in recorder.lines.items() if lines is None]
        return (
            f"Logging to: {recorder.session.directory}",
            f"Messages:   {recorder.messages}",
            f"Variables:  {len(recorder.lines) - len(left_out)}",
            f"Left out:   {', '.join(left_out) or 'none'}",
        )

    def _begin(self) -> None:
        options = self._options
        form = EntryFormat(
            self.time,
            precision=options.precision,
            aux=options.aux,
            marks=options.marks,
            home=self.community if options.external else None,
        )
        setting = self.setting
        roots = (setting.folder, setting.home, setting.log_folder)
        named = (entry.value.strip() for entry in setting.globals.entries)
        self._copies = Copies((root for root in roots if root is not None), named)
        self._start_utc = self.utc
        self._recorder = Recorder(self._selection, form, options.reserved)
        self._open_session(self._recorder)

    def _open_session(self, recorder: Recorder) -> None:
        options, root = self._options, self.setting.log_folder
        assert root is not None
        stem = stamped(options.file, self.utc) if options.stamped else options.file
        self._stems[stem] = count = self._stems.get(stem, 0) + 1
        if count > 1:
            stem = f"{stem}_{count}"
        session = Session(
            root,
            f"{self._folder}/{stem}" if self._folder else stem,
            opened=self.utc,
            start=self._start_utc,
            marks=options.marks,
            compressed=options.compressed,
            exclusions=self._selection.exclusions,
            community=self.community if options.mcap else "",
            limit=options.limit,
        )
        session.name_in(root / self._summary)
        if self.setting.file is not None:
            session.keep_mission(self.setting.file)
        recorder.begin(session, self.time, sync=self._sync_period > 0)

    def _announce(self) -> None:
        assert self._recorder is not None
        self.post("LOGGER_DIRECTORY", self._recorder.session.directory)

    def _check_monitored(self, recorder: Recorder) -> None:
        """Warn of missing monitored variables, and retract the warnings when they appear."""
        missing = recorder.missing(self.time)
        for name, is_missing in missing.items():
            warning = f"monitored variable {name} does not appear"
            if is_missing:
                self.run_warning(warning)
            else:
                self.retract_run_warning(warning)
        count = sum(missing.values())
        if count:
            verb = " is" if count == 1 else "s are"
            self.post("MOOS_DEBUG", f"{count} monitored variable{verb} not being logged")

    def _execute(self, message: Message, recorder: Recorder) -> None:
        if message.name == RESTART:
            if recorder.log_time(message.time) >= 0 and message.instant > self._restarted:
                self._restarted = message.instant  # several restarts at one instant are one
                self._restart(recorder)
            return
        key, value = split_first(str(message.value), "=")
        if key.upper() == "LOG_REQUEST":
            self._add_request(value, recorder)
        elif key.upper() == "COPY_FILE_REQUEST":
            self._copy(value, recorder)
        else:
            expected = "expected LOG_REQUEST = VAR @ PERIOD or COPY_FILE_REQUEST = FILE"
            self.run_warning(f"{message.name} = {str(message.value)[:SHOWN]}: {expected}")

    def _restart(self, recorder: Recorder) -> None:
        """Close the session and begin another."""
        self.post("MOOS_DEBUG", f"Closing : {recorder.session.folder.name}")
        recorder.session.close()
        self._open_session(recorder)
        self.post("MOOS_DEBUG", f"Now Logging to : {recorder.session.folder.name}")
        self.event(f"now logging to {recorder.session.directory}")
        self._announce()

    def _add_request(self, text: str, recorder: Recorder) -> None:
        try:
            request = parse_request(text)
        except ValueError:
            expected = "expected VAR @ PERIOD [NOSYNC] [MONITOR]"
            self.run_warning(f"LOG_REQUEST = {text[:SHOWN]}: {expected}")
            return
        if len(self._selection.requests) >= MAX_REQUESTS:
            self.run_warning(f"LOG_REQUEST: {MAX_REQUESTS} were followed, no more are")
            return
        if request.name in self._selection.requests:
            self.run_warning(f"LOG_REQUEST = {text}: asked for before, not followed")
            return
        recorder.request(request, self.time)
        if not self._selection.wildcard:
            self.register(request.name, interval=request.period)

    def _copy(self, name: str, recorder: Recorder) -> None:
        try:
            copy = self._copies.keep(self.setting.folder, name, recorder.session.folder)
        except CopyRefused as why:
            self.run_warning(f"COPY_FILE_REQUEST = {name[:SHOWN]}: {why}, not copied")
            self.post("MOOS_DEBUG", "failed to open file for reading")
        else:
            self.event(f"copied {name} to {copy.name}")
