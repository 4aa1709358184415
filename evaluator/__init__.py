"""Rollouts and scores: runs editing methods over chains and measures their outputs region by region."""
