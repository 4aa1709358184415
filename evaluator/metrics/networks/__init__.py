"""Metrics that need the weights of a network: loaded when the user gives them, absent with the reason otherwise."""
