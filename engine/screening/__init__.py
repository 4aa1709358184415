"""Asking someone who can see whether an edit looks right, and keeping the answer."""
