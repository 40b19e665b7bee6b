"""Values of unexpected types break no summary, no status line and no terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from steerageway.bus import Progress
from steerageway.bus.core.activation_mark import read_activation
from steerageway.launcher.command import main
from steerageway.launcher.status import MOST_SHOWN, community_line

ODD = ("NAV_X", "NAV_Y", "NAV_HEADING", "NAV_SPEED", "NAV_DEPTH", "IVPHELM_STATE", "MODE")


def test_bytes_where_a_position_is_expected_are_no_position(tmp_path: Path) -> None:
    values = {"IVPHELM_ALLSTOP": b"no text", **dict.fromkeys(ODD, b"q")}
    inputs = tmp_path / "inputs.jsonl"
    inputs.write_text(
        "".join(
            json.dumps(
                {
                    "instant": 0,
                    "phase": 0,
                    "community": "one",
                    "name": name,
                    "value": {"base64": ""},
                }
            )
            + "\n"
            for name in values
        )
    )
    mission = tmp_path / "one.moos"
    mission.write_text(
        "Community = one\nProcessConfig = ANTLER\n{\nRun = pLogger @ NewConsole = false\n}\n"
    )
    summary = tmp_path / "summary.json"
    arguments = [str(mission), "--inputs", str(inputs), "--for", "1", "--warp", "max"]
    options = ["--placement", "one", "--no-log", "--json", str(summary)]
    assert main([*arguments, *options]) == 0
    record = json.loads(summary.read_text())["communities"]["one"]
    assert record["x"] is record["helm"] is record["all_stop"] is None


def test_an_infinite_distance_is_null_in_the_summary(tmp_path: Path) -> None:
    mission = tmp_path / "one.moos"
    mission.write_text(
        "Community = one\nProcessConfig = ANTLER\n{\nRun = pLogger @ NewConsole = false\n}\n"
    )
    summary = tmp_path / "summary.json"
    posts = [
        option
        for time, x in ((0.1, -1.7e308), (0.2, 1.7e308))
        for name in ("NAV_X", "NAV_Y")
        for option in ("--set", f"@{time}:{name}={x:.0f}")
    ]
    arguments = [str(mission), *posts, "--for", "1", "--warp", "max", "--placement", "one"]
    assert main([*arguments, "--no-log", "--json", str(summary)]) == 0
    assert json.loads(summary.read_text())["communities"]["one"]["distance"] is None


def test_a_status_line_holds_no_long_text_and_nothing_that_steers_a_terminal() -> None:
    line = community_line("one", Progress(1.0, 1.0), {"MODE": "\x1b[2J" + "x" * 10**6})
    assert line.isprintable()
    assert len(line) < MOST_SHOWN + 80
    odd = community_line("one", Progress(1.0, 1.0), dict.fromkeys(ODD, b"q"))
    assert odd == "one:       1.0 s  warp 1.0"


@pytest.mark.parametrize("held", [b"", b"\0" * 7])
def test_a_turn_not_yet_written_is_ignored(tmp_path: Path, held: bytes) -> None:
    (tmp_path / "turn-1").write_bytes(held)
    assert read_activation(tmp_path, 1) == (-1, -1)


@pytest.mark.process
@pytest.mark.parametrize(
    "options", [("--placement", "one", "--warp", "max"), ("--free-run", "--warp", "10")]
)
def test_an_apps_name_of_any_length_ends_no_app_that_composes_names_of_it(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    longest = "u" * 256  # a client's name may be as long; uProcessWatch registers for uuu..._STATUS
    mission, summary = tmp_path / "one.moos", tmp_path / "summary.json"
    lines = f"Run = uTimerScript ~ {longest}\nRun = uProcessWatch"
    mission.write_text(f"Community = one\nProcessConfig = ANTLER\n{{\n{lines}\n}}\n")
    arguments = [str(mission), "--for", "3", "--no-log", "--json", str(summary), *options]
    assert main(arguments) == 0
    (watch,) = (a for n, a in json.loads(summary.read_text())["apps"].items() if "Watch" in n)
    assert any("not registered" in text for text in watch["run_warnings"])
