"""Linear programs, and the engines that solve them."""
