"""Exact arithmetic: what a profile proves about a game whose numbers are integers and fractions.

A float certificate widens its bounds by a bound on rounding errors, and rests on that analysis. Here nothing is rounded but the
plans, once, to integers over a power of two that satisfy every constraint exactly; best responses against them are then integer
sums and comparisons, so the interval that they give is a theorem about the plans, of any game that has exact payoffs.
"""
