"""Recipients of a node message, and its length."""

from __future__ import annotations

from collections.abc import Iterable

from steerageway.apps.contacts.contact import Contact
from steerageway.moos.node_message import ALL, AckMessage, NodeMessage


def receivers_of(
    message: NodeMessage | AckMessage, sender: Contact, contacts: Iterable[Contact]
) -> list[Contact]:
    """Return the recipients of a message among the known contacts.

    A group restricts "all"; in addition to names it adds its members. A sender is no recipient.
    """
    others = [contact for contact in contacts if contact is not sender]
    if isinstance(message, AckMessage):
        return [contact for contact in others if contact.name.lower() == message.to.lower()]
    names, group = message.addressees, message.group.lower()
    if group == ALL or (ALL in names and not group):
        return others
    return [
        contact
        for contact in others
        if contact.name.lower() in names or (group and contact.record.group.lower() == group)
    ]


def length(message: NodeMessage | AckMessage) -> int:
    """Return the number of characters of a message's text."""
    if isinstance(message, NodeMessage) and isinstance(message.value, str):
        return len(message.value)
    return 0
