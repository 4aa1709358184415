"""Solid patterns: functions from points on a part to the two layers of a material."""
