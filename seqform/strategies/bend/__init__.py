"""Locks, models of an opponent, and answers to them."""
