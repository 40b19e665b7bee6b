"""A process that is killed changes nothing of what was before."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from kills import Launch, disturb, logs_of

pytestmark = [pytest.mark.process, pytest.mark.slow]
ALPHA = ("missions/alpha", "--for", "600", "--warp", "max", "--placement")


@pytest.mark.parametrize("placement", ["process", "community"])
def test_the_log_before_a_kill_is_that_of_an_undisturbed_run(
    placement: str, tmp_path: Path
) -> None:
    arguments, chance = (*ALPHA, placement), Random(placement)
    (tmp_path / "whole").mkdir()
    whole = Launch(arguments, tmp_path / "whole")
    assert whole.end() == 0
    reference = logs_of(whole.log)
    for number in range(4):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert disturb(arguments, reference, folder, chance).wrong == ""
