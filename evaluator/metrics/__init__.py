"""Metrics as pure functions on arrays: no files, no methods, no chains."""
