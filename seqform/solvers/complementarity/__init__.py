"""Linear complementarity problems, and the complementary pivots that solve them."""
