"""Transport: frames (MessagePack), the sockets that carry them, keys, and the client."""
