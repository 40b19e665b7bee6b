"""Writing logs, and the tools that read them."""
