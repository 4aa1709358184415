"""The run report: a folder of chains as JSON, as a page with plots, and as contact sheets."""
