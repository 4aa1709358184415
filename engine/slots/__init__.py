"""Grouping the parts of a host into slots."""
