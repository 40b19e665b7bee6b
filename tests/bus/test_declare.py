"""Declarations of parameters: reading a block, and its documentation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import pytest

from steerageway.bus import (
    App,
    Config,
    ConfigError,
    ConfigErrors,
    Entry,
    Options,
    Parameter,
    Setting,
    declare,
)


def metres(text: str) -> float:
    """Read metres with their unit."""
    if not text.endswith("m"):
        raise ValueError("expected metres, as 3m")
    return float(text[:-1])


def widest(config: Config, names: Sequence[str]) -> float:
    """Read the widest of some circles."""
    return max((float(entry.value) for entry in config.all(*names)), default=0.0)


@dataclass(frozen=True)
class GuardOptions(Options):
    """The parameters of a guard."""

    limit: float = declare.number(1.5, "fastest", unit="m/s", above=0, aliases=("max_speed",))
    patience: float = declare.number(5, "how long", unit="s", low=0, off=True)
    share: float = declare.number(50, "how much", unit="%", low=0, high=100)
    beam: float | None = declare.number(None, "how wide", unit="m", low=0)
    count: int = declare.whole(3, "how often; 9: always", low=1)
    loud: bool = declare.flag(True, "false: in silence")
    policy: str = declare.choice("warn", {"warn": "", "stop": "all-stop"}, "what then")
    variable: str = declare.text("OVERSPEED", "what is posted")
    far: float | None = declare.value("", metres, "how far, as 3m")
    near: float = declare.value("2m", metres, "how near, as 3m")
    zone: tuple[float, ...] = declare.lines(metres, "a circle", name="Zone")
    doubtful: tuple[float, ...] = declare.lines(metres, "another", lenient=True)
    chart: Entry | None = declare.line("a file")
    circle: float = declare.custom(widest, "the widest counts; repeatable", aliases=("ring",))


def block(*lines: tuple[str, str]) -> Config:
    """Return a block of these lines."""
    return Config([(key, value, f"a.moos:{i}") for i, (key, value) in enumerate(lines, start=1)])


def test_an_empty_block_gives_the_defaults() -> None:
    assert GuardOptions.read(block()) == GuardOptions(
        1.5, 5.0, 50.0, None, 3, True, "warn", "OVERSPEED", None, 2.0, (), (), None, 0.0
    )


def test_every_kind_of_parameter_is_read() -> None:
    config = block(
        *(
            ("limit", "2"),
            ("patience", "off"),
            ("share", "10"),
            ("beam", "0"),
            ("count", "4"),
            ("loud", "no"),
        ),
        *(("policy", "STOP"), ("variable", "FAST"), ("far", "9m"), ("near", "1m")),
        *(("Zone", "3m"), ("zone", "4m"), ("doubtful", "5m")),
        *(("chart", "a.csv"), ("circle", "3"), ("ring", "4")),
    )
    assert GuardOptions.read(config) == GuardOptions(
        2.0,
        inf,
        10.0,
        0.0,
        4,
        False,
        "stop",
        "FAST",
        9.0,
        1.0,
        (3.0, 4.0),
        (5.0,),
        Entry("chart", "a.csv", "a.moos:14"),
        4.0,
    )
    assert config.unread() == []


def test_an_alternative_name_works_and_is_documented() -> None:
    assert GuardOptions.read(block(("max_speed", "3"))).limit == 3.0
    assert GuardOptions.parameters()[1] == Parameter("max_speed", "1.5", "another name of limit")


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("limit", "0", "expected a number above 0"),
        ("patience", "-1", "expected a number at least 0, or off"),
        ("share", "101", "expected a number from 0 to 100"),
        ("count", "1.5", "expected a whole number at least 1"),
        ("policy", "shout", "expected one of warn, stop"),
        ("near", "3", "expected metres, as 3m"),
        ("zone", "x", "expected metres, as 3m"),
    ],
)
def test_an_invalid_line_is_refused_with_its_position(key: str, value: str, expected: str) -> None:
    with pytest.raises(ConfigError, match=f"a.moos:1: {key} = {value}: {expected}"):
        GuardOptions.read(block((key, value)))


def test_a_repeated_line_with_another_value_is_reported_with_the_one_that_counts() -> None:
    lines = (("limit", "2"), ("Zone", "3m"), ("max_speed", "4"), ("zone", "4m"), ("limit", "2"))
    config = block(*lines)
    assert GuardOptions.read(config).limit == 2.0
    assert config.warnings == ["a.moos:3: max_speed = 4: not used; a.moos:1 counts: limit = 2"]
    last = Config(block(("loud", "no"), ("loud", "yes")), last_wins=True)
    assert GuardOptions.read(last).loud
    assert last.warnings == ["a.moos:1: loud = no: not used; a.moos:2 counts: loud = yes"]


def test_a_repeatable_line_may_be_left_out_with_a_warning() -> None:
    config = block(("doubtful", "x"), ("doubtful", "5m"))
    assert GuardOptions.read(config).doubtful == (5.0,)
    assert config.warnings == [
        "a.moos:1: doubtful = x: expected metres, as 3m; this line is left out"
    ]


def test_the_documentation_contains_unit_range_and_choices() -> None:
    documented = {one.name: (one.default, one.help) for one in GuardOptions.parameters()}
    assert documented == {
        "limit": ("1.5", "fastest [m/s], > 0"),
        "max_speed": ("1.5", "another name of limit"),
        "patience": ("5", "how long [s], >= 0; or off"),
        "share": ("50", "how much [%], 0 to 100"),
        "beam": ("", "how wide [m], >= 0"),
        "count": ("3", "how often, >= 1; 9: always"),
        "loud": ("true", "false: in silence"),
        "policy": ("warn", "what then: warn or stop (all-stop)"),
        "variable": ("OVERSPEED", "what is posted"),
        "far": ("", "how far, as 3m"),
        "near": ("2m", "how near, as 3m"),
        "Zone": ("", "a circle; repeatable"),
        "doubtful": ("", "another; repeatable"),
        "chart": ("", "a file"),
        "circle": ("", "the widest counts; repeatable"),
        "ring": ("", "another name of circle"),
    }


def test_an_app_reads_its_block_by_its_declarations() -> None:
    class Guard(App):
        parameters = GuardOptions.parameters()

        def configure(self) -> None:
            self.options = GuardOptions.read(self.config)

    guard = Guard(Setting("uGuard", "alpha", block(("limit", "4"))))
    guard.configure()
    assert guard.options.limit == 4.0


@dataclass(frozen=True)
class Pair(Options):
    """What two axes have alike."""

    gain: float = declare.number(0, "how much", low=0)
    drawn: Entry | None = declare.line("a line as it stands")


@dataclass(frozen=True)
class AxesOptions(Options):
    """A group for each axis, and a parameter with a separate reader."""

    surge: Pair = declare.group(Pair, "surge_")
    yaw: Pair = declare.group(Pair, "yaw_")
    notes: tuple[Entry, ...] = declare.entries("as they stand")
    spans: int = declare.custom(lambda c, names: len(c.all(*names)), "how many", default="0")


def test_a_group_of_parameters_is_read_and_documented_under_its_prefix() -> None:
    config = block(
        *(("yaw_gain", "2"), ("surge_drawn", "so"), ("notes", "a"), ("notes", "b"), ("spans", "x")),
    )
    options = AxesOptions.read(config)
    assert (options.surge.gain, options.yaw.gain) == (0.0, 2.0)
    assert options.surge.drawn == Entry("surge_drawn", "so", "a.moos:2")
    assert options.yaw.drawn is None
    assert [one.value for one in options.notes] == ["a", "b"]
    assert options.spans == 1
    assert [one.name for one in AxesOptions.parameters()] == [
        *("surge_gain", "surge_drawn", "yaw_gain", "yaw_drawn", "notes", "spans")
    ]
    with pytest.raises(ConfigError, match=r"a\.moos:1: yaw_gain = -1"):
        AxesOptions.read(block(("yaw_gain", "-1")))


def test_all_errors_of_a_block_are_raised_together_in_the_order_of_its_lines() -> None:
    lines = (("notes", "a"), ("yaw_gain", "x"), ("surge_gain", "-1"))
    with pytest.raises(ConfigErrors) as raised:
        AxesOptions.read(block(*lines))
    assert str(raised.value) == (
        "a.moos:2: yaw_gain = x: expected a number at least 0\n"
        "a.moos:3: surge_gain = -1: expected a number at least 0"
    )
    assert (raised.value.where, raised.value.key) == ("a.moos:2", "yaw_gain")


@dataclass(frozen=True)
class ReportOptions(Options):
    """What is posted, and how often."""

    step: float = declare.number(0.02, "how long; always", unit="s", above=0, example=False)
    detail: str = declare.choice(
        "terse", {"terse": "", "verbose": "all of it"}, also={"true": "verbose"}
    )
    prefix: str = declare.word("USM", "what names begin with")
    thrust: str = declare.word("", "a variable", refused="DESIRED_THRUST")
    patterns: tuple[str, ...] = declare.words("A, B_*", "what is written")
    pace: tuple[int, int] | None = declare.rate("how often")


def test_words_and_rates_have_their_defaults_once() -> None:
    assert ReportOptions.read(block()) == ReportOptions(
        0.02, "terse", "USM", "", ("A", "B_*"), None
    )
    assert ReportOptions.parameters() == (
        Parameter("step", "", "how long [s], > 0; always (0.02)"),
        Parameter("detail", "terse", "terse or verbose (all of it)"),
        Parameter("prefix", "USM", "what names begin with"),
        Parameter("thrust", "", "a variable"),
        Parameter("patterns", "A, B_*", "what is written, by commas; repeatable"),
        Parameter("pace", "", "how often [Hz], > 0 (every tick)"),
    )


def test_words_and_rates_are_read() -> None:
    lines = (
        *(("step", "0.1"), ("detail", "True"), ("prefix", " NAV "), ("thrust", "T")),
        *(("patterns", "C,, D"), ("patterns", "E"), ("pace", "2.5")),
    )
    assert ReportOptions.read(block(*lines)) == ReportOptions(
        0.1, "verbose", "NAV", "T", ("C", "D", "E"), (2_000_000_000, 5)
    )


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("step", "0", "expected a number above 0"),
        ("detail", "loud", "expected one of terse, verbose, true"),
        ("prefix", "NAV X", "expected a name without blanks"),
        ("prefix", "", "expected a name without blanks"),
        ("thrust", "desired_thrust", "expected a name without blanks other than DESIRED_THRUST"),
        ("pace", "0", "expected a number above 0"),
        ("pace", "often", "expected a number"),
    ],
)
def test_a_wrong_word_or_rate_is_an_error(key: str, value: str, expected: str) -> None:
    with pytest.raises(ConfigError, match=expected):
        ReportOptions.read(block((key, value)))
