"""``steerageway new``: templates of a mission, vessel, behavior, app or learning environment."""
