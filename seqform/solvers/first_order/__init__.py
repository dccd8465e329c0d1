"""First-order methods for the saddle point over two treeplexes."""
