"""Tools of ``python -m vessel``: show, energy, check, tune, trials, import."""
