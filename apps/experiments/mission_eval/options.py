"""The parameters of ``pMissionEval``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from steerageway.apps.experiments.mission_eval.aspects import KINDS, Aspect, in_aspects
from steerageway.apps.framework.conditions import read_condition
from steerageway.apps.framework.flags import PostFlag, read_flags
from steerageway.apps.framework.mail_flags import MailFlag, read_mail_flags
from steerageway.bus import Config, Entry, Parameter
from steerageway.diagnostics.diagnostic import Diagnostic

BETWEEN = {"white": "  ", "csp": ", "}

PARAMETERS = (
    Parameter("lead_condition", "", "when all of an aspect hold it is judged; repeatable"),
    Parameter("pass_condition", "", "all of an aspect must hold then; repeatable"),
    Parameter("fail_condition", "", "none of an aspect may hold then; repeatable"),
    Parameter("result_flag", "", "VAR=value posted when the mission is judged; repeatable"),
    Parameter("pass_flag", "", "VAR=value posted when it passed; repeatable"),
    Parameter("fail_flag", "", "VAR=value posted when it failed; repeatable"),
    Parameter("mailflag", "", "@VAR#OUT=value: OUT is posted when VAR is heard; @ANY; repeatable"),
    Parameter("report_file", "", "file in the run's folder that gets a line of results"),
    Parameter("report_column", "", "a column of that line, as grade=$[GRADE]; repeatable"),
    Parameter("prereport_column", "", "one written before the mission is judged; repeatable"),
    Parameter("report_line_format", "white", "white: two blanks between columns; csp: a comma"),
    Parameter("mission_form", "mission", "what $[MISSION_FORM] stands for"),
    Parameter("mission_mod", "", "what $[MMOD] stands for"),
)


@dataclass(frozen=True, slots=True)
class Options:
    """What the block says; see ``PARAMETERS``.

    Attributes:
        aspects: in the order in which they are judged.
        report_file: its name, without folders; "" for none.
        between: what separates columns.
        warnings: what is doubtful.
    """

    aspects: tuple[Aspect, ...]
    result_flags: tuple[PostFlag, ...]
    pass_flags: tuple[PostFlag, ...]
    fail_flags: tuple[PostFlag, ...]
    mail_flags: tuple[MailFlag, ...]
    report_file: str
    report_columns: tuple[str, ...]
    prereport_columns: tuple[str, ...]
    between: str
    form: str
    mod: str
    warnings: tuple[str | Diagnostic, ...]


def read_options(config: Config) -> Options:
    """Read the block.

    Raises:
        ConfigError: a line is wrong.
    """
    lines = config.all(*(f"{kind}_condition" for kind in KINDS))
    aspects = in_aspects((_kind(entry), read_condition(entry)) for entry in lines)
    file = config.entry("report_file")
    columns = tuple(entry.value for entry in config.all("report_column"))
    return Options(
        aspects=tuple(aspects),
        result_flags=read_flags(config, "result_flag"),
        pass_flags=read_flags(config, "pass_flag"),
        fail_flags=read_flags(config, "fail_flag"),
        mail_flags=read_mail_flags(config),
        report_file=_name(file) if file else "",
        report_columns=columns,
        prereport_columns=tuple(entry.value for entry in config.all("prereport_column")),
        between=BETWEEN[config.choice("report_line_format", default="white", among=BETWEEN)],
        form=_word(config, "mission_form", "mission"),
        mod=_word(config, "mission_mod", ""),
        warnings=tuple(_warnings(aspects, file, columns)),
    )


def _kind(entry: Entry) -> str:
    return entry.key.lower().removesuffix("_condition")


def _name(entry: Entry) -> str:
    name = PurePath(entry.value.strip()).name
    if name in ("", ".."):
        raise Config.error(entry, "expected the name of a file")
    return name


def _word(config: Config, key: str, default: str) -> str:
    entry = config.entry(key)
    if entry is not None and len(entry.value.split()) != 1:
        raise Config.error(entry, "expected one word")
    return config.text(key, default=default).strip()


def _warnings(
    aspects: list[Aspect], file: Entry | None, columns: tuple[str, ...]
) -> list[str | Diagnostic]:
    found: list[str | Diagnostic] = []
    if not aspects:
        found.append("no lead_condition is set: the mission is never judged")
    elif not all(aspect.leads for aspect in aspects):
        found.append("an aspect has no lead_condition: it is judged at once")
    if file is not None and PurePath(file.value.strip()).name != file.value.strip():
        within = "written into the run's folder"
        found.append(Diagnostic(file.where, "report_file", file.value, within))
    if file is not None and not columns:
        expected = "expected a report_column, too"
        found.append(Diagnostic(file.where, "report_file", file.value, expected))
    return found
