"""What ``python -m vessel`` can do with a vessel's folder: show, energy, check, tune."""
