"""Games at a table: a person against a strategy, or hands at random."""
