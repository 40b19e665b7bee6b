"""``BHV_AvdColregs`` and its parts: which rule is in force, and what it asks for."""
