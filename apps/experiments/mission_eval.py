"""``pMissionEval``: evaluates a mission by conditions and writes a line of results.

The line is written to a file in the run's folder, next to the logs, not to the mission's folder.

A mission is evaluated by aspects, in order. An aspect is evaluated once all its lead conditions
hold: it passes if all its pass conditions hold then, and none of its fail conditions. The mission
fails with the first aspect that fails, and passes with the last.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import PurePath
from typing import NamedTuple

from steerageway.apps.shared.flags import (
    MACROS,
    Macros,
    MailFlag,
    MailFlags,
    PostFlag,
    bracketed,
    macros_in,
    parse_flag,
    parse_mail_flag,
    replaced,
)
from steerageway.bus import (
    App,
    CannotGoOn,
    Config,
    Entry,
    Message,
    Options,
    declare,
    parsed,
    variables,
)
from steerageway.declarations import word
from steerageway.moos.condition import Condition, Lookup, parse_condition
from steerageway.moos.mission_hash import MissionHash, parse_mission_hash
from steerageway.moos.values import Value, fixed, trimmed

PENDING, PASS, FAIL = "pending", "pass", "fail"
LEAD_KIND, PASS_KIND, FAIL_KIND = "lead", PASS, FAIL
KINDS = (LEAD_KIND, PASS_KIND, FAIL_KIND)

DECIMALS = 3  # of a number in a column or flag, at most, as in MOOS-IvP
BETWEEN = {"white": "  ", "csp": ", "}
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


@dataclass(slots=True)
class Aspect:
    """One aspect of a mission.

    Attributes:
        leads: it is evaluated when they all hold; passes, fails: must then hold, must not hold.
    """

    leads: list[Condition] = field(default_factory=list)
    passes: list[Condition] = field(default_factory=list)
    fails: list[Condition] = field(default_factory=list)

    def judge(self, lookup: Lookup, utc: float) -> tuple[str, str]:
        """Return pending, pass or fail, and the first condition that decides it."""
        for condition in self.leads:
            if not condition.holds(lookup, utc):
                return PENDING, f"unmet_lead_cond: [{condition.text}]"
        for condition in self.passes:
            if not condition.holds(lookup, utc):
                return FAIL, f"unmet_pass_cond: [{condition.text}]"
        for condition in self.fails:
            if condition.holds(lookup, utc):
                return FAIL, f"met_fail_cond: [{condition.text}]"
        return PASS, PASS


def group_aspects(lines: Iterable[tuple[str, Condition]]) -> list[Aspect]:
    """Group conditions in the order of the file: a lead condition after others begins an aspect.

    Args:
        lines: a kind of ``KINDS``, and a condition of it.
    """
    aspects: list[Aspect] = []
    for kind, condition in lines:
        begun = bool(aspects) and not (aspects[-1].passes or aspects[-1].fails)
        if not aspects or (kind == LEAD_KIND and not begun):
            aspects.append(Aspect())
        aspect = aspects[-1]
        {LEAD_KIND: aspect.leads, PASS_KIND: aspect.passes, FAIL_KIND: aspect.fails}[kind].append(
            condition
        )
    return aspects


class Judge:
    """Evaluates a mission's aspects one after the other.

    Attributes:
        result: pending, pass or fail.
        index: the aspect to be evaluated next, or the last one evaluated; from 0.
        status: the condition it waits for, or that decided it.
    """

    def __init__(self, aspects: Sequence[Aspect]) -> None:
        self._aspects = aspects
        self.result = PENDING
        self.index = 0
        self.status = PENDING

    def look(self, lookup: Lookup, utc: float) -> None:
        """Evaluate the aspects whose lead conditions hold, in order."""
        while self.result == PENDING and self._aspects:
            verdict, self.status = self._aspects[self.index].judge(lookup, utc)
            if verdict == PASS and self.index + 1 < len(self._aspects):
                self.index += 1
                continue
            if verdict == PENDING:
                return
            self.result = verdict

    def summary(self) -> str:
        """Return the state in a line."""
        number = self.index + 1 if self._aspects else 0
        return f"aspect {number} of {len(self._aspects)}, {self.result}: {self.status}"


class ConditionLine(NamedTuple):
    """A condition and its line in the block."""

    line: int
    condition: Condition


def read_condition_lines(config: Config, names: Sequence[str]) -> tuple[ConditionLine, ...]:
    """Read the conditions of one kind with their lines: the order of all kinds makes aspects.

    Raises:
        ConfigError: a line does not follow the grammar.
    """
    entries = config.all(*names)
    lines = [(number, entry) for number, entry in enumerate(config) if entry in entries]
    return tuple(ConditionLine(number, parsed(entry, parse_condition)) for number, entry in lines)


def file_name(entry: Entry) -> str:
    """Return a file's name without folders, as it is written to the run's folder.

    Raises:
        ConfigError: it is empty.
    """
    name = PurePath(entry.value.strip()).name
    if name in ("", ".."):
        raise Config.error(entry, "expected the name of a file")
    return name


@dataclass(frozen=True)
class EvalOptions(Options):
    """Parameters of the configuration block."""

    lead_condition: tuple[ConditionLine, ...] = declare.custom(
        read_condition_lines, "an aspect is evaluated when all of them hold; repeatable"
    )
    pass_condition: tuple[ConditionLine, ...] = declare.custom(
        read_condition_lines, "must hold for the aspect to pass; repeatable"
    )
    fail_condition: tuple[ConditionLine, ...] = declare.custom(
        read_condition_lines, "must not hold for the aspect to pass; repeatable"
    )
    result_flag: tuple[PostFlag, ...] = declare.lines(
        parse_flag, "VAR=value, posted when the mission is evaluated"
    )
    pass_flag: tuple[PostFlag, ...] = declare.lines(parse_flag, "VAR=value, posted when it passed")
    fail_flag: tuple[PostFlag, ...] = declare.lines(parse_flag, "VAR=value, posted when it failed")
    mailflag: tuple[MailFlag, ...] = declare.lines(
        parse_mail_flag, "@VAR#OUT=value: post OUT when VAR is received; @ANY: any"
    )
    report_file: Entry | None = declare.line("file in the run's folder for the line of results")
    report_column: tuple[str, ...] = declare.lines(
        str, "a column of the line of results, as grade=$[GRADE]"
    )
    prereport_column: tuple[str, ...] = declare.lines(
        str, "a column written before the mission is evaluated"
    )
    report_line_format: str = declare.choice(
        "white", {"white": "two blanks between columns", "csp": "a comma"}
    )
    mission_form: str = declare.value("mission", word, "value of $[MISSION_FORM]")
    mission_mod: str | None = declare.value("", word, "value of $[MMOD]")

    def aspects(self) -> list[Aspect]:
        """Return the aspects, in the order of their evaluation."""
        kinds = {
            LEAD_KIND: self.lead_condition,
            PASS_KIND: self.pass_condition,
            FAIL_KIND: self.fail_condition,
        }
        lines = sorted(
            (placed.line, kind, placed.condition)
            for kind, found in kinds.items()
            for placed in found
        )
        return group_aspects((kind, condition) for _, kind, condition in lines)


class MissionEval(App):
    """Evaluates a mission: posts pass or fail, and writes a line of results."""

    last_wins = True
    keeps_quotes = True
    publications = variables.published("""
        MISSION_EVALUATED | text | | `true` | once | the mission has been evaluated
        MISSION_RESULT | text | | `pending`, `pass`, `fail` | once, when it is evaluated | result of
            the mission
        MISSION_LCHECK_STAT | text | | | on change | `pass`, or the deciding condition:
            `unmet_lead_cond: [DONE = true]`, `unmet_pass_cond: ..`, `met_fail_cond: ..`
    """)
    subscribes = ("MISSION_HASH", "the variables of conditions, mailflag and macros")
    parameters = EvalOptions.parameters()

    def configure(self) -> None:
        self._options = options = EvalOptions.read(self.config)
        self._aspects = options.aspects()
        self._file = file_name(options.report_file) if options.report_file else ""
        self._warn()
        self._judge = Judge(self._aspects)
        self._mail_flags = MailFlags(options.mailflag)
        self._values: dict[str, Value] = {"MISSION_FORM": options.mission_form}
        self._hash: MissionHash | None = None
        self._posted = ""
        self._line = ""
        self._prereported = False
        self._closed = False
        flags = [*options.result_flag, *options.pass_flag, *options.fail_flag]
        answers = [line.flag for line in options.mailflag]
        variables = (flag.variable for flag in (*flags, *answers))
        self.publishes = tuple(dict.fromkeys((*self.publishes, *variables)))
        texts = [*options.report_column, *options.prereport_column]
        texts += [flag.value for flag in flags if isinstance(flag.value, str)]
        names = [name for text in texts for name in macros_in(text)]
        asked = [flag.value for flag in answers if isinstance(flag.value, str)]
        names += [name for text in asked for name in macros_in(text) if name not in MACROS]
        self._macros = tuple(dict.fromkeys(names))
        self._warp = self.setting.globals.number("MOOSTimeWarp", default=1.0, above=0.0)

    def _warn(self) -> None:
        """Warn of suspicious settings."""
        file = self._options.report_file
        if not self._aspects:
            self.config_warning("no lead_condition is set: the mission is never judged")
        elif not all(aspect.leads for aspect in self._aspects):
            self.config_warning("an aspect has no lead_condition: it is judged at once")
        if file is None:
            return
        line = f"report_file = {file.value}"
        if self._file != file.value.strip():
            self.config_warning(f"{line}: written into the run's folder", file.where)
        if not self._options.report_column:
            self.config_warning(f"{line}: expected a report_column, too", file.where)

    def on_start(self) -> None:
        """Register for the variables of conditions, mail flags and macros."""
        conditions = [c for a in self._aspects for c in (*a.leads, *a.passes, *a.fails)]
        names = [name for condition in conditions for name in condition.variables]
        names += self._mail_flags.sources
        names += [name for name in self._macros if name not in OWN]
        self.register(*dict.fromkeys(("MISSION_HASH", *names)))
        self.post("MISSION_RESULT", PENDING)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Store the values of conditions and macros; post the flags of ``mailflag`` lines."""
        for message in mail:
            if not isinstance(message.value, bytes):
                self._values[message.name] = message.value
            if message.name == "MISSION_HASH":
                self._take_hash(str(message.value))
        # Only after all values are stored, so that macros of flags have the latest ones.
        for message in mail:
            self._post(self._mail_flags.answers(message.name, self.utc))

    def _take_hash(self, text: str) -> None:
        try:
            self._hash = parse_mission_hash(text)
            self._values |= {"MHASH_SHORT": self._hash.short, "MHASH_UTC": self._hash.utc}
        except ValueError as error:
            self.run_warning(f"MISSION_HASH = {text}: {error}")

    def iterate(self) -> None:
        """Evaluate the aspects that are due."""
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
        self._post(options.result_flag)
        self.post("MISSION_EVALUATED", "true")
        self.post("MISSION_RESULT", result)
        self._post(options.pass_flag if result == PASS else options.fail_flag)
        self.event(f"judged: {result}")
        self._line = BETWEEN[options.report_line_format].join(
            map(self._expanded, options.report_column)
        )
        self._write(f"{self._line}\n")

    def _prereport(self) -> None:
        self._prereported = True
        columns = map(self._expanded, self._options.prereport_column)
        between = BETWEEN[self._options.report_line_format]
        self._write("".join(f"{column}{between}" for column in columns))

    def _write(self, text: str) -> None:
        if not self._file or self.setting.log_folder is None or not text:
            return
        path = self.setting.log_folder / self._file
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
        """Return the values of macros; a macro without a value is not replaced."""
        if not self._macros:
            return {}
        values = {name: self._values[name] for name in self._macros if name in self._values}
        known = (values | self._own()).items()
        return bracketed({n: trimmed(v, DECIMALS) if isinstance(v, float) else v for n, v in known})

    def _own(self) -> dict[str, Value]:
        now = datetime.fromtimestamp(self.utc, UTC)
        own: dict[str, Value] = {name: now.strftime(form) for name, form in CALENDAR.items()}
        own["GRADE"] = self._judge.result
        own["MISSION_FORM"] = self._options.mission_form
        own["MMOD"] = self._options.mission_mod or ""
        own["WALL_TIME"] = fixed(self.time / self._warp, 2)
        if self._hash is not None:
            own["MHASH"] = str(self._values["MISSION_HASH"])
            own["MHASH_SHORT"] = f"[{self._hash.short}]"
            own["MHASH_LSHORT"] = self._hash.letter_and_words
            own["MHASH_UTC"] = fixed(self._hash.utc, 2)
        return own

    def report(self) -> Iterable[str]:
        """Yield the state, and the line of results."""
        yield self._judge.summary()
        if self._file:
            yield f"{self._file}: {self._line or 'nothing yet'}"
