"""Measured comparisons: `make bench`. Nothing here is a test; docs/benchmarks.md holds what was
measured."""
