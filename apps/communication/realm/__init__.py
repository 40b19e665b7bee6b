"""``pRealm``: publishes tables of the variables that a process subscribes to and publishes."""
