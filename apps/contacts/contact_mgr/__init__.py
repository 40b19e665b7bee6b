"""``pContactMgrV20``: maintains the list of contacts, and posts alerts for near ones."""
