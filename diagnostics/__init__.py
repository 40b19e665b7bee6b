"""What is wrong or doubtful with what a user wrote, as data. Every package may import it."""
