"""The parts of behaviors about another vessel: parameters, flags, utility of a range."""
