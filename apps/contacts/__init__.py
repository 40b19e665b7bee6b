"""Other vessels and obstacles: what is known of them, who is told, and what counts as too near."""
