"""The field's own runs, all of them, repeated: see tests/reference/vessels."""

from __future__ import annotations

import pytest
from reference_cases import FOLDER, case, names


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_a_peers_run_is_repeated(name: str) -> None:
    run = case(name)
    errors = run.errors(run.simulate())
    worst = max(errors, key=lambda column: errors[column])
    assert errors[worst] < run.tolerance, f"{worst}: {errors[worst]:.2g}"


def test_every_run_that_is_kept_is_among_them() -> None:
    runs = [path.name.removesuffix(".csv.gz") for path in FOLDER.glob("*.csv.gz")]
    assert names() == sorted(runs)
    assert len(runs) == 41
    assert {name.split("_")[0] for name in runs} == {"mss", "pvs", "tb"}
