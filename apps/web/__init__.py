"""Shared parts of the web applications: access control, HTTP server, child processes, pages."""
