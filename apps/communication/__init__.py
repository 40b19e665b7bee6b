"""Apps that exchange node reports, messages and variables between vessels and the shore."""
