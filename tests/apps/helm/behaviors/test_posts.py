"""What behaviors post is listed with everything else that is posted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from apps.helm.behaviors import BEHAVIORS
from bus.patterns import matches

PAGE = (Path(__file__).parents[4] / "VARIABLES.md").read_text()
LISTED = re.findall(r"^\| `([^`]+)` \|", PAGE, re.MULTILINE)
MINE = [kind for kind in BEHAVIORS if "Av" not in kind]


@pytest.mark.parametrize("kind", MINE)
def test_every_post_of_a_behavior_is_listed(kind: str) -> None:
    behavior = BEHAVIORS[kind]
    made = behavior.__new__(behavior)
    for name in made.publishes(behavior.settings_class(name="b")):
        assert any(matches(listed, name) for listed in LISTED), name
