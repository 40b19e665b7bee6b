"""Declarations of values: one way to declare, read and refuse what people and programs write."""

from steerageway import refuse_bare_import
from steerageway.declarations.contents import bytes_of, json_of, replacing, write_whole
from steerageway.declarations.declaration import (
    Declaration,
    Parameter,
    field_of,
    member_of,
    read,
    unknown,
)
from steerageway.declarations.values import (
    Choice,
    Doubted,
    Interval,
    Number,
    Whole,
    all_finite,
    boolean,
    decimal,
    doubts,
    finite,
    tolerant,
    truth,
    word,
    words_of,
)

__all__ = [
    "Choice", "Declaration", "Doubted", "Interval", "Number", "Parameter", "Whole",
    "all_finite", "boolean", "bytes_of", "decimal", "doubts", "field_of", "finite", "json_of",
    "member_of", "read", "replacing", "tolerant", "truth", "unknown", "word", "words_of",
    "write_whole",
]  # fmt: skip

refuse_bare_import(__name__)
