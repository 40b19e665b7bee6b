"""The database of one community: variables, registrations, mailboxes, what it reports."""
