"""The published models repeat the field's own runs."""

from __future__ import annotations

import pytest
import test_references
from published_cases import FOLDER, case, names


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_a_published_model_repeats_the_peers_run(name: str) -> None:
    run = case(name)
    errors = run.errors(run.simulate())
    worst = max(errors, key=lambda column: errors[column])
    assert errors[worst] < run.tolerance, f"{worst}: {errors[worst]:.2g}"


def test_every_run_of_the_field_is_repeated_here_or_with_the_coefficient_form() -> None:
    assert sorted([*names(), *test_references.CASES]) == sorted(
        path.stem for path in FOLDER.glob("*.yaml")
    )
