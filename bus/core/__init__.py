"""Types shared by all layers of the bus: apps, messages, plans, stamps, errors. No sockets."""
