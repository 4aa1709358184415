"""Embedders that come with the project."""
