"""The parts of ``BHV_AvdColregs``: which rule is in force, and what it asks for."""
