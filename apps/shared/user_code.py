"""Keys of a mission that name a user's Python code."""

CODE_KEYS = ("behavior_path", "ivp_behavior_dir", "ivp_behavior_dirs")  # of a helm
