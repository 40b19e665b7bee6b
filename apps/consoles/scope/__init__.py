"""Shows the variables of a run, live or once: ``python -m apps.scope`` (uXMS)."""
