"""Review and repair of chains by people."""
