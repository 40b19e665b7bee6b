"""uQueryDB: evaluates conditions on a running mission, for scripts: ``steerageway query``."""
