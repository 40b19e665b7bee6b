"""The published models repeat the field's own runs."""

from __future__ import annotations

import pytest
from published_cases import case, names


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_a_published_model_repeats_the_peers_run(name: str) -> None:
    run = case(name)
    errors = run.errors(run.simulate())
    worst = max(errors, key=lambda column: errors[column])
    assert errors[worst] < run.tolerance, f"{worst}: {errors[worst]:.2g}"
