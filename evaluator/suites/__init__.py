"""Other tasks under the same evaluator: objects and scenes rebuilt, readouts, trajectories."""
