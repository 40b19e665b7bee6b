"""``steerageway colregs``: suites of encounters, scored by the rules of the road."""
