"""New looks for pieces."""
