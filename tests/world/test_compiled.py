"""Formulas: one source for Python and for compiled code."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from steerageway.vessel import bounds, cross_flow, damping, kinematics, propulsion, rigid_body
from steerageway.vessel.fossen import actuation, hull, strips
from steerageway.vessel.fossen.published import actuators
from steerageway.vessel.mesh import drag
from steerageway.world import compiled
from steerageway.world.compiled import fingerprint, part

number = st.floats(-3, 3)
positive = st.floats(0.1, 5)
turns = st.floats(-20, -0.1) | st.just(0.0) | st.floats(0.1, 20)
FORMULAS = [
    (propulsion.by_cubic, actuation.by_cubic, st.tuples(turns, *[positive] * 2, *[number] * 4)),
    (propulsion.measured_advance, actuation.measured_advance, st.tuples(turns, number, positive)),
    (cross_flow.box_integrals, strips.box_integrals, st.tuples(number, number, positive)),
    (damping.wing_force, hull.wing_force, st.tuples(*[number] * 4)),
    (damping.ittc57_line, drag.friction_line, st.tuples(st.floats(1e3, 1e9))),
    (rigid_body.turning_wrench, hull.turning_wrench, st.tuples(*[number] * 12)),
    (rigid_body.moment, actuation.moment, st.tuples(*[number] * 6)),
    (bounds.within, actuation.within, st.tuples(*[number] * 3)),
    (bounds.bounded, actuators.held, st.tuples(number, positive)),
    (kinematics.ned_to_body, hull.ned_to_body, st.tuples(*[number] * 9)),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formula", "inlined", "arguments"), FORMULAS, ids=[one[0].__name__ for one in FORMULAS]
)
def test_a_formula_and_its_machine_code_agree(formula, inlined, arguments):
    @njit(error_model="numpy")
    def called(numbers):
        return inlined(*numbers)

    @settings(max_examples=50, deadline=None)
    @given(arguments)
    def agree(given_numbers):
        assert called(given_numbers) == pytest.approx(formula(*given_numbers), rel=1e-12, abs=1e-12)

    agree()


def test_a_part_called_by_python_is_an_error_before_and_after_its_compilation():
    @part
    def twice(x):
        return 2.0 * x

    @njit
    def caller(x):
        return twice(x)

    for _ in range(2):
        with pytest.raises(TypeError, match="only these can call"):
            twice(1.0)
        assert caller(1.0) == 2.0


def test_machine_code_is_recompiled_after_an_edit_in_a_neighbouring_folder(tmp_path):
    equations, actuators = tmp_path / "vessel" / "fossen", tmp_path / "vessel" / "actuators"
    for folder in (tmp_path, tmp_path / "vessel", equations, actuators):
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").touch()
    fins = actuators / "fins.py"
    seen = []
    for text in (
        "def folded(x): ...",
        "@formula\ndef folded(x): ...",
        "@formula\ndef folded(y): ...",
    ):
        fins.write_text(text)
        fingerprint.cache_clear()
        seen.append(fingerprint(equations))
    assert len(set(seen)) == 3


def test_machine_code_does_not_outlive_an_edit_of_a_constant(tmp_path, monkeypatch):
    constants = tmp_path / "constants.py"
    monkeypatch.setattr(compiled, "HERE", tmp_path)
    monkeypatch.setattr(compiled, "CONSTANTS", constants)
    seen = []
    for text in ("GRAVITY = 9.81", "GRAVITY = 9.80665"):
        constants.write_text(text)
        fingerprint.cache_clear()
        seen.append(fingerprint(tmp_path / "vessel"))
    fingerprint.cache_clear()
    assert len(set(seen)) == 2


def test_a_part_called_with_several_constants_is_compiled_once():
    @part
    def index(row, column):
        return 3 * row + column

    @njit
    def caller(row):
        return index(2, 1) + index(row, 2) + index(0, row)

    assert caller(5) == 7 + 17 + 5
    assert len(index.overloads) == 1
