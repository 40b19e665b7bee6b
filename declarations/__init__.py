"""Declarations of values: one way to declare, read and refuse what people and programs write."""

from steerageway import refuse_bare_import
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
    Number,
    Whole,
    all_finite,
    boolean,
    finite,
    truth,
    word,
)

__all__ = [
    "Choice",
    "Declaration",
    "Number",
    "Parameter",
    "Whole",
    "all_finite",
    "boolean",
    "field_of",
    "finite",
    "member_of",
    "read",
    "truth",
    "unknown",
    "word",
]

refuse_bare_import(__name__)
