"""Cells: the one frame and lattice of a chain, which cells its states fill, and what its turns change of them."""
