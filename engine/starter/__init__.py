"""The starter library: modelled by the project's own code."""
