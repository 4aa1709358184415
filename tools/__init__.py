"""Measuring and checking from outside; not part of the installed packages."""
