"""All variables that behaviors post are listed in VARIABLES.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from steerageway.apps.helm.behaviors import BEHAVIORS
from steerageway.bus import matches

ROOT = Path(__file__).parents[4]
LISTED = re.findall(r"^\| `([^`]+)` \|", (ROOT / "VARIABLES.md").read_text(), re.MULTILINE)
TOLD = re.findall(r"^## (BHV_\w+)", (ROOT / "docs" / "behaviors.md").read_text(), re.MULTILINE)


@pytest.mark.parametrize("kind", TOLD)
def test_every_post_of_a_behavior_is_listed(kind: str) -> None:
    behavior = BEHAVIORS[kind]
    made = behavior.__new__(behavior)
    for name in made.publishes(behavior.settings_class(name="b")):
        assert any(matches(listed, name) for listed in LISTED), name
