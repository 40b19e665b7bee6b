"""The parts of behaviors about another vessel: parameters, flags, worth of a range."""
