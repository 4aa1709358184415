"""Subcommands of `engine`, one file each."""
