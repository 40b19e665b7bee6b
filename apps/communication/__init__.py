"""What one vessel tells others and the shore, and over which routes."""
