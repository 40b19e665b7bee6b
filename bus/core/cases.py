"""Cases: fresh starts within one run, requested by sweeps and scripts.

An app that lives through case resets requests the next case by posting ``CASE_RESET``. The
current case ends with that instant: the database is cleared, time begins at 0 again, and every
other app is rebuilt from its configuration, with the case's seed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import NamedTuple, SupportsIndex

from steerageway.bus.core.errors import PostRefused, ValueRefused
from steerageway.bus.core.message import as_value, check_name, is_postable
from steerageway.declarations import json_of
from steerageway.declarations.posted import Value

CASE_RESET = "CASE_RESET"
_FIELDS: tuple[tuple[str, type, str], ...] = (
    ("number", SupportsIndex, "a whole number"),
    ("first", Mapping, "posts, variable -> value"),
    ("then", Mapping, "posts, variable -> value"),
    ("community", str, "a community's name"),
    ("source", str, "in whose name to post"),
)
_EXPECTED = 'expected {"number": 1, "seed": 0, "first": {...}, "then": {...}}'


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a run.

    Attributes:
        number: for logs and tables; apps that are rebuilt do not see it.
        seed: of its apps; None for that of the previous case.
        first: posts that enter at its time 0, before any app runs: variable -> value. A variable
            of another community is ``NAME:VARIABLE``.
        then: posts that enter after the first iteration of every app.
        community: where variables without a name are posted; "" for the first.
        source: source of these posts.

    Values are those of any post: other real numbers become floats.

    Raises:
        ValueError: a field has the wrong type.
        ValueRefused: a value is not a finite number, text or bytes.
        PostRefused: a variable's name is not allowed.
    """

    number: int = 0
    seed: int | None = None
    first: Mapping[str, Value] = field(default_factory=dict)
    then: Mapping[str, Value] = field(default_factory=dict)
    community: str = ""
    source: str = "uPokeDB"

    def __post_init__(self) -> None:
        for key, kind, expected in _FIELDS:
            value = getattr(self, key)
            # A bool is an int for Python, but not a number here.
            if not isinstance(value, kind) or isinstance(value, bool):
                raise ValueError(f"Case: {key} = {value!r}: expected {expected}")
        object.__setattr__(self, "number", index(self.number))
        for posts in ("first", "then"):
            object.__setattr__(self, posts, _as_values(getattr(self, posts)))

    def text(self) -> str:
        """Return the case as a value of ``CASE_RESET``; its posts may be texts and numbers."""
        fields = {"number": self.number, "seed": self.seed}
        return json.dumps({**fields, "first": dict(self.first), "then": dict(self.then)})

    def place(self, key: str, communities: Sequence[str]) -> tuple[str, str]:
        """Return the community and the variable of a key of ``first`` or ``then``."""
        community, _, name = key.rpartition(":")
        if community in communities:
            return community, name
        return self.community or communities[0], key


class Order(NamedTuple):
    """A reset or clear of a case from outside, with its exact place in time.

    Attributes:
        instant: the last one that ran before it [ns]; -1: none had.
        case: the number of the case that it ended or cleared.
        then: the case that followed; None for a clear: all values and types were removed.
    """

    instant: int
    case: int
    then: Case | None = None

    @property
    def verb(self) -> str:
        """The word by which an observer requests it."""
        return "clear" if self.then is None else "reset"


def read_case(text: str, community: str, source: str, seed: int) -> Case:
    """Parse a value of ``CASE_RESET``.

    Args:
        text: the value.
        community, source: where and by whom it was posted.
        seed: that of the previous case.
    Raises:
        ValueError: it is not what ``Case.text`` writes; the message says what is expected.
    """
    try:
        fields = json_of(text)
        number = int(fields["number"])
        seed = seed if fields["seed"] is None else int(fields["seed"])
        first, then = (dict(fields[key].items()) for key in ("first", "then"))
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
        raise ValueError(f"{CASE_RESET} = {text}: {_EXPECTED}") from None
    try:
        return Case(number, seed, first, then, community, source)
    except (ValueRefused, PostRefused) as error:
        raise ValueError(f"{CASE_RESET} = {text}: {error}") from None


def _as_values(posts: Mapping[str, object]) -> dict[str, Value]:
    """Return posts with values as the bus carries them.

    Raises:
        ValueRefused: a value is of another kind.
        PostRefused: a name is not allowed.
    """
    for name in posts:
        check_name(name)
    values = {name: as_value(name, value) for name, value in posts.items()}
    for name, value in values.items():
        if not is_postable(value):
            raise ValueRefused(name, value)
    return values
