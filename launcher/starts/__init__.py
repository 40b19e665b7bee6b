"""``steerageway new``: begins a mission, vessel, behavior, app or environment of one's own."""
