"""From a game to a smaller one, and back: reductions, buckets, locks, and chains of them."""
