"""Controllers, from the helm's decisions to rudders, thrusters and forces."""
