"""The sizes by which `auto` chooses, all that were measured: methods, programs, solvers, proofs.

What a number chooses between is said where it is used. Numbers that belong to one algorithm stand
beside it. Nonzeros are those of the plain linear program unless something else is said.
"""

from __future__ import annotations

# Methods (seqform.methods.automatic)

ITERATE_FROM = 3_000_000
"""Nonzeros from which regret minimization is the default."""

QRE_UP_TO = 500
"""Sequences of all players of a game of more than two, from which regret minimization takes
over from the logit path (docs/explanation/many-players.md)."""

PIVOT_HANDS_UP_TO = 2_000
"""Sequences of both players of a game of hands with rake up to which complementary pivots are the
default: rivers of 1,428 and 914 sequences (12,810 and 54,385 payoffs) took 0.8 and 1.5 s, and one
of 3,958 was not done after 12."""

POLISHED_UP_TO = 50_000
"""Payoffs, at so many meetings of sequences, up to which a game that is not zero-sum is polished by
default. Guessing supports takes longer than the search from there on, and seldom succeeds: of the
19,689 sequences that each of three players has at Leduc hold'em most are played."""

# Reductions (seqform.methods.automatic)

REDUCE_FROM, REDUCE_INEXACT_FROM = 25_000, 15_000
"""Nonzeros of a signal game's linear program from which it is solved by classes. They save time
from the second on; below the first the game as it is leaves a basis, and so a value in fractions,
unless exact=False."""

REDUCE_SEARCH_FROM = 5_000
"""Sequences of both players of a signal game from which classes cost less than they save a search:
measured 0.03 s against 0.05 s on Leduc (2,186), 0.15 s against 0.05 s with 6 ranks (9,410)."""

# Programs (seqform.methods.which_program)

SMALLER_FROM = 5_000
"""Nonzeros of the plain program from which a smaller one takes less time than it may save."""

WORTH_FOLDING = 0.8
"""The share of nonzeros up to which the folded program is taken: one that is hardly smaller is no
faster, and its sums cost digits (docs/explanation/folded-program.md)."""

WORTH_SPARSIFYING = 0.4
"""The share of nonzeros up to which auxiliary variables save time; there are more rows for them
(docs/explanation/sparsified-program.md)."""

SPARSIFY_FROM = 10_000_000
"""Nonzeros of a signal game's program from which they are worth having for memory alone."""

# Solvers, and their engines

CLARABEL_FROM = 5_000
"""Nonzeros from which the interior point is the default, where no basis is wanted."""

IPX_FROM = 50_000
"""Nonzeros from which HiGHS finds a basis sooner by an interior point with crossover than by the
simplex method."""

CLARABEL_FROM_CORRELATED = 100_000
"""The same of a program of correlated equilibria, where a basis is always wanted: nonzeros from
which HiGHS was measured to take minutes for one, and Clarabel half as long for a point
(benchmarks/results/correlated.md)."""

IPX_FROM_CORRELATED = 20_000
"""Nonzeros of such a program from which an interior point with crossover finds a basis sooner."""

PARDISO_FROM, PARDISO_UP_TO = 10_000_000, 60_000_000
"""Nonzeros of a signal game's plain program between which Pardiso solves it soonest, where it is
installed. Larger ones were not tried (docs/explanation/published-program.md)."""

HOPELESS_FROM = 40_000_000
"""Nonzeros from which no other solver has come near an equilibrium, in hours."""

# What is proven, and completed, without being asked

BASIS_UP_TO = 25_000
"""Nonzeros up to which an exact equilibrium is worth the solver that leaves a basis: at most 0.15 s
more, on Leduc with 4 ranks."""

EXACT_UP_TO = 1_000_000
"""Nonzeros up to which going on from a basis to fractions was measured to take less time than
finding the basis (docs/benchmarks.md)."""

EXACT_UP_TO_CORRELATED = 100_000
"""The same of a program of correlated equilibria."""

GO_ON_UP_TO = 1_000
"""Rows of a complementarity problem in which exact pivots go on; each solves up to four systems in
fractions, which takes about 0.03 s there."""

COMPLETED_UP_TO = 1_000_000
"""Sequences of a game up to which a profile that its form keeps without vectors is made into these,
to be completed where its own plan never comes."""

GAINS_UP_TO = 100_000
"""Sequences up to which what a mistake leads to is computed."""
