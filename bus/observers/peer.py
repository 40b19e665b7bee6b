"""``Peer``: one client at the broker's server: its role, mail and credit."""

from __future__ import annotations

from steerageway.bus.core.app import Registration
from steerageway.bus.core.errors import WireError
from steerageway.bus.core.message import NANO
from steerageway.bus.core.stamps import NEVER
from steerageway.bus.database.database import Database
from steerageway.bus.database.mailbag import Mailbag
from steerageway.bus.transport.wire import APP, WIDEST_WINDOW, Hello

POST_WINDOW = 8192  # credit of a client for its posts


class Peer:
    """A welcomed client.

    Credit is counted from the welcome, in units of one message, or one KiB where messages are
    longer (``wire.cost``).

    Attributes:
        identity: the routing id of its connection.
        connection: the number of this connection, see ``ServerSocket.connection_of``.
        name, role, whole, community: see ``Hello``.
        database: in which it is registered; mailbag: its mail.
        sent: cost of the mail sent so far; allowed: upper limit of that.
        sent_at: wall time of its last mail.
        posted: cost of the posts taken so far; granted: upper limit of that.
        held: cost of the posts taken at ``posted_at``, the session's frontier then.
        frames: handled so far.
        thinned: messages left out for it because it did not read; announced: how many of those it
            was told of.
    """

    def __init__(
        self, identity: bytes, connection: int, hello: Hello, database: Database, mailbag: Mailbag
    ) -> None:
        self.identity = identity
        self.connection = connection
        self.name = hello.name
        self.role = hello.role
        self.whole = hello.whole
        self.community = database.community
        self.database = database
        self.mailbag = mailbag
        self.sent = self.posted = self.thinned = self.announced = self.held = 0
        self.posted_at = -1
        self.frames = 0
        self.sent_at = 0.0
        self.allowed = hello.credit
        self.granted = POST_WINDOW
        database.mailboxes.append(mailbag)

    def is_app_of(self, community: str) -> bool:
        """Whether it is an app of this community."""
        return self.role == APP and self.community == community

    def move(self, database: Database) -> None:
        """Move to the database of a new case, with all registrations."""
        self.database = database
        database.mailboxes.append(self.mailbag)
        for (pattern, source), (interval, _) in list(self.mailbag.registrations.items()):
            registration = Registration(pattern, source, interval / NANO)
            database.register(self.mailbag, registration, NEVER)

    def thin(self) -> None:
        """Keep the last message of each waiting variable, and count the others."""
        self.thinned += self.mailbag.thin()

    def take_credit(self, credit: int) -> None:
        """Raise the limit of what the client may be sent.

        Raises:
            WireError: it would fall, or rise by more than is allowed.
        """
        if not self.allowed <= credit <= self.sent + WIDEST_WINDOW:
            most = self.sent + WIDEST_WINDOW
            raise WireError(f"credit {credit}: expected {self.allowed} to {most}")
        self.allowed = credit
