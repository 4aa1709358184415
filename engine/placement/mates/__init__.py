"""How a part is brought onto its parent: one module for each mate, each a closed form with residuals."""
