"""The examples and numbers of the page on interval programming."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.helm import brute_force, cases
from steerageway import ivp
from steerageway.ivp import solve

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ivp.md").read_text()


def test_examples_of_the_page_have_the_documented_results() -> None:
    text = PAGE.replace("```", "\n")
    examples = doctest.DocTestParser().get_doctest(text, {}, "docs/ivp.md", "docs/ivp.md", 0)
    assert len(examples.examples) > 15
    report: list[str] = []
    failed, _ = doctest.DocTestRunner().run(examples, out=report.append)
    assert not failed, "".join(report)


@pytest.mark.process
def test_command_of_the_page_measures_decisions(tmp_path: Path) -> None:
    (command,) = re.findall(r"^ {4}python (-m benchmarks.*?) +#", PAGE, re.MULTILINE)
    arguments = [sys.executable, *command.split(), "--json", str(tmp_path / "helm.json")]
    subprocess.run(arguments, cwd=ROOT, check=True, capture_output=True, timeout=600)
    figures = json.loads((tmp_path / "helm.json").read_text())
    assert {case.title for case in cases()} < figures.keys()


def test_every_function_is_named_on_the_page() -> None:
    makers = [name for name in ivp.__all__ if name[0].islower()]
    assert [name for name in makers if f"`{name}(" not in PAGE and f" {name}(" not in PAGE] == []


@pytest.mark.parametrize("number", range(4))
def test_decisions_of_the_benchmark_are_those_of_trying_every_point(number: int) -> None:
    case = cases()[number]
    for _ in range(3):
        functions = case.objectives()
        assert functions
        decision = solve(case.domain, functions)
        tried = brute_force(case.domain, functions)
        best, other = (
            sum(f.weight * f.at(case.domain, values) for f in functions)
            for values in (decision.values, tried)
        )
        assert best == pytest.approx(other, rel=1e-12)
        assert best == pytest.approx(decision.utility, rel=1e-9)
