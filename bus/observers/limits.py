"""What one client may ask of a broker: whatever it sends, others are served and memory is bounded.

The mission's own apps are not limited so: who writes them may do what the machine can do.
"""

from __future__ import annotations

from steerageway.bus.core.app import Registration
from steerageway.bus.core.errors import Refused, WireError
from steerageway.bus.core.patterns import is_pattern
from steerageway.bus.database.database import Database
from steerageway.bus.database.mailbox import Mailbox

MOST_CLIENTS = 1024  # welcomed at a time
MOST_REGISTERED = 1024  # names and patterns of a client
MOST_PATTERNS = 64  # of these: every variable, or every post, is compared with each of them
MOST_VARIABLES = 8192  # of a community, from which on a client can add no more


def check_number(clients: int) -> None:
    """Check that there is room for one more client.

    Raises:
        Refused: there is not.
    """
    if clients >= MOST_CLIENTS:
        raise Refused(f"{clients} clients are here; no more are let in")


def check_registered(mailbox: Mailbox, database: Database, wanted: Registration) -> None:
    """Check that a client may register for one name or pattern more.

    Raises:
        WireError: it has as many as it may have.
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


def check_variable(database: Database, name: str) -> None:
    """Check that a client may mention a variable: there is one, or there is room for it.

    Raises:
        WireError: there are too many already.
    """
    if len(database.variables) >= MOST_VARIABLES and name not in database.variables:
        raise WireError(f"{name}: clients can add none to {MOST_VARIABLES} variables")
