"""The scope (uXMS): variables of a running mission, live or once: ``steerageway scope``."""
