"""The parts of behaviors about another vessel: what they are told, their flags and macros."""
