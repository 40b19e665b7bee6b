"""Apps that write logs, and the tools that read them."""
