"""Designs of experiments: the trials of a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.apps.experiments.sweep.design import (
    Factor,
    Trial,
    number_text,
    read_factors,
    read_trials,
)
from steerageway.moos.values import is_number
from steerageway.vessel.errors import InvalidValue
from steerageway.world.document import Section, read

Trials = Callable[..., list[Trial]]
BY_SCIPY = [pytest.param(name, marks=pytest.mark.slow) for name in ("latin_hypercube", "sobol")]


@pytest.fixture
def trials(tmp_path: Path) -> Trials:
    """Return ``trials(text, seed=0)``: the trials of a file's text."""

    def make(text: str, seed: int = 0) -> list[Trial]:
        path = tmp_path / "cases.yml"
        path.write_text(text)
        section = read(path)
        found = list(read_trials(section, read_factors(section.section("vary")), seed))
        section.finish()
        return found

    return make


def values(found: list[Trial], *names: str) -> list[tuple[str, ...]]:
    """Return the values of some factors, trial by trial."""
    return [tuple(trial.values[name] for name in names) for trial in found]


def test_a_grid_is_every_combination_the_last_factor_fastest(trials: Trials) -> None:
    found = trials("vary:\n  a: [1, 2]\n  b: x\n  c: {from: 0, to: 1, steps: 3}")
    rows = [("1", "x", c) for c in ("0", "0.5", "1")] + [("2", "x", c) for c in ("0", "0.5", "1")]
    assert values(found, "a", "b", "c") == rows
    assert [trial.number for trial in found] == [1, 2, 3, 4, 5, 6]


def test_listed_factors_go_in_step(trials: Trials) -> None:
    found = trials("design: listed\nvary:\n  a: [1, 2, 3]\n  b: [x, y, z]\n  c: 7")
    assert values(found, "a", "b", "c") == [("1", "x", "7"), ("2", "y", "7"), ("3", "z", "7")]


def test_columns_of_a_file_go_in_step_or_are_drawn_from(trials: Trials, tmp_path: Path) -> None:
    (tmp_path / "points.csv").write_text('pace,place\n1,"a, b"\n2.50,c\n')
    text = "vary:\n  a: {file: points.csv, column: place}\n  b: {file: points.csv, column: pace}"
    assert values(trials(f"design: listed\n{text}"), "a", "b") == [("a, b", "1"), ("c", "2.50")]
    assert len(trials(text)) == 4
    drawn = values(trials(f"design: random\ncases: 64\n{text}"), "b")
    assert {one for (one,) in drawn} == {"1", "2.50"}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, r"cases\.yml:2: .*points\.csv: expected a CSV file: .*No such file"),
        (b"b,c\n1,2\n", r"cases\.yml:2: .*a: expected a column of points\.csv: b, c"),
        (b"a\n", r"0 rows: expected 1 to"),
        (b"b,a\n1,2\n3\n", r"no value in row 2 of points\.csv"),
        ("a\n1\n".encode("utf-16"), r"expected a CSV file: .*UTF-16"),
        (b"a,b\n1,5,2\n", r"more in row 1 of points\.csv: expected as many cells"),
        (b"a,b\n1,2\n\0\n", r"points\.csv:3: expected text"),
        (b'a\n"1\n', r"expected a CSV file: "),
    ],
)
def test_a_file_without_the_column_is_refused(
    trials: Trials, tmp_path: Path, content: bytes | None, expected: str
) -> None:
    if content is not None:
        (tmp_path / "points.csv").write_bytes(content)
    with pytest.raises(InvalidValue, match=expected):
        trials("vary:\n  a: {file: points.csv, column: a}")


@pytest.mark.parametrize("value", ["nan", "-inf", "Infinity", ".nan"])
def test_no_case_has_a_value_that_is_not_finite(trials: Trials, tmp_path: Path, value: str) -> None:
    with pytest.raises(InvalidValue, match="expected finite numbers"):
        trials(f"vary:\n  a: [1, {value}]")
    (tmp_path / "points.csv").write_text(f"a\n{value}\n")
    with pytest.raises(InvalidValue, match="expected finite numbers"):
        trials("vary:\n  a: {file: points.csv, column: a}")


@pytest.mark.parametrize(
    "content", [b"\xef\xbb\xbfa,b\n7,1\n", b"b;a\n1,5;7\n", b"b\ta\n1\t 7\n", b"a,\xb0\r\n7,1\r\n"]
)
def test_tables_of_other_programs_are_read(trials: Trials, tmp_path: Path, content: bytes) -> None:
    """With a byte-order mark, semicolons, tabs, or in Latin-1, as spreadsheets write them."""
    (tmp_path / "points.csv").write_bytes(content)
    assert values(trials("vary:\n  a: {file: points.csv, column: a}"), "a") == [("7",)]


@pytest.mark.parametrize("design", ["random", *BY_SCIPY])
def test_drawn_trials_fill_their_ranges_and_stay_the_same(trials: Trials, design: str) -> None:
    text = f"design: {design}\ncases: 64\nvary:\n  a: {{from: -3, to: 5}}\n  b: [x, y]\n  c: 1"
    found = trials(text)
    assert found == trials(text)
    assert values(found, "a") != values(trials(text + "\nseed: 1"), "a")
    numbers = [float(trial.values["a"]) for trial in found]
    assert len(numbers) == 64
    assert -3 <= min(numbers) < -1
    assert 3 < max(numbers) <= 5
    assert {trial.values["c"] for trial in found} == {"1"}
    assert 16 <= sum(trial.values["b"] == "x" for trial in found) <= 48


@pytest.mark.parametrize("design", BY_SCIPY)
def test_even_designs_put_one_trial_into_every_slice(trials: Trials, design: str) -> None:
    found = trials(f"design: {design}\ncases: 32\nvary:\n  a: {{from: 0, to: 32}}\n  b: [1, 2]")
    slices = [int(float(trial.values["a"])) for trial in found]
    assert sorted(slices) == list(range(32))


def test_a_constant_value_does_not_change_the_drawn_ones(trials: Trials) -> None:
    text = "design: random\ncases: 7\nvary:\n  a: {from: 0, to: 1}\n"
    assert values(trials(text), "a") == values(trials(text + "  b: 5"), "a")


def test_every_trial_has_its_own_seed_or_each_point_each_of_some(trials: Trials) -> None:
    text = "vary:\n  a: [1, 2]\n"
    assert [trial.seed for trial in trials(text, 40)] == [40, 41]
    paired = trials(text + "seeds: 3", 40)
    assert [(t.number, t.values["a"], t.seed) for t in paired] == [
        *[(1, "1", 40), (2, "1", 41), (3, "1", 42)],
        *[(4, "2", 40), (5, "2", 41), (6, "2", 42)],
    ]
    assert [trial.seed for trial in trials(text + "seeds: [7, 9]", 40)] == [7, 9, 7, 9]


@given(st.floats(-1e6, 1e6))
def test_drawn_numbers_are_written_as_in_moos_ivp(value: float) -> None:
    text = number_text(value)
    assert is_number(text)
    assert float(text) == pytest.approx(value, rel=5e-6)


def test_a_narrow_range_is_drawn_as_finely_as_a_wide_one(trials: Trials) -> None:
    text = "{}\nvary:\n  a: {{from: 42.358436, to: 42.358439{}}}"
    found = values(trials(text.format("design: random\ncases: 50", "")), "a")
    drawn = [float(value) for (value,) in found]
    assert len(set(drawn)) == 50
    assert all(42.358436 <= value <= 42.358439 for value in drawn)
    assert max(drawn) - min(drawn) > 2e-6
    grid = values(trials(text.format("", ", steps: 4")), "a")
    assert grid == [("42.358436",), ("42.358437",), ("42.358438",), ("42.358439",)]


@given(
    st.floats(-1e6, 1e6),
    st.sampled_from([1e-9, 1e-6, 3e-4, 0.7, 20.0, 1e5]),
    st.lists(st.floats(0.0, 1.0, exclude_max=True), min_size=1, max_size=3),
)
def test_no_number_lies_outside_the_range_it_is_drawn_from(
    low: float, width: float, fractions: list[float]
) -> None:
    high = low + width
    factor = Factor("a", (), Section(Path()), "a", low, high)
    for fraction in fractions if low < high else ():
        text = factor.at(fraction)
        assert is_number(text)
        assert low <= float(text) <= high
        expected = low + fraction * (high - low)
        assert float(text) == pytest.approx(expected, rel=1e-15, abs=1e-5 * (high - low))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("desing: grid", r"cases\.yml:1: desing: unknown key; did you mean design\?"),
        ("design: gird", r":1: design = gird: expected one of grid, listed"),
        ("design: sobol\nvary:\n  a: {from: 0, to: 1}", r"cases is missing"),
        ("design: random\ncases: 2.5\nvary:\n  a: [1, 2]", r":2: cases = 2\.5: expected a whole"),
        ("design: random\ncases: 2\nvary:\n  a: 1", r":1: design: random: .* nothing varies"),
        ("cases: 5\nvary:\n  a: 1", r":1: cases: 5: expected a design that is drawn, not grid"),
        ("vary:\n  a: {from: 0, to: 1}", r":2: vary\.a: a range: expected steps: N"),
        ("vary:\n  a: {from: 2, to: 1}", r":2: vary\.a\.to = 1: expected a number above 2"),
        ("vary:\n  a: {from: 2, to: 3, step: 1}", r":2: vary\.a\.step: unknown key"),
        ("vary:\n  a: {from: 0, to: 1, steps: 1}", r"steps = 1: expected a whole number from 2"),
        ("vary:\n  a: []", r":2: vary\.a: a list: expected a value"),
        ("vary:\n  a: [[1]]", r":2: vary\.a: a list: expected a value"),
        ("design: listed\nvary:\n  a: [1, 2]\n  b: [1, 2, 3]", r":3: vary\.a: 2 values: .* 3"),
        ("seeds: few\nvary:\n  a: 1", r":1: seeds = few: expected a whole number"),
        ("seeds: [1, x]\nvary:\n  a: 1", r":1: seeds: 1, x: expected how many, or a list"),
        (
            "vary:\n" + "".join(f"  {c}: {{from: 0, to: 1, steps: 999}}\n" for c in "abc"),
            "a grid of 997002999: expected at most",
        ),
    ],
)
def test_an_invalid_file_is_reported_with_line_and_key(
    trials: Trials, text: str, expected: str
) -> None:
    with pytest.raises(InvalidValue, match=expected):
        trials(text)
