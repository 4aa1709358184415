"""Commands of the evaluator."""
