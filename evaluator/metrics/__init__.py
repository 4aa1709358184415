"""Measures of a turn: pure functions on arrays, which know neither files nor methods."""
