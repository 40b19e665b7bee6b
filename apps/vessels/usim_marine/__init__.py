"""``uSimMarineV22``: simulator of a vessel."""
