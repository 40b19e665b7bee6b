"""Round trips of posts from outside through ``inputs.jsonl``."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.bus.core.errors import ConfigError
from steerageway.bus.core.inputs import dump_input, load_inputs
from steerageway.bus.core.plan import Input, Phase

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.slow
@settings(max_examples=30)
@given(
    instant=st.integers(0, 10**15),
    phase=st.sampled_from([Phase.INPUT, Phase.AFTER]),
    name=st.text(min_size=1),
    value=FINITE | st.text() | st.binary(),
    time=st.none() | FINITE,
    aux=st.text(),
    case=st.none() | st.integers(0, 10**6),
)
def test_written_inputs_are_read_back_bit_for_bit(
    instant: int,
    phase: int,
    name: str,
    value: float | str | bytes,
    time: float | None,
    aux: str,
    case: int | None,
) -> None:
    post = Input(instant, phase, "alpha", name, value, "uPokeDB", time, aux, case)
    line = dump_input(post)
    assert "\n" not in line
    [(_, again)], _ = load_inputs([line])
    assert again == post
    assert type(again.value) is type(post.value)


VALID = '"instant": 5, "phase": 0, "community": "a", "name": "V"'


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("nonsense", "expected a JSON object"),
        ("[1]", "expected a JSON object"),
        ("{" + VALID + "}", "value: expected, but missing"),
        ("{" + VALID + ', "value": 1, "when": 2}', "expected one of instant"),
        ("{" + VALID + ', "value": true}', "not of the type expected here"),
        ("{" + VALID + ', "value": [1]}', "not of the type expected here"),
        ("{" + VALID.replace("5", '"5"') + ', "value": 1}', "not of the type expected here"),
        ("{" + VALID.replace("5", "5.0") + ', "value": 1}', "not of the type expected here"),
        ("{" + VALID.replace('"a"', "7") + ', "value": 1}', "not of the type expected here"),
        ("{" + VALID + ', "value": {"base64": "AA==", "more": 1}}', "expected {"),
        ("{" + VALID + ', "value": NaN}', "expected a finite number"),
        ("{" + VALID + ', "value": {"base64": "*"}}', "expected base64"),
        ("{" + VALID + ', "value": {"hex": "00"}}', "expected {"),
        ("{" + VALID.replace("5", "-5") + ', "value": 1}', "expected 0 or more"),
        (
            "{" + VALID.replace('"phase": 0', '"phase": 1') + ', "value": 1}',
            "expected 0 or 2",
        ),
    ],
)
def test_a_line_that_is_no_post_is_named(line: str, expected: str) -> None:
    with pytest.raises(ConfigError) as error:
        load_inputs(["", "", line], "inputs.jsonl")
    assert str(error.value).startswith("inputs.jsonl:3")
    assert expected in str(error.value)
