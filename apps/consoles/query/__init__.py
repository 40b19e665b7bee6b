"""uQueryDB: evaluates conditions on a running mission, for scripts: ``python -m apps.query``."""
