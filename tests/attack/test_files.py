"""Files without end are refused in a line that names them, soon and in little memory."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from time import process_time

import pytest

from steerageway.bus import ConfigError, load_inputs
from steerageway.declarations import bytes_of
from steerageway.launcher.command import main
from steerageway.launcher.templates import is_template
from steerageway.moos.alog import LONGEST_LINE, data_hash, read_entries, whole_lines
from steerageway.moos.bhv import read_behaviors
from steerageway.moos.condition import LONGEST, ConditionError, parse_condition
from steerageway.moos.errors import FormatError
from steerageway.moos.lines import LARGEST_FILE
from steerageway.moos.mission import parse_mission, read_mission
from steerageway.moos.nsplug import expand
from steerageway.moos.recorded_table import read_recorded_table
from steerageway.vessel.errors import InvalidValue
from steerageway.world.document import leaves, read
from steerageway.world.numbers import lines_of


@pytest.fixture(autouse=True)
def _soon() -> Iterator[None]:
    began = process_time()  # others may want the processor, too
    yield
    assert process_time() - began < 5.0


def doublings(line: str, first: str, use: str) -> str:
    """Write definitions each of which is ten times the one before."""
    lines = [line.format(0, first)]
    lines += [line.format(new, use.format(old) * 10) for old, new in pairwise(range(12))]
    return "\n".join(lines)


def test_a_template_whose_macros_multiply_is_refused(tmp_path: Path) -> None:
    template = tmp_path / "t.moos"
    template.write_text(doublings("#define A{} {}", "xxxxxxxxxx", "$(A{})") + "\nk = $(A11)\n")
    with pytest.raises(FormatError, match=r"t.moos:13: k = \$\(A11\): expected macros that make"):
        expand(template, {})


@pytest.mark.slow
def test_a_template_whose_files_multiply_is_refused(tmp_path: Path) -> None:
    for number in range(30):
        more = f'#include "{number + 1}.moos"\n' * 2
        (tmp_path / f"{number}.moos").write_text(more)
    (tmp_path / "30.moos").write_text("")
    with pytest.raises(FormatError, match="at most 1000 files"):
        expand(tmp_path / "0.moos", {})


def test_a_mission_whose_variables_multiply_is_refused() -> None:
    text = doublings("define: A{} = {}", "xxxxxxxxxx", "${{A{}}}") + "\nk = ${A11}\n"
    with pytest.raises(FormatError, match=r"x.moos:13: .*expected a line that comes to at most"):
        parse_mission(text, "x.moos")
    wide = "define: A = " + "x" * 10**6 + "\ndefine: B = " + "${A}" * 1000 + "\nk = ${B}${B}\n"
    with pytest.raises(FormatError, match="characters"):
        parse_mission(wide, "x.moos")


@pytest.mark.parametrize("reader", [read_mission, read_behaviors])
def test_a_file_that_has_no_end_is_refused(reader: Callable[[Path], object]) -> None:
    with pytest.raises(FormatError, match=f"/dev/zero: .* more than {LARGEST_FILE} bytes"):
        reader(Path("/dev/zero"))


@pytest.mark.parametrize(
    "reader", [read_mission, read_behaviors, read, lines_of, read_recorded_table, is_template]
)
def test_a_pipe_that_nobody_writes_is_not_waited_for(
    reader: Callable[[Path], object], tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with suppress(ValueError, InvalidValue):
        reader(pipe)


def test_a_pipe_that_is_written_is_read() -> None:
    there, here = os.pipe()  # as of <(command)
    os.write(here, b"a = b\n")
    os.close(here)
    assert bytes_of(Path(f"/dev/fd/{there}"), 100) == b"a = b\n"
    os.close(there)


@pytest.mark.process
@pytest.mark.parametrize(
    "words",
    [("run", "{}.moos", "--check"), ("alog", "scan", "{}.alog"), ("vessel", "check", "{}")],
)
def test_a_name_that_is_too_long_is_a_sentence(words: tuple[str, ...]) -> None:
    name = "x" * 300  # a name has at most 255 bytes
    command = [sys.executable, "-m", "steerageway", *(word.format(name) for word in words)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.endswith(": File name too long\n")
    assert ended.stderr.count("\n") == 1


def test_a_file_named_in_a_block_whose_name_is_too_long_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mission = tmp_path / "one.moos"
    block = f"ProcessConfig = uSimMarineV22\n{{\nenvironment = {'x' * 300}.yml\n}}\n"
    mission.write_text(
        f"Community = a\nProcessConfig = ANTLER\n{{\nRun = uSimMarineV22\n}}\n{block}"
    )
    assert main([str(mission), "--check"]) == 2
    assert "one.moos:4: Run = uSimMarineV22: it cannot be built" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        "(" * 3000 + "A=1" + ")" * 3000,
        "!(" * 3000 + "A=1" + ")" * 3000,
        "not (" * 500 + "A=1" + ")" * 500,
        "(" * 10**5,
        "A=" + "x" * LONGEST,
        "(" + " " * 99_000 + "A=1",
    ],
)
def test_a_condition_that_is_too_deep_or_long_is_refused(text: str) -> None:
    with pytest.raises(ConditionError) as refused:
        parse_condition(text)
    assert len(str(refused.value)) < 600


@pytest.mark.slow
def test_a_long_condition_takes_time_of_its_length() -> None:
    assert parse_condition(" and ".join(["(A=1)"] * 9000)).holds(lambda name: 1.0)
    assert parse_condition("(" * 100 + "A=1" + ")" * 100).holds(lambda name: 1.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: " + "[" * 5000 + "]" * 5000, "at most 50 lists and sections"),
        ("a: " + "{b: " * 3000 + "}" * 3000, "at most 50 lists and sections"),
        ("\n".join(" " * n + f"k{n}:" for n in range(3000)), "at most 50 lists and sections"),
        ("a: &a [1, *a]\n", "no alias within itself"),
        ("a: &a {b: *a}\n", "no alias within itself"),
        (
            "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
            + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)),
            "at most 1000000 values",
        ),
    ],
    ids=["lists", "sections", "blocks", "itself", "section", "aliases"],
)
def test_yaml_without_end_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    file = tmp_path / "vessel.yml"
    file.write_text(text)
    with pytest.raises(InvalidValue, match=rf"vessel.yml:\d+: expected .*{expected}"):
        list(leaves(read(file)))


def test_yaml_with_aliases_is_read_as_ever(tmp_path: Path) -> None:
    file = tmp_path / "vessel.yml"
    file.write_text("a: &a [1, 2]\nb: [*a, *a]\nc: {d: *a}\n")
    assert sum(1 for _ in leaves(read(file))) == 8


@pytest.mark.slow
def test_a_log_that_unpacks_without_end_is_refused_in_little_memory(tmp_path: Path) -> None:
    log = tmp_path / "b.alog.gz"
    with gzip.open(log, "wb", 1) as file:
        file.write(b"%% LOGSTART 1.0\n")
        for _ in range(100):
            file.write(b"0" * (1 << 20))
    tracemalloc.start()
    with pytest.raises(FormatError, match=r"b.alog.gz: expected a log: a line of it has more than"):
        data_hash(whole_lines(log))
    assert tracemalloc.get_traced_memory()[1] < 3 * LONGEST_LINE
    tracemalloc.stop()
    with pytest.raises(FormatError):
        list(read_entries(log))


def test_a_line_of_inputs_that_is_too_deep_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"inputs.jsonl:1: expected a JSON object"):
        load_inputs(["[" * 10**5], "inputs.jsonl")
    line = '{"instant": 5, "phase": 0, "community": "a", "name": "X", "value": %s}'
    with pytest.raises(ConfigError, match=r"inputs.jsonl:1: value = 9+: expected a finite number"):
        load_inputs([line % ("9" * 400)], "inputs.jsonl")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--until", "(" * 3000 + "A=1" + ")" * 3000),
        ("--fail-if", "A=" + "x" * 200_000),
        ("--warp", "1e300"),
        ("--warp", "1e-300"),
        ("--seed", "9" * 5000),
        ("--vessels", "9" * 5000),
        ("--for", "1e300"),
        ("--config", "uSimMarineV22.start_x=" + "9" * 400),
    ],
)
def test_an_option_beyond_bounds_is_exit_2_and_a_line(
    option: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    mission = str(Path(__file__).parents[2] / "missions/alpha")
    try:
        code = main([mission, "--check", option, value])
    except SystemExit as ended:
        code = int(str(ended.code))
    errors = capsys.readouterr().err
    assert "Traceback" not in errors
    assert code == 2, errors
