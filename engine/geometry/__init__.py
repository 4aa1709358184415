"""Pure geometric measurement on read-only arrays."""
