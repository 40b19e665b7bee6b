"""However far apps are granted ahead, the log is that of one at a time."""

from __future__ import annotations

import pytest
from networks import network, run_ahead, run_serially


@pytest.mark.parametrize("seed", range(150))
def test_grants_ahead_leave_the_log_of_one_at_a_time(seed: int) -> None:
    expected, counted = run_serially(network(seed))
    assert len(expected[0]) == 64
    for shuffle, eager in ((1, False), (2, True)):
        got, also = run_ahead(network(seed), shuffle, eager=eager)
        assert got == expected
        assert also == counted
