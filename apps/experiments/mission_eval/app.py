"""``pMissionEval``: says whether a mission passed, and writes a line about it.

The line goes to a file in the run's folder, beside the logs; the mission's folder is not written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from steerageway.apps.experiments.mission_eval.aspects import PASS, PENDING, Judge
from steerageway.apps.experiments.mission_eval.options import PARAMETERS, Options, read_options
from steerageway.apps.experiments.mission_eval.variables import PUBLICATIONS
from steerageway.apps.framework.flags import Macros, PostFlag, bracketed, macros_in, replaced
from steerageway.apps.framework.mail_flags import MACROS, MailFlags
from steerageway.bus import App, CannotGoOn, Message, variables
from steerageway.moos.mission_hash import MissionHash, parse_mission_hash
from steerageway.moos.values import Value, fixed

CALENDAR = {
    "YEAR": "%Y",
    "MONTH": "%m",
    "DAY": "%d",
    "HOUR": "%H",
    "MIN": "%M",
    "SEC": "%S",
    "DATE": "%Y-%m-%d",
    "TIME": "%H:%M:%S",
}
OWN = (
    *("GRADE", "MISSION_FORM", "MMOD", "MHASH", "MHASH_SHORT", "MHASH_LSHORT", "MHASH_UTC"),
    *("WALL_TIME", *CALENDAR),
)


class MissionEval(App):
    """The judge of a mission."""

    last_wins = True
    keeps_quotes = True
    publications = PUBLICATIONS
    publishes: Sequence[str] = variables.names(publications)
    subscribes = ("MISSION_HASH", "what conditions, mailflag and macros name")
    parameters = PARAMETERS

    def configure(self) -> None:
        """Read the block."""
        options: Options = read_options(self.config)
        for warning in options.warnings:
            self.config_warning(warning)
        self._options = options
        self._judge = Judge(options.aspects)
        self._mail_flags = MailFlags(options.mail_flags)
        self._values: dict[str, Value] = {"MISSION_FORM": options.form}
        self._hash: MissionHash | None = None
        self._posted = ""
        self._line = ""
        self._prereported = False
        self._closed = False
        flags = [*options.result_flags, *options.pass_flags, *options.fail_flags]
        answers = [line.flag for line in options.mail_flags]
        variables = (flag.variable for flag in (*flags, *answers))
        self.publishes = tuple(dict.fromkeys((*self.publishes, *variables)))
        texts = [*options.report_columns, *options.prereport_columns]
        texts += [flag.value for flag in flags if isinstance(flag.value, str)]
        names = [name for text in texts for name in macros_in(text)]
        asked = [flag.value for flag in answers if isinstance(flag.value, str)]
        names += [name for text in asked for name in macros_in(text) if name not in MACROS]
        self._macros = tuple(dict.fromkeys(names))
        self._warp = self.setting.globals.number("MOOSTimeWarp", default=1.0, above=0.0)

    def on_start(self) -> None:
        """Register."""
        conditions = [c for a in self._options.aspects for c in (*a.leads, *a.passes, *a.fails)]
        names = [name for condition in conditions for name in condition.variables]
        names += self._mail_flags.sources
        names += [name for name in self._macros if name not in OWN]
        self.register(*dict.fromkeys(("MISSION_HASH", *names)))
        self.post("MISSION_RESULT", PENDING)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Remember what conditions and macros are about; answer to mail as the block says."""
        for message in mail:
            if not isinstance(message.value, bytes):
                self._values[message.name] = message.value
            if message.name == "MISSION_HASH":
                self._take_hash(str(message.value))
        for message in mail:
            self._post(self._mail_flags.answers(message.name, self.utc))

    def _take_hash(self, text: str) -> None:
        try:
            self._hash = parse_mission_hash(text)
            self._values |= {"MHASH_SHORT": self._hash.short, "MHASH_UTC": self._hash.utc}
        except ValueError as error:
            self.run_warning(f"MISSION_HASH = {text}: {error}")

    def iterate(self) -> None:
        """Judge what is to be judged by now."""
        self._judge.look(self._values.get, self.utc)
        judged = self._judge.result != PENDING
        if not self._prereported and (judged or self._hash is not None):
            self._prereport()
        if judged and not self._closed:
            self._close()
        if self._judge.status != self._posted:
            self._posted = self._judge.status
            self.post("MISSION_LCHECK_STAT", self._posted)

    def _close(self) -> None:
        self._closed = True
        options, result = self._options, self._judge.result
        self._post(options.result_flags)
        self.post("MISSION_EVALUATED", "true")
        self.post("MISSION_RESULT", result)
        self._post(options.pass_flags if result == PASS else options.fail_flags)
        self.event(f"judged: {result}")
        self._line = options.between.join(map(self._expanded, options.report_columns))
        self._write(f"{self._line}\n")

    def _prereport(self) -> None:
        self._prereported = True
        columns = map(self._expanded, self._options.prereport_columns)
        self._write("".join(f"{column}{self._options.between}" for column in columns))

    def _write(self, text: str) -> None:
        if not self._options.report_file or self.setting.log_folder is None or not text:
            return
        path = self.setting.log_folder / self._options.report_file
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a") as file:
                file.write(text)
        except OSError as error:
            raise CannotGoOn(f"{path}: cannot write the report: {error.strerror}") from error

    def _post(self, flags: Iterable[PostFlag]) -> None:
        for flag in flags:
            self.post(flag.variable, flag.expanded(self._known()))

    def _expanded(self, column: str) -> str:
        return replaced(column, self._known())

    def _known(self) -> Macros:
        """Give what macros stand for; one that nobody has posted yet stays as it is."""
        if not self._macros:
            return {}
        values = {name: self._values[name] for name in self._macros if name in self._values}
        return bracketed(values | self._own())

    def _own(self) -> dict[str, Value]:
        now = datetime.fromtimestamp(self.utc, UTC)
        own: dict[str, Value] = {name: now.strftime(form) for name, form in CALENDAR.items()}
        own["GRADE"] = self._judge.result
        own["MISSION_FORM"] = self._options.form
        own["MMOD"] = self._options.mod
        own["WALL_TIME"] = fixed(self.time / self._warp, 2)
        if self._hash is not None:
            own["MHASH"] = str(self._values["MISSION_HASH"])
            own["MHASH_SHORT"] = f"[{self._hash.short}]"
            own["MHASH_LSHORT"] = self._hash.letter_and_words
            own["MHASH_UTC"] = fixed(self._hash.utc, 2)
        return own

    def report(self) -> Iterable[str]:
        """Give the state, and the line that was written."""
        yield self._judge.summary()
        if self._options.report_file:
            yield f"{self._options.report_file}: {self._line or 'nothing yet'}"
