"""What all layers of the bus share: apps, messages, plans, instants, errors. No sockets."""
