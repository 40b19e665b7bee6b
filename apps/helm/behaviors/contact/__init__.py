"""What behaviors about another vessel have in common: their base, parameters, flags, utility."""
