"""Edits of YAML: each changes one value only, and undo restores the text byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from steerageway.vessel.tools.place import SHIPPED, shipped_vessels
from steerageway.web.configurator.draft import Draft, NothingToDo
from steerageway.web.configurator.edits import NotEdited, add_item, remove, set_value
from steerageway.web.configurator.scalars import number, written
from steerageway.web.configurator.splices import difference, spliced
from steerageway.web.configurator.tree import parsed, plain, scalars

SURFACES = """\
# Two rudders
area: &area 0.1   # shared
naca: 0015
control_surfaces:
  -
    control_surface_id: 1  # port
    control_surface_location: [-2.0, -0.5,  0.2]
    control_surface_area: *area
    mystery: {kept: "as it is", list: [1,2 ,3]}
  - control_surface_id: 2
    control_surface_area: *area
empty:
nothing: None # so far
"""


def after(text: str, splices: list[Any]) -> Any:
    """Return the parsed text after pieces are replaced."""
    return plain(parsed(spliced(text, splices)))


def test_a_value_is_replaced_and_nothing_else() -> None:
    path = ("control_surfaces", 0, "control_surface_location", 2)
    [splice] = set_value(SURFACES, path, 0.25)
    assert (splice.old, splice.new) == ("0.2", "0.25")
    assert spliced(SURFACES, [splice]) == SURFACES.replace("-0.5,  0.2]", "-0.5,  0.25]")


def test_a_vector_of_the_same_length_changes_by_its_numbers() -> None:
    path = ("control_surfaces", 0, "control_surface_location")
    changed = spliced(SURFACES, set_value(SURFACES, path, [-2, -0.5, 1]))
    assert changed == SURFACES.replace("-0.5,  0.2]", "-0.5,  1]")


def test_an_equal_value_changes_nothing() -> None:
    assert set_value("mass: 7.650\n", ("mass",), "7.650") == []
    assert set_value(SURFACES, ("control_surfaces", 0, "control_surface_id"), 1) == []


def test_an_alias_becomes_a_separate_value_or_changes_all() -> None:
    path = ("control_surfaces", 1, "control_surface_area")
    alone = after(SURFACES, set_value(SURFACES, path, 0.3))
    assert [one["control_surface_area"] for one in alone["control_surfaces"]] == ["0.1", "0.3"]
    every = after(SURFACES, set_value(SURFACES, path, 0.3, everywhere=True))
    assert every["area"] == "0.3"
    assert [one["control_surface_area"] for one in every["control_surfaces"]] == ["0.3", "0.3"]


def test_shared_values_are_changed_or_removed_only_when_confirmed() -> None:
    with pytest.raises(NotEdited, match="tied"):
        set_value(SURFACES, ("area",), 0.3)
    with pytest.raises(NotEdited, match="area"):
        remove(SURFACES, ("area",))


@pytest.mark.parametrize(
    ("text", "path", "value", "expected"),
    [
        ("", ("mass",), 3, "mass: 3\n"),
        ("# so\n", ("CG", "position"), [0, 0, 1], "# so\nCG:\n  position: [0, 0, 1]\n"),
        ("a: 1", ("b",), 2, "a: 1\nb: 2"),
        ("a: 1 # one\n# end\n", ("b",), 2, "a: 1 # one\nb: 2\n# end\n"),
        ("a: {b: 1}\n", ("a", "c"), 2, "a: {b: 1, c: 2}\n"),
        ("a: {}\n", ("a", "c"), 2, "a: {c: 2}\n"),
        ("a:\n  b: 1\nz: 9\n", ("a", "c"), 2, "a:\n  b: 1\n  c: 2\nz: 9\n"),
        ("a:\nz: 9\n", ("a", "c"), 2, "a: {c: 2}\nz: 9\n"),
        ("a: None # nothing\n", ("a",), [1, 2], "a: [1, 2] # nothing\n"),
        ("a: 1\r\nb: 2\r\n", ("c",), 3, "a: 1\r\nb: 2\r\nc: 3\r\n"),
        ("l:\n  - a: 1\n  - a: 2\n", ("l", 0, "b"), 3, "l:\n  - a: 1\n    b: 3\n  - a: 2\n"),
    ],
)  # fmt: skip
def test_a_missing_key_is_added(
    text: str, path: tuple[str, ...], value: Any, expected: str
) -> None:
    assert spliced(text, set_value(text, path, value)) == expected


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("a: 1\nb: 2 # two\nc: 3\n", ("b",), "a: 1\nc: 3\n"),
        ("a: {b: 1, c: 2}\n", ("a", "b"), "a: {c: 2}\n"),
        ("a: {b: 1, c: 2}\n", ("a", "c"), "a: {b: 1}\n"),
        ("l:\n  - a: 1\n    b: 2\n  - a: 3\n", ("l", 0), "l:\n  - a: 3\n"),
        ("l:\n  - a: 1\n    b: 2\n", ("l", 0, "a"), "l:\n  - b: 2\n"),
        ("l:\n  -\n    a: 1\n  -\n    a: 2\n", ("l", 1), "l:\n  -\n    a: 1\n"),
        ("l: [1, 2, 3]\n", ("l", 1), "l: [1, 3]\n"),
    ],
)
def test_a_key_or_an_item_is_removed(text: str, path: tuple[str, ...], expected: str) -> None:
    assert spliced(text, remove(text, path)) == expected


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("", ("z",), "z: 2.5 # by hand\n"),
        ("r:\n  b: 1\n", ("r", "c"), "r:\n  b: 1\n  c: 2.5 # by hand\n"),
        ("r: {b: 1}\n", ("r", "c"), "r: {b: 1, c: 2.5}\n"),
        ("z: 1 # mine\n", ("z",), "z: 2.5 # mine\n"),
    ],
)
def test_a_note_is_placed_after_an_added_line(
    text: str, path: tuple[str, ...], expected: str
) -> None:
    assert spliced(text, set_value(text, path, 2.5, note="by hand")) == expected


def test_items_are_added_as_the_list_is_written() -> None:
    added = spliced(SURFACES, add_item(SURFACES, ("control_surfaces",), {"a": 1, "b": [0, 1]}))
    assert "    control_surface_area: *area\n  - a: 1\n    b: [0, 1]\nempty:" in added
    begun = add_item("# none\n", ("thrusters",), {"thruster_id": 1, "tp": 0.5})
    assert spliced("# none\n", begun) == "# none\nthrusters:\n  - thruster_id: 1\n    tp: 0.5\n"


@given(st.floats(allow_nan=False))
def test_a_number_reads_back_equal(value: float) -> None:
    text = number(value)
    assert float(text.replace(".inf", "inf")) == value
    assert "e" not in text or "." in text  # YAML 1.1 takes 1e-5 for a text


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"])))
def test_a_text_reads_back_equal(value: str) -> None:
    node = parsed(f"it: {written(value)}")
    assert node is not None
    it = node.get("it")
    assert it is not None
    assert (it.text, it.empty) == (value, False)


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_vessels())
def test_each_number_of_a_shipped_vessel_changes_its_own_text_alone(name: str) -> None:
    for file in sorted((SHIPPED / name).glob("*.yml")):
        text = file.read_text()
        for path, node in list(scalars(parsed(text)))[:: 1 + len(text) // 150]:
            if node.kind == "alias" or node.anchor or not is_number(node.text):
                continue
            value = float(node.text) * 1.5 + 0.1234567  # no number of the files stays the same
            [splice] = set_value(text, path, value)
            assert (splice.at, splice.old) == (node.start, text[node.start : node.end])
            assert float(splice.new) == value


def is_number(text: str) -> bool:
    """Whether a text is one."""
    try:
        float(text)
    except ValueError:
        return False
    return True


VALUES = st.one_of(
    st.floats(-1e6, 1e6), st.integers(-5, 5), st.sampled_from(["NACA 0012", "a b", "", "true"]),
    st.lists(st.floats(-9, 9), min_size=3, max_size=3), st.booleans(),
)  # fmt: skip
PATHS = st.sampled_from(
    [("area",), ("naca",), ("empty",), ("nothing",), ("new",), ("new", "deep"),
     ("control_surfaces", 0, "control_surface_id"), ("control_surfaces", 1, "extra"),
     ("control_surfaces", 0, "control_surface_location"),
     ("control_surfaces", 0, "mystery", "kept"),
     ("control_surfaces", 1), ("control_surfaces",)]
)  # fmt: skip
VERBS = st.sampled_from(["set", "everywhere", "remove", "add", "undo", "redo"])
STEPS = st.lists(st.tuples(VERBS, PATHS, VALUES), max_size=9)


@pytest.mark.slow
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=STEPS)
def test_any_edits_and_undos_leave_all_untouched_text_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, tuple[str | int, ...], Any]]
) -> None:
    folder = tmp_path_factory.mktemp("drafts") / "1"
    draft = Draft.begin(folder, "boat", {"control_surfaces.yml": SURFACES.encode()})
    texts = [SURFACES]  # what the file held after each edit that counts
    at = 0
    for verb, path, value in steps:
        before = draft.text("control_surfaces.yml") or ""
        try:
            step(draft, verb, path, value)
        except (NotEdited, NothingToDo):
            assert draft.text("control_surfaces.yml") == before
            continue
        now = draft.text("control_surfaces.yml") or ""
        if verb == "undo":
            at -= 1
        elif verb == "redo":
            at += 1
        elif now != before:
            texts = [*texts[: at + 1], now]
            at += 1
        assert now == texts[at]
        draft = Draft(folder)  # as after a reload
        for comment in ("# Two rudders\n", "# so far") if verb != "remove" else ():
            assert (comment in now) == (comment in before) or verb in ("undo", "redo")
    while draft.journal.undo_title:
        draft.undo(draft.journal.revision)
    assert draft.data("control_surfaces.yml") == SURFACES.encode()


def step(draft: Draft, verb: str, path: tuple[str | int, ...], value: Any) -> None:
    """Do one thing to a draft."""
    revision = draft.journal.revision
    if verb in ("undo", "redo"):
        (draft.undo if verb == "undo" else draft.redo)(revision)
        return

    def change(text: str) -> Any:
        if verb == "remove":
            return remove(text, path)
        if verb == "add":
            return add_item(text, ("control_surfaces",), {"control_surface_id": 7, "x": value})
        return set_value(text, path, value, everywhere=verb == "everywhere")

    draft.edit(revision, verb, [("control_surfaces.yml", change)])


@pytest.mark.slow
@given(st.text(), st.text())
def test_a_difference_leads_from_one_text_to_the_other_and_back(old: str, new: str) -> None:
    splices = difference(old, new)
    assert spliced(old, splices) == new
    assert spliced(new, [one.back for one in reversed(splices)]) == old


def test_a_draft_is_kept_on_disk(tmp_path: Path) -> None:
    draft = Draft.begin(tmp_path / "1", "boat", {"inertia.yml": b"mass: 1 # kg\n"})
    draft.edit(0, "mass", [("inertia.yml", lambda text: set_value(text, ("mass",), 2.5))])
    draft.put(1, "file hull.stl", {"hull.stl": b"solid"})
    again = Draft(tmp_path / "1")
    assert again.data("inertia.yml") == b"mass: 2.5 # kg\n"
    again.undo(2)
    assert again.names() == ["inertia.yml"]
    again.undo(3)
    again.redo(4)
    assert again.data("inertia.yml") == b"mass: 2.5 # kg\n"
    assert again.journal.redo_title == "file hull.stl"
