"""Pictures of states."""
