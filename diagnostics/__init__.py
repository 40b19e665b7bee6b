"""What is wrong or doubtful with what a user wrote, as data: what all packages may speak of."""
