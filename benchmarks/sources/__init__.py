"""The figures and tables of the documents that the simulator follows, repeated: docs/sources.md."""
