"""Apps that post by a script, at a time, or in response to another variable."""
