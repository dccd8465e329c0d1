"""Solvers: each takes a sequence form or its linear program.

None knows where the game came from.
"""
