"""Solvers: each takes a sequence form (or its linear program) and knows nothing of where the game came from."""
