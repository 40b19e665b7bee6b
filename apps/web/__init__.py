"""What the web applications share: who may come in, serving, children, parts of pages."""
