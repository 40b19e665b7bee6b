"""A vessel's files, edited in a browser: forms, YAML, a 3-D view, estimates, trials."""
