"""Exact arithmetic: what plans prove about a game whose numbers are integers and fractions.

A float certificate widens its bounds by a bound on rounding errors, and rests on that analysis.
Here plans are integers over a common denominator that satisfy every constraint exactly; best
responses against them are integer sums and comparisons, so what they give is a theorem about the
plans, of any game that has exact payoffs. Plans come from any solver's profile, rounded once, which
proves an interval (`interval`); or from a basis of the linear program, solved exactly, which proves
the value (`basis`, `lift`, `equilibrium`).
"""
