"""What a user writes: the rules of a game, or a game of signals; and what checks them."""
