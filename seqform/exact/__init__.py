"""Exact arithmetic: what plans prove about a game whose numbers are integers and fractions.

A float certificate widens its bounds by a bound on rounding errors, and rests on that analysis.
Here plans are integers over a common denominator that satisfy every constraint exactly. Best
responses against them are integer sums and comparisons. So what they give is a theorem about the
plans, for any game that has exact payoffs. Plans come from two sources. Any solver's profile,
rounded once, proves an interval (`interval`). A basis of the linear program, solved exactly, proves
the value (`basis`, `linear_system`, `equilibrium`).
"""
