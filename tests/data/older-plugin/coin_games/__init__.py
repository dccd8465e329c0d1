"""A package that adds a game, two methods, a solver and a reduction to seqform."""
