"""FMI 2.0 and 3.0 co-simulation: vessels exported as FMUs, and FMUs of others as vessels."""
