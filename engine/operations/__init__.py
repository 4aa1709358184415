"""The four operations."""
