"""Tables that were recorded elsewhere, in the forms that programs write."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.moos import recorded_table
from steerageway.moos.errors import FormatError
from steerageway.moos.recorded_table import read_recorded_table


@pytest.mark.parametrize(
    "text",
    [
        "time [s],u [m/s]\n0,1.5\n0.5,-2e1\n",
        "time [s];u [m/s, ground]\n0;1,5\n0,5;-2,0e1\n",
        "time [s]\tu [m/s, ground]\n0\t1.5\n0,5\t-20\n",
        "time [UTC];u [m/s]\n2026-05-01T23:59:59.75Z;1.5\n2026-05-02 00:00:00.25+00:00;-20\n",
        "time,u\n2026-05-01T12:00:00,1.5\n20260501T120000.5,-20\n",
    ],
)
def test_separators_decimal_commas_and_time_stamps_are_read_as_meant(
    text: str, tmp_path: Path
) -> None:
    (tmp_path / "sea.csv").write_text(text)
    table = read_recorded_table(tmp_path / "sea.csv")
    assert list(table.columns.values()) == [(0.0, 0.5), (1.5, -20.0)]
    assert table.units["time"] == "s"


def test_the_largest_number_of_rows_is_named_for_a_longer_table_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorded_table, "MOST_ROWS", 3)
    (tmp_path / "sea.csv").write_text("t,u\n0,1\n1,2\n2,3\n")
    with pytest.raises(FormatError, match=r"sea.csv:4: expected 3 rows at most"):
        read_recorded_table(tmp_path / "sea.csv")


@pytest.mark.parametrize("number", ["1e308", "-3.4028235e+38", "9.96921e+36", "nan,", "inf"])
def test_what_no_instrument_measures_is_refused(number: str, tmp_path: Path) -> None:
    (tmp_path / "sea.csv").write_text(f"t,u\n0,1\n1,{number}\n")
    with pytest.raises(FormatError, match=r"sea.csv:3: .*expected"):
        read_recorded_table(tmp_path / "sea.csv")


@pytest.mark.parametrize(("cells", "lines"), [("1 -9999 -9999", [3]), ("-99 999 2", [3])])
def test_a_number_that_programs_write_for_no_data_is_a_warning(
    cells: str, lines: list[int], tmp_path: Path
) -> None:
    rows = "".join(f"{t},{cell}\n" for t, cell in enumerate(cells.split()))
    (tmp_path / "sea.csv").write_text(f"t,u\n{rows}")
    doubts = list(read_recorded_table(tmp_path / "sea.csv").doubtful())
    places = [f"{tmp_path}/sea.csv:{line}: u = " for line in lines]
    assert len(doubts) == len(places)
    assert all(one.startswith(place) for one, place in zip(doubts, places, strict=True))


@pytest.mark.parametrize("cells", ["9998 9999 10000", "1 2 3", "-8000 -9999 0", "nan nan 3"])
def test_a_number_near_the_others_of_its_column_is_measured(cells: str, tmp_path: Path) -> None:
    rows = "".join(f"{t},{cell}\n" for t, cell in enumerate(cells.split()))
    (tmp_path / "sea.csv").write_text(f"t,u\n{rows}")
    assert not list(read_recorded_table(tmp_path / "sea.csv").doubtful())


def test_a_table_in_latin_1_is_read_and_utf_16_is_told(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_bytes("time [s],Höhe [m]\n0,1\n".encode("latin-1"))
    assert read_recorded_table(table).units == {"time": "s", "Höhe": "m"}
    table.write_text("time,x\n0,1\n", "utf-16")
    with pytest.raises(FormatError, match="not text"):
        read_recorded_table(table)
