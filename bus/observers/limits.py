"""Limits of what one client may request, so that others are served and memory is bounded.

They do not apply to the mission's own apps.
"""

from __future__ import annotations

from steerageway.bus.core.app import Registration
from steerageway.bus.core.errors import Refused, WireError
from steerageway.bus.database.database import Database
from steerageway.bus.database.mailbox import Mailbox
from steerageway.bus.database.variable import Variable
from steerageway.declarations.patterns import is_pattern
from steerageway.declarations.posted import Value

LEAST_CLIENTS = 1024  # that may be connected at a time, of however few communities
CLIENTS_EACH = 8  # that may be connected at a time, for each community: an observer has one in each
MOST_REGISTERED = 1024  # names and patterns of a client
MOST_PATTERNS = 64  # of these: each is compared with every variable, or every post
MOST_VARIABLES = 8192  # of a community, above which clients can add none
LARGE = 1 << 16  # characters or bytes of a value above which it counts for ...
MOST_LARGE = 1 << 29  # ... the sum of a community's values above which clients can post no such one


def most_clients(communities: int) -> int:
    """Return how many clients may be connected at a time to a run of so many communities."""
    return max(LEAST_CLIENTS, CLIENTS_EACH * communities)


def check_clients(clients: int, communities: int) -> None:
    """Check that one more client may connect.

    Raises:
        Refused: there are too many.
    """
    if clients >= most_clients(communities):
        raise Refused(f"{clients} clients are connected; no more are accepted")


def check_registered(mailbox: Mailbox, database: Database, wanted: Registration) -> None:
    """Check that a client may make one more registration.

    Raises:
        WireError: it has too many.
    """
    pattern = wanted.pattern
    if not wanted.active or (pattern, wanted.source) in mailbox.registrations:
        return
    if len(mailbox.registrations) >= MOST_REGISTERED:
        raise WireError(f"{pattern}: a client registers for at most {MOST_REGISTERED} names")
    if not is_pattern(pattern):
        check_variable(database, pattern)
    if (is_pattern(pattern) or wanted.source != "*") and mailbox.patterns() >= MOST_PATTERNS:
        raise WireError(
            f"{pattern} from {wanted.source}: a client registers for at most {MOST_PATTERNS} "
            "patterns, or names from one source"
        )


def check_variable(database: Database, name: str, value: Value = 0.0) -> None:
    """Check that a client may use a variable, or post a value of it.

    Raises:
        WireError: there are too many, or too many large values.
    """
    if len(database.variables) >= MOST_VARIABLES and name not in database.variables:
        raise WireError(f"{name}: clients can add none to {MOST_VARIABLES} variables")
    if not isinstance(value, float) and len(value) > LARGE:
        others = sum(_size(one) for one in database.variables.values() if one.name != name)
        if others + len(value) > MOST_LARGE:
            raise WireError(f"{name}: clients can add no value of {len(value)} bytes to {others}")


def _size(variable: Variable) -> int:
    """Return the length of a variable's value; 0 of a number."""
    value = 0.0 if variable.last is None else variable.last[3].value
    return 0 if isinstance(value, float) else len(value)
