"""Tools of ``steerageway vessel``: show, energy, check, tune, trials, import."""
