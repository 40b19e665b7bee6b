"""Database of one community: variables, registrations, mailboxes, its own reports."""
