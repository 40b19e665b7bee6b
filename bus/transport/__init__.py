"""Frames and the sockets that carry them."""
