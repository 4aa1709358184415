"""The record: folding a chain into states, planning, wording and files. No numerics."""
