"""Time limits of answers, and the errors of apps that exceed them."""

from __future__ import annotations

from math import inf

import pytest

from steerageway.bus import RunPlan
from steerageway.bus.core.timeouts import INTERRUPTED_TIMEOUT, no_answer, timeout


@pytest.mark.parametrize(
    ("grant_timeout", "interrupted", "limit"),
    [
        (10.0, False, 10.0),
        (10.0, True, INTERRUPTED_TIMEOUT),
        (0.0, False, 0.0),
        (0.0, True, INTERRUPTED_TIMEOUT),
        (0.5, True, 0.5),
    ],
)
def test_the_reported_limit_is_the_one_in_effect(
    grant_timeout: float, interrupted: bool, limit: float
) -> None:
    plan = RunPlan(("alpha",), (), inf, grant_timeout=grant_timeout)
    assert timeout(plan, starting=False, interrupted=interrupted) == limit
    failure = no_answer(limit, interrupted=interrupted)
    assert failure.startswith(f"did not answer within {limit:g} s of wall time")
    assert failure.endswith("an interrupted run gives") is (limit == INTERRUPTED_TIMEOUT)
