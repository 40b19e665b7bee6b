"""Common parts of contact behaviors: base class, parameters, flags, CPA ranges, utility."""
