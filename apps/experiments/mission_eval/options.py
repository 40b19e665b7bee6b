"""The parameters of ``pMissionEval``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import NamedTuple

from steerageway.apps.experiments.mission_eval.aspects import (
    FAIL_KIND,
    LEAD_KIND,
    PASS_KIND,
    Aspect,
    group_aspects,
)
from steerageway.apps.framework.conditions import read_condition
from steerageway.apps.framework.flags import PostFlag, parse_flag
from steerageway.apps.framework.mail_flags import MailFlag, parse_mail_flag
from steerageway.bus import Config, Entry, Options, declare
from steerageway.moos.condition import Condition

BETWEEN = {"white": "  ", "csp": ", "}


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
    return tuple(ConditionLine(number, read_condition(entry)) for number, entry in lines)


def file_name(entry: Entry) -> str:
    """Return a file's name without folders, as it is written to the run's folder.

    Raises:
        ConfigError: it is empty.
    """
    name = PurePath(entry.value.strip()).name
    if name in ("", ".."):
        raise Config.error(entry, "expected the name of a file")
    return name


def one_word(text: str) -> str:
    """Parse one word.

    Raises:
        ValueError: there are several words, or none.
    """
    if len(text.split()) != 1:
        raise ValueError("expected one word")
    return text.strip()


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
    mission_form: str = declare.value("mission", one_word, "value of $[MISSION_FORM]")
    mission_mod: str | None = declare.value("", one_word, "value of $[MMOD]")

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
