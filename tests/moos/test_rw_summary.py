"""The database's summary of subscriptions and publications."""

from __future__ import annotations

from steerageway.moos.rw_summary import read_rw_summary


def test_each_app_has_its_subscriptions_and_publications() -> None:
    text = "pShare=X:Y*&, pLogger=*&PLOGGER_STATUS:DB_LOG,uQuiet=&,"
    assert list(read_rw_summary(text)) == [
        ("pShare", ("X", "Y*"), ()),
        ("pLogger", ("*",), ("PLOGGER_STATUS", "DB_LOG")),
        ("uQuiet", (), ()),
    ]
    assert list(read_rw_summary("")) == []
