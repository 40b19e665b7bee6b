"""The web viewer: watches live runs, replays logs and compares them, in a page."""
