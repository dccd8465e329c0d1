"""Iterative methods: the search that runs them, and its checkpoints."""
