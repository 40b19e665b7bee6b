"""The programs of ``examples`` do what their first lines say, shortened."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.slow
def test_giving_way_by_a_written_policy_raises_the_scores_of_the_colregs() -> None:
    scored = runpy.run_path(str(EXAMPLES / "give_way.py"))["scored"]
    on, giving = (scored(16, 0, gives_way=one).mean(axis=0) for one in (False, True))
    assert (giving > on + 0.1).all()
