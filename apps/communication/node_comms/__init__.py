"""``uFldNodeComms``: delivers node reports and messages to the vessels within range."""
