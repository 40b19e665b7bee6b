"""The helm's pages document every behavior and macro, and every parameter where a mark lists them.

The other tables of parameters are generated as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from steerageway.helm.behaviors import BEHAVIORS
from steerageway.helm.behaviors.contact.settings import ContactSettings
from steerageway.helm.macros import COUNTERS
from steerageway.helm.settings import CommonSettings, documented

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "helm.md").read_text()
CONTACTS = (DOCS / "contacts.md").read_text()
BEHAVIOR_PAGES = [(DOCS / "behaviors.md").read_text(), CONTACTS]
SECTIONS = dict(
    re.findall(
        r"^## ([^\n]+)\n(.*?)(?=^## |\Z)",
        "\n".join([PAGE, *BEHAVIOR_PAGES]),
        re.MULTILINE | re.DOTALL,
    )
)
OWN = (DOCS / "own_behaviors.md").read_text().partition("## The interface `self.world`")[0]


def test_parameters_of_contact_behaviors_are_documented() -> None:
    common = documented(CommonSettings)
    expected = {one.name for one in documented(ContactSettings) if one not in common}
    listed = re.findall(
        r"^> Table: parameters of `BHV_\w+`: (.*?)\. Command", CONTACTS, re.MULTILINE
    )
    assert expected <= set(re.findall(r"`(\w+)`", " ".join(listed)))


def test_every_behavior_has_a_section_with_its_other_names() -> None:
    documented = {name for name in SECTIONS if name.startswith("BHV_")}
    assert {BEHAVIORS[name] for name in documented} == set(BEHAVIORS.values())
    pages = "\n".join(SECTIONS.values())
    assert [name for name in BEHAVIORS if name not in documented and f"`{name}`" not in pages] == []


def test_common_macros_are_documented() -> None:
    text = SECTIONS["Flags and macros"]
    documented = set(re.findall(r"`([A-Z_0-9]+)`", text.split("| macro |")[1]))
    assert documented >= {"OWNSHIP", "OSX", "DUR_IDLE_TIME", "HASH", "HASH2", "HASH9", COUNTERS[-1]}


def test_behavior_in_the_docs_works_as_printed(sail: Callable[..., Any], tmp_path: Path) -> None:
    section = OWN
    program, block, behavior = re.findall(r"^```\w*\n(.*?)^```\n", section, re.M | re.S)
    (tmp_path / "hold_course.py").write_text(program)
    domain = ("course:0:359:360", "speed:0:4:41:optional")
    sailing = sail(behavior, block.partition("//")[0], domain=domain)
    assert sailing.step()["DESIRED_HEADING"] == 217.0
    assert sailing.posted["IVPHELM_BHV_ACTIVE"] == "hold"


def test_a_user_defined_behavior_posts_and_subscribes_as_documented(
    sail: Callable[..., Any], tmp_path: Path
) -> None:
    section = OWN
    program, block, behavior = re.findall(r"^```\w*\n(.*?)^```\n", section, re.M | re.S)
    publishes, posts, listens, reads = (
        re.search(pattern, section)[1]  # type: ignore[index]
        for pattern in (
            r"`(publishes = .*?)`",
            r"`(self.post\(.*?\))`",
            r"`(listens = .*?)`",
            r"`(self.world.values.*?)`",
        )
    )
    body = f"        {posts}\n        self.post_always('SEA', str({reads}))\n        variable ="
    program = program.replace("        variable =", body)
    declared = publishes.replace(",)", ", 'SEA')")
    program = program.replace("    needs =", f"    {declared}\n    {listens}\n    needs =")
    (tmp_path / "hold_course.py").write_text(program)
    domain = ("course:0:359:360", "speed:0:4:41:optional")
    sailing = sail(behavior, block.partition("//")[0], domain=domain)
    first, second = sailing.step(), sailing.step({"SEA_STATE": 4.0})
    assert (first["COURSE_LEFT"], first["SEA"]) == (3.0, "None")
    assert ("COURSE_LEFT" in second, second["SEA"]) == (False, "4.0")
