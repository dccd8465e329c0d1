"""The linear complementarity problem of a two-player game of any sums, in its sequence form.

Let A and B be what players 0 and 1 are paid, and E x = e and F y = f the constraints of their
plans. A plan x is a best response to y if and only if there are values u, one of each constraint,
such that ``E'u >= A y``, with equality wherever x is positive. The same holds for y with values v.
So equilibria are the solutions of

    w = M z + q,    z = (x, y, u, v),    M = |  0  -A  E'  0 |    q = | 0 |
                                             | -B'  0  0  F' |        | 0 |
                                             | -E   0  0   0 |        | e |
                                             |  0  -F  0   0 |        | f |

in which for each sequence z and w are at least 0, and one of the two is 0; for each constraint z is
free and w is 0 (Koller, Megiddo & von Stengel, "Efficient computation of equilibria for extensive
two-person games", GEB 14, 1996, Section 3).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats, Index, Numbers
from seqform.base.errors import NotForThisGameError, UnsupportedGameError
from seqform.base.integer_matrix import IntegerMatrix, largest
from seqform.base.summary import Rows, Summarized
from seqform.form.hand_payoffs import HandPayoffs
from seqform.form.payoff_tensor import PayoffTensor
from seqform.form.sequence_form import SequenceForm, ZeroSumForm
from seqform.form.sparse_payoff import SparsePayoff
from seqform.form.treeplex import Treeplex
from seqform.game import needs

FLOATS = (
    "this problem has payoffs or probabilities that are floats, and its matrix in integers needs "
    "all of them as int or Fraction"
)

LARGEST = 1_000
"""Exponents of scales, so that their powers of two and the inverses of these are floats."""


@dataclass(frozen=True, eq=False, repr=False)
class ComplementarityProblem(Summarized):
    """The problem of a two-player game, by its parts.

    Parameters
    ----------
    treeplexes
        Those of player 0 and of player 1.
    payoffs
        A and B: rows are player 0's sequences and columns player 1's. In a constant-sum game B is
        -A, without the constant.
    """

    treeplexes: tuple[Treeplex, Treeplex]
    payoffs: tuple[SparsePayoff, SparsePayoff]

    @property
    def plan_sizes(self) -> tuple[int, int]:
        """Entries of x and of y: sequences of each player."""
        mine, theirs = self.treeplexes
        return mine.num_sequences, theirs.num_sequences

    @property
    def num_sequences(self) -> int:
        """Complementary pairs: sequences of both players."""
        return sum(self.plan_sizes)

    @property
    def num_constraints(self) -> int:
        """Equations, and free variables: constraints of both plans."""
        return sum(1 + treeplex.num_infosets for treeplex in self.treeplexes)

    @property
    def size(self) -> int:
        """Rows and columns of M."""
        return self.num_sequences + self.num_constraints

    def plans(self, vector: Numbers) -> tuple[Numbers, Numbers]:
        """Return the parts of a vector, z or one over all sequences, that belong to x and to y."""
        first, total = self.plan_sizes[0], self.num_sequences
        return vector[:first], vector[first:total]

    @property
    def num_nonzeros(self) -> int:
        """Nonzero entries of M."""
        constraints = sum(t.num_infosets + t.num_sequences for t in self.treeplexes)
        return sum(payoff.num_nonzeros for payoff in self.payoffs) + 2 * constraints

    @property
    def is_exact(self) -> bool:
        """Whether all payoffs are known as integers over a denominator."""
        return all(payoff.is_exact for payoff in self.payoffs)

    @property
    def denominators(self) -> tuple[int, int]:
        """What each player's payoffs, u and v, are multiplied by in `integers`."""
        return self.payoffs[0].denominator, self.payoffs[1].denominator

    @cached_property
    def matrix(self) -> sp.csr_array:
        """M in float64, CSR, in the game's unit."""
        mine, theirs = (payoff.matrix.data for payoff in self.payoffs)
        rows, columns, entries = self._entries(mine, theirs)
        return sp.csr_array((entries, (rows, columns)), shape=(self.size, self.size))

    @cached_property
    def integers(self) -> IntegerMatrix:
        """M in integers: each player's payoffs, u and v are multiplied by its denominator.

        Raises
        ------
        UnsupportedGameError
            If there are floats.
        """
        mine, theirs = (payoff.numerators for payoff in self.payoffs)
        if mine is None or theirs is None:
            raise UnsupportedGameError(FLOATS)
        rows, columns, entries = self._entries(mine, theirs)
        return IntegerMatrix.from_entries(rows, columns, entries, (self.size, self.size))

    @cached_property
    def constants(self) -> Index:
        """The vector q, int64: 1 at the first constraint of each player, else 0."""
        q = np.zeros(self.size, dtype=np.int64)
        q[[self.num_sequences, self.num_sequences + 1 + self.treeplexes[0].num_infosets]] = 1
        return q

    @cached_property
    def exponents(self) -> tuple[Index, Index]:
        """Powers of two near the payoffs, for the row of each sequence and of each constraint.

        An information set, and its actions, have the exponent of the largest payoff from there on.
        """
        mine, theirs = (abs(payoff.matrix) for payoff in self.payoffs)
        sizes = mine.max(axis=1).toarray().ravel(), theirs.max(axis=0).toarray().ravel()
        rows, constraints = [], []
        for treeplex, size in zip(self.treeplexes, sizes, strict=True):
            below = _largest_below(treeplex, size)
            exponent = np.clip(np.frexp(below)[1], -LARGEST, LARGEST).astype(np.int64)
            rows.append(exponent[treeplex.infoset_of + 1])
            constraints.append(exponent)
        return np.concatenate(rows), np.concatenate(constraints)

    def _entries(self, mine: Numbers, theirs: Numbers) -> tuple[Index, Index, Numbers]:
        """Return rows, columns and entries of M, for the entries of A and of B."""
        first, total = self.plan_sizes[0], self.num_sequences
        a, b = (place_of(payoff.matrix) for payoff in self.payoffs)
        below = sp.block_diag([t.constraints()[0] for t in self.treeplexes]).tocoo()
        signs = below.data.astype(np.int64)
        rows = [a[0], first + b[1], below.col, total + below.row]
        columns = [first + a[1], b[0], total + below.row, below.col]
        return (
            np.concatenate(rows).astype(np.int64),
            np.concatenate(columns).astype(np.int64),
            np.concatenate([negated(mine), negated(theirs), signs, -signs]),
        )

    def summary(self) -> Rows:
        """Return the sizes."""
        return [
            ("complementary pairs", f"{self.num_sequences:,}"),
            ("equations", f"{self.num_constraints:,}"),
            ("nonzeros", f"{self.num_nonzeros:,}"),
            ("numbers", "integers" if self.is_exact else "floats"),
        ]


def build_lcp(game: SequenceForm) -> ComplementarityProblem:
    """Return the complementarity problem of a game.

    Examples
    --------
    >>> from seqform import build_sequence_form, build_tree, make
    >>> build_lcp(build_sequence_form(build_tree(make("kuhn")))).num_nonzeros
    136

    Raises
    ------
    NotForThisGameError
        R10: unless the game is for two players.
    """
    needs.require(needs.two_players("R10: a complementarity problem is of", game))
    return ComplementarityProblem((game.treeplexes[0], game.treeplexes[1]), payoffs_of(game))


def count_nonzeros(game: SequenceForm) -> int:
    """Return how many nonzeros the problem of a game has at most, without making it."""
    lines = sum(1 + t.num_infosets + t.num_sequences for t in game.treeplexes)
    return 2 * (game.payoffs.num_nonzeros + lines)


def payoffs_of(game: SequenceForm) -> tuple[SparsePayoff, SparsePayoff]:
    """Return the payoffs A and B of a two-player game; B is -A if it is of constant sum."""
    if isinstance(game, ZeroSumForm):
        mine = game.operator.to_sparse()
        opposite = None if mine.numerators is None else negated(mine.numerators)
        return mine, SparsePayoff(-mine.matrix, opposite, mine.denominator, mine.entry_errors)
    payoffs = game.payoffs
    if not isinstance(payoffs, (PayoffTensor, HandPayoffs)):
        raise NotForThisGameError("R10: the payoffs of this game are not kept entry by entry")
    shape = game.treeplexes[0].num_sequences, game.treeplexes[1].num_sequences
    return payoffs.matrix(0, shape), payoffs.matrix(1, shape)


def place_of(matrix: sp.csr_array) -> tuple[Index, Index]:
    """Return row and column of each stored entry, in their order."""
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    return rows, matrix.indices.astype(np.int64)


def negated(numbers: Numbers) -> Numbers:
    """Return numbers times -1; of int64 -2**63 too."""
    is_least = numbers.dtype == np.int64 and largest(numbers) == 2**63
    return -(numbers.astype(object) if is_least else numbers)


def _largest_below(treeplex: Treeplex, size: Floats) -> Floats:
    """Return the largest of all sequences, and of those from each information set on."""
    largest, at = size.copy(), np.zeros(treeplex.num_infosets)
    for infosets, sequences in reversed(treeplex.runs):
        starts = treeplex.first_sequence[infosets] - sequences.start
        at[infosets] = np.maximum.reduceat(largest[sequences], starts)
        np.maximum.at(largest, treeplex.parent_sequence[infosets], at[infosets])
    return np.append(largest[0], at)
