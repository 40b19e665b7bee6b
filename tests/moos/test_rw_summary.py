"""The database's summary of subscriptions and publications."""

from __future__ import annotations

from steerageway.moos.rw_summary import read_rw_summary


def test_each_app_has_what_it_heard_and_what_it_said() -> None:
    text = "pShare=X:Y*&, pLogger=*&PLOGGER_STATUS:DB_LOG,uQuiet=&,"
    assert list(read_rw_summary(text)) == [
        ("pShare", ("X", "Y*"), ()),
        ("pLogger", ("*",), ("PLOGGER_STATUS", "DB_LOG")),
        ("uQuiet", (), ()),
    ]
    assert list(read_rw_summary("")) == []
