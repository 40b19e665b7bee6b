"""Web viewer: shows live runs, replays logs and compares them in a browser."""
