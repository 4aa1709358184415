"""How parts sit, where candidates go, and every check on the way."""
