"""Asking somebody to say an instruction as a person would, checking the answer, and keeping it."""
